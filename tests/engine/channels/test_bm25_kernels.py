from typing import Any

import numpy as np

from engine.channels.bm25_kernels import best_rows, compiled, sum_all

ROWS, CODES = np.array([0, 2, 1, 2], dtype=np.uint32), np.array([0, 1, 0, 1], dtype=np.uint16)
GAINS = np.array([1.0, 2.0])
ANYWHERE = np.zeros(0, dtype=np.bool_)


def test_sums_by_hand():
    spans = np.array([[0, 2, -1, -1], [2, 4, -1, -1]])
    values = np.array([[3.0, 0, 0, 0, 0], [-6.0, 0, 0, 0, 0]])
    # row 0: 3 x 1; row 1: -6 x 1; row 2: 3 x 2 - 6 x 2 = -6; row 3: nothing
    sums = sum_all(ROWS, CODES, GAINS, spans, values, 4)
    assert sums.tolist() == [3.0, -6.0, -6.0, 0.0]
    assert np.signbit(sums).tolist() == [False, True, True, True]


def test_the_larger_form_counts_above_the_floor():
    # exact in rows 0 and 2: 1 x gain + 0 = 1, 2; folded in rows 1 and 2: 2 x gain - 3 = -1, 1; the floor is 0
    spans, values = np.array([[0, 2, 2, 4]]), np.array([[1.0, 0.0, 2.0, -3.0, 0.0]])
    assert sum_all(ROWS, CODES, GAINS, spans, values, 3).tolist() == [1.0, 0.0, 2.0]
    no_floor = np.array([[1.0, 0.0, 2.0, -3.0, -np.inf]])
    assert sum_all(ROWS, CODES, GAINS, spans, no_floor, 3).tolist() == [1.0, -1.0, 2.0]


def test_a_sum_of_zero_is_told_from_no_match():
    spans, values = np.array([[0, 2, -1, -1]]), np.array([[0.0, 0, 0, 0, 0]])
    order = np.arange(3)
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 0.0, ANYWHERE, order, 3)
    assert (rows.tolist(), scores.tolist()) == ([0, 2], [0.0, 0.0])


def test_best_by_hand():
    spans, values = np.array([[0, 2, -1, -1], [2, 4, -1, -1]]), np.array([[3.0, 0, 0, 0, 0], [-6.0, 0, 0, 0, 0]])
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 10.0, ANYWHERE, np.array([0, 9, 8, 7]), 2)
    assert (rows.tolist(), scores.tolist()) == ([0, 2], [13.0, 4.0])
    allowed = np.array([False, True, True, True])
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 10.0, allowed, np.array([0, 1, 8, 7]), 2)
    assert (rows.tolist(), scores.tolist()) == ([1, 2], [4.0, 4.0])
    assert spans.tolist() == [[0, 2, -1, -1], [2, 4, -1, -1]]


def test_a_loop_that_cannot_be_kept_is_compiled_all_the_same():
    scope: dict[str, Any] = {}
    exec("def twice(x):\n    return 2 * x", scope)  # a function without a file has no place for a cache
    assert compiled(scope["twice"])(21) == 42
