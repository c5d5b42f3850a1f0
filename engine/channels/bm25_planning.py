"""From a query's posting lists to what the scoring loops read, compiled. Importing this module imports numba."""

from __future__ import annotations

import numpy as np

from engine.channels.bm25_kernels import Integers, compiled
from engine.types import Floats


@compiled
def plan_terms(offsets: Integers, idfs: Floats, terms: Integers, delta: float) -> tuple[Integers, Floats, float]:
    """The `spans` and `values` of the terms (see `bm25_kernels`), and the score of a chunk that has none of them.

    `terms` has per term the posting lists of its exact and of its folded form, -1 where no chunk has the form, but one
    of them at least, and how often the query has the term; `idfs` the idf in each of the two spaces by document
    frequency.
    """
    spans = np.full((len(terms), 4), -1, dtype=np.int64)
    values = np.zeros((len(terms), 5))
    base = 0.0
    weights = np.empty(2)
    for term in range(len(terms)):
        for form in range(2):
            number = terms[term, form]
            weights[form] = -np.inf
            if number >= 0:
                size = offsets[number + 1] - offsets[number]
                weights[form] = idfs[form, size] * terms[term, 2] + 0.0  # never -0.0, which would read as no match
        absent = delta * max(weights[0], weights[1])
        base += absent
        if terms[term, 0] == terms[term, 1] or terms[term, 0] < 0 or terms[term, 1] < 0:
            better = 0 if weights[0] >= weights[1] else 1
            number = terms[term, better]
            spans[term, 0], spans[term, 1], values[term, 0] = offsets[number], offsets[number + 1], weights[better]
            continue
        for form in range(2):
            number = terms[term, form]
            spans[term, 2 * form], spans[term, 2 * form + 1] = offsets[number], offsets[number + 1]
            values[term, 2 * form], values[term, 2 * form + 1] = weights[form], delta * weights[form] - absent
        values[term, 4] = 0.0 if delta > 0 else -np.inf
    return spans, values, base
