"""The fusion that a setup asks for."""

from __future__ import annotations

from collections.abc import Mapping

from engine.fusion.registry import FUSIONS
from engine.fusion.score_units import TrueScores, normaliser_inputs
from engine.fusion.units import Units
from engine.types import Ranking, Setup

__all__ = ["TrueScores", "fuse", "normaliser_inputs", "units_of"]


def fuse(
    rankings: Mapping[str, Ranking],
    setup: Setup,
    floors: Mapping[str, float],
    true_scores: TrueScores | None = None,
) -> Ranking:
    """The ranking `fused` of the lists under the setup's fusion, with each source's contribution to each score.

    `floors` are the lowest scores that the sources' scales allow in theory, for the normaliser with a fixed floor (0
    where one is not given); `true_scores` gives any chunk's score in any source, for the absence `true`. Weight 0 adds
    nothing and brings no chunk. `BadInput` where the normaliser refuses negative scores, or where true scores are asked
    for and `true_scores` is not given.
    """
    method = FUSIONS[setup.fusion]
    weights = {source: setup.channel(source).weight for source in rankings}
    return method.combine(method.units(rankings, setup, floors, true_scores), weights)


def units_of(
    rankings: Mapping[str, Ranking],
    setup: Setup,
    floors: Mapping[str, float],
    true_scores: TrueScores | None = None,
) -> Units | None:
    """What every source would add at weight 1; None for a fusion that is no weighted sum (CombMAX).

    Arguments and errors as in `fuse`. The values do not depend on the weights.
    """
    method = FUSIONS[setup.fusion]
    return method.units(rankings, setup, floors, true_scores) if method.linear else None
