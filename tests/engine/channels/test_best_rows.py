import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.channels.best_rows import best_rows


def test_ties_at_the_cut_go_by_the_tie_order():
    # 0.9 is first; of the three at 0.5 the one that is first in the tie order takes the second place.
    scores = np.array([0.5, 0.9, 0.5, 0.1, 0.5])
    assert best_rows(scores, np.array([3, 4, 0, 1, 2]), 2).tolist() == [1, 2]
    assert best_rows(scores, np.array([3, 4, 0, 1, 2]), 4).tolist() == [1, 2, 4, 0]


@pytest.mark.parametrize(("count", "expected"), [(0, []), (-1, []), (1, [1]), (2, [1, 0]), (10, [1, 0])])
def test_the_count_is_held_to_what_there_is(count, expected):
    assert best_rows(np.array([0.1, 0.2]), np.array([0, 1]), count).tolist() == expected


def test_no_scores_give_no_rows():
    assert best_rows(np.empty(0), np.empty(0, dtype=np.int64), 5).tolist() == []


@given(st.lists(st.sampled_from([-0.5, 0.0, 0.25, 1.0]), max_size=30), st.integers(0, 40), st.randoms())
def test_the_best_are_those_of_a_full_sort(scores, count, random):
    tie_order = list(range(len(scores)))
    random.shuffle(tie_order)
    full = sorted(range(len(scores)), key=lambda row: (-scores[row], tie_order[row]))
    best = best_rows(np.array(scores, dtype=np.float64), np.array(tie_order, dtype=np.int64), count)
    assert best.tolist() == full[:count]
