"""How high a fused score can be."""

from __future__ import annotations

from collections.abc import Mapping

from engine.fusion.normalisers import NORMALISERS
from engine.fusion.registry import FUSIONS
from engine.types import Ranking, Setup


def highest_score(rankings: Mapping[str, Ranking], setup: Setup) -> float:
    """The highest fused score that lists of these lengths allow: that of a chunk which every source ranks first.

    For RRF the sum of the weights / (k + 1). Z-score and three-sigma have no fixed end: in a list of n the highest
    z-score is the root of n - 1. The absence `true` can go beyond it where an approximate search overlooked a chunk.
    """
    weights = {source: setup.channel(source).weight for source in rankings}
    if setup.fusion == "rrf":  # one division, so that a threshold at the very end is not above it
        return sum(weights.values()) / (setup.k + 1)
    parts = [weight * _highest_value(rankings, source, setup) for source, weight in weights.items()]
    if setup.fusion == "combmax":
        return max(parts, default=0.0)
    matches = sum(weight > 0 for weight in weights.values()) if setup.fusion in ("isr", "combmnz") else 1
    return sum(parts) * matches


def _highest_value(rankings: Mapping[str, Ranking], source: str, setup: Setup) -> float:
    if FUSIONS[setup.fusion].of_scores:
        return NORMALISERS[setup.normaliser].highest(len(rankings[source]))
    if setup.fusion == "borda":
        return float(len({chunk_id for ranking in rankings.values() for chunk_id in ranking.ids}))
    return 1.0
