"""From a query's posting lists to what the scoring loops read, compiled. Importing this module imports numba."""

from __future__ import annotations

import numpy as np

from engine.channels.bm25_kernels import Integers, compiled
from engine.types import Floats


@compiled
def _comes_first(one: Integers, other: Integers) -> bool:
    return bool(one[0] < other[0] or (one[0] == other[0] and one[1] < other[1]))


@compiled
def _counted(lists: Integers) -> tuple[Integers, Integers]:
    """The distinct rows of `lists` in ascending order, and how often each occurs. Rows of -1 alone are left out."""
    distinct = np.empty_like(lists)
    counts = np.zeros(len(lists), dtype=np.int64)
    found = 0
    for row in lists:
        if row[0] < 0 and row[1] < 0:
            continue
        place = found
        while place > 0 and _comes_first(row, distinct[place - 1]):
            place -= 1
        if place > 0 and not _comes_first(distinct[place - 1], row):
            counts[place - 1] += 1
            continue
        for moved in range(found, place, -1):
            distinct[moved] = distinct[moved - 1]
            counts[moved] = counts[moved - 1]
        distinct[place], counts[place] = row, 1
        found += 1
    return distinct[:found], counts[:found]


@compiled
def plan_terms(offsets: Integers, idfs: Floats, lists: Integers, delta: float) -> tuple[Integers, Floats, float]:
    """The `spans` and `values` of the terms (see `bm25_kernels`), and the score of a chunk that has none of them.

    `lists` has per term of the query the posting lists of its exact and of its folded form, -1 where no chunk has the
    form; `idfs` has the idf in each of the two spaces by document frequency. The terms come out in the order of their
    lists, which is that of the sorted vocabulary: so the same sum has the same bits in whatever order it was asked for.
    """
    distinct, counts = _counted(lists)
    spans = np.full((len(distinct), 4), -1, dtype=np.int64)
    values = np.zeros((len(distinct), 5))
    base = 0.0
    weights = np.empty(2)
    for term in range(len(distinct)):
        pair = distinct[term]
        for form in range(2):
            weights[form] = -np.inf
            if pair[form] >= 0:
                size = offsets[pair[form] + 1] - offsets[pair[form]]
                weights[form] = idfs[form, size] * counts[term] + 0.0
        absent = delta * max(weights[0], weights[1])
        base += absent
        if pair[0] == pair[1] or pair[0] < 0 or pair[1] < 0:
            better = 0 if weights[0] >= weights[1] else 1
            spans[term, 0], spans[term, 1] = offsets[pair[better]], offsets[pair[better] + 1]
            values[term, 0] = weights[better]
            continue
        for form in range(2):
            first = 2 * form
            spans[term, first], spans[term, first + 1] = offsets[pair[form]], offsets[pair[form] + 1]
            values[term, first], values[term, first + 1] = weights[form], delta * weights[form] - absent
        values[term, 4] = 0.0 if delta else -np.inf
    return spans, values, base
