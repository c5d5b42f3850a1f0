"""CombMAX."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.fusion.units import Units, as_rational, brought_rows, ordered, with_exact_ties
from engine.types import Ranking


def weigh_highest(units: Units, weights: Mapping[str, float]) -> Ranking:
    """The ranking `fused`: for each chunk the highest of its weighted values, the whole of it from that one source.

    Of sources that give the same the first has it. Absent chunks and weight 0 as in `weigh`; a value that stands for
    an absent chunk can be the highest. Fox and Shaw, TREC-2, 1993; there all weights are 1.
    """
    weight = np.array([weights[source] for source in units.sources], dtype=np.float64)
    rows, used = brought_rows(units, weight), np.flatnonzero(weight > 0)
    parts = units.values[rows] * weight
    winner = used[np.argmax(parts[:, used], axis=1)] if len(rows) else np.empty(0, dtype=np.intp)
    exact_weight = [as_rational(each) for each in weight.tolist()]
    highest = parts[np.arange(len(rows)), winner]
    scores = with_exact_ties(
        highest,
        np.abs(highest),
        lambda row: float(max(exact_weight[each] * units.exact(int(rows[row]), each) for each in used.tolist())),
    )
    shares = np.where(np.arange(len(weight)) == winner[:, None], scores[:, None], 0.0)
    return ordered(units, rows, scores, shares)
