"""Cosines of one query against every row, equal to the last bit wherever a row stands."""

from __future__ import annotations

import numba
import numpy as np

from engine.types import Floats, Vectors


def cosines(vectors: Vectors, query: Vectors) -> Floats:
    """The dot product of each unit row with a unit query, clipped to [-1, 1], shape (rows,).

    Float32 vectors, float64 sums. A matrix product would add up rows in blocks and give equal rows values that differ
    in the last bit, which would break ties by position instead of by id.
    """
    return np.clip(_row_dots(vectors, query.astype(np.float64)), -1.0, 1.0)


# Only the sum inside one row may be reordered, in the same way for each row. One compiled form serves every array: a
# memory map is read-only and not aligned, a copy is writable and aligned, and two forms might differ in the last bit.
_ROWS = numba.types.Array(numba.float32, 2, "C", readonly=True, aligned=False)
_QUERY = numba.types.Array(numba.float64, 1, "C", readonly=True, aligned=False)


@numba.njit(numba.float64[::1](_ROWS, _QUERY), fastmath={"reassoc", "contract"}, nogil=True, cache=True)
def _row_dots(vectors: Vectors, query: Floats) -> Floats:
    dots = np.empty(vectors.shape[0], dtype=np.float64)
    for row in range(vectors.shape[0]):
        total = 0.0
        for column in range(vectors.shape[1]):
            total += np.float64(vectors[row, column]) * query[column]
        dots[row] = total
    return dots
