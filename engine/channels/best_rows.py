"""The best of many scores, in the order that holds everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.types import Floats

Rows = NDArray[np.int64]


def best_rows(scores: Floats, tie_order: Rows, count: int) -> Rows:
    """Positions of the `count` best scores, in the order (-score, tie_order) even at the cut."""
    count = min(count, len(scores))
    if count <= 0:
        return np.empty(0, dtype=np.int64)
    # Everything that ties with the last place competes for it by its id.
    lowest = np.partition(scores, len(scores) - count)[len(scores) - count]
    rows = np.flatnonzero(scores >= lowest)
    return rows[np.lexsort((tie_order[rows], -scores[rows]))[:count]]
