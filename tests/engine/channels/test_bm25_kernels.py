from typing import Any

import numpy as np

from engine.channels.bm25_kernels import best_rows, compiled, sum_all


def frozen(values: Any, kind: type) -> np.ndarray:
    """A read-only array: the kind for which the loops are compiled already."""
    array = np.array(values, dtype=kind)
    array.setflags(write=False)
    return array


ROWS, CODES = frozen([0, 2, 1, 2], np.uint32), frozen([0, 1, 0, 1], np.uint16)
GAINS = np.array([1.0, 2.0])
ANYWHERE = frozen([], np.bool_)


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
    order = frozen([0, 1, 2], np.int64)
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 0.0, ANYWHERE, order, 3)
    assert (rows.tolist(), scores.tolist()) == ([0, 2], [0.0, 0.0])


def test_best_by_hand():
    spans, values = np.array([[0, 2, -1, -1], [2, 4, -1, -1]]), np.array([[3.0, 0, 0, 0, 0], [-6.0, 0, 0, 0, 0]])
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 10.0, ANYWHERE, frozen([0, 9, 8, 7], np.int64), 2)
    assert (rows.tolist(), scores.tolist()) == ([0, 2], [13.0, 4.0])
    allowed = frozen([False, True, True, True], np.bool_)
    rows, scores = best_rows(ROWS, CODES, GAINS, spans, values, 10.0, allowed, frozen([0, 1, 8, 7], np.int64), 2)
    assert (rows.tolist(), scores.tolist()) == ([1, 2], [4.0, 4.0])
    assert spans.tolist() == [[0, 2, -1, -1], [2, 4, -1, -1]]


def test_a_loop_that_cannot_be_kept_is_compiled_all_the_same():
    scope: dict[str, Any] = {}
    exec("def twice(x):\n    return 2 * x", scope)  # a function without a file has no place for a cache
    assert compiled(scope["twice"])(21) == 42


def test_the_best_of_many_equal_and_unequal_scores():
    # row r scores r % 7; ties go by the order given: 1,000 rows, kept in batches and sorted at the end
    count = 1_000
    rows = frozen(range(count), np.uint32)
    codes = frozen([row % 7 for row in range(count)], np.uint16)
    order = frozen(np.random.default_rng(5).permutation(count), np.int64)
    spans, values = np.array([[0, count, -1, -1]]), np.array([[1.0, 0, 0, 0, 0]])
    expected = sorted(range(count), key=lambda row: (-(row % 7), order[row]))
    for most in (1, 2, 63, 64, 65, 500, 999, 1_000, 5_000):
        found, scores = best_rows(rows, codes, np.arange(7.0), spans, values, 0.0, ANYWHERE, order, most)
        assert found.tolist() == expected[:most]
        assert scores.tolist() == [float(row % 7) for row in expected[:most]]
