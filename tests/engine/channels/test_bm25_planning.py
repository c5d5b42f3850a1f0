import numpy as np
import pytest

from engine.channels.bm25_planning import plan_terms

OFFSETS = np.array([0, 2, 5, 6])
OFFSETS.setflags(write=False)  # lists 0, 1, 2 with 2, 3, 1 postings
# the idf by document frequency, exact and folded
IDFS = np.array([[0.0, 3.0, 2.0, 1.0], [0.0, 0.3, 0.2, 0.1]])


def planned(*terms: tuple[int, int, int], delta: float = 0.0) -> tuple[list[list[int]], list[list[float]], float]:
    """The plan of terms given as (exact list, folded list, occurrences)."""
    spans, values, base = plan_terms(OFFSETS, IDFS, np.array(terms, dtype=np.int64).reshape(-1, 3), delta)
    return spans.tolist(), values.tolist(), base


def test_a_term_weighs_its_idf_as_often_as_it_occurs():
    spans, values, base = planned((0, 0, 1), (2, 2, 3))
    assert spans == [[0, 2, -1, -1], [5, 6, -1, -1]]
    assert [row[0] for row in values] == [2.0, 3 * 3.0]
    assert base == 0.0


def test_one_form_alone_is_weighted_in_its_own_space():
    spans, values, base = planned((-1, 1, 1), (0, -1, 1))
    assert spans == [[2, 5, -1, -1], [0, 2, -1, -1]]
    assert [row[0] for row in values] == [0.1, 2.0]
    assert base == 0.0
    assert planned((-1, 1, 1), (0, -1, 2), delta=1.0)[2] == pytest.approx(0.1 + 2 * 2.0)


def test_two_forms_without_and_with_delta():
    spans, values, base = planned((0, 1, 1))
    assert (spans, values, base) == ([[0, 2, 2, 5]], [[2.0, 0.0, 0.1, 0.0, -np.inf]], 0.0)
    # delta 1: a chunk without either form gets the larger idf, 2; a folded match then starts 1.9 lower
    spans, values, base = planned((0, 1, 1), delta=1.0)
    assert base == 2.0
    assert values[0] == pytest.approx([2.0, 0.0, 0.1, -1.9, 0.0])


def test_a_shared_list_takes_the_better_idf():
    floored = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 0.5]])
    spans, values, _ = plan_terms(OFFSETS, floored, np.array([[0, 0, 1]]), 0.0)
    assert spans.tolist() == [[0, 2, -1, -1]]
    assert values[0, 0] == 0.5


def test_nothing_asked_is_nothing_planned():
    assert planned() == ([], [], 0.0)
