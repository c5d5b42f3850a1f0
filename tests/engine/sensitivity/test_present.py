import random
from fractions import Fraction

import numpy as np

from engine.fusion.rrf import fuse_rrf, rrf_units
from engine.fusion.units import Units
from engine.sensitivity.present import first_rows, present_of
from engine.sensitivity.ties import exact_ties
from tests.engine.sensitivity.plain_fusion import PlainFusion, as_fractions, random_case, random_weight, rankings_of

EVEN = {"bm25": 1.0, "dense": 1.0}


def test_scores_are_exact_and_only_of_chunks_that_a_used_source_returned():
    # a counts twice: 2 (1 x 0.5 + 2 x 0.25); b once: 0.75; c is only in the third
    table = np.array([[0.5, 0.25, 0.0], [0.75, 0.0, 0.0], [0.0, 0.0, 1.0]])
    ranks = np.array([[2, 1, 0], [1, 0, 0], [0, 0, 1]])
    units = Units(("a", "b", "c"), ("one", "two", "three"), table, ranks, by_matches=True)
    present = present_of(units, {"one": 1.0, "two": 2.0, "three": 0.0})
    assert present.rows.tolist() == [0, 1]
    assert [present.score(row) for row in (0, 1)] == [Fraction(2), Fraction(3, 4)]
    assert present.scores.tolist() == [1.0, 0.375]


def test_parts_that_cancel_leave_rounding_errors_that_decide_nothing():
    # a = 0.1 + 0.2 - 0.3 = 0, in floats 5.6e-17; b = 1e-17, c = -1e-17
    table = np.array([[0.1, 0.2, -0.3], [1e-17, 0.0, 0.0], [-1e-17, 0.0, 0.0]])
    units = Units(("a", "b", "c"), ("one", "two", "three"), table, np.array([[1, 1, 1], [2, 0, 0], [3, 0, 0]]))
    even = {"one": 1.0, "two": 1.0, "three": 1.0}
    assert first_rows(units, even, 3) == (1, 0, 2)
    assert exact_ties(units, even, 3) == ()


def test_the_first_rows_are_the_fused_list():
    rankings = rankings_of({"bm25": ["b", "a"], "dense": ["a", "c"]})
    units = rrf_units(rankings, 60.0)
    fused = fuse_rrf(rankings, EVEN, 60.0)
    assert tuple(units.ids[row] for row in first_rows(units, EVEN, 9)) == fused.ids == ("a", "b", "c")
    assert first_rows(units, {"bm25": 0.0, "dense": 0.0}, 9) == ()
    assert len(present_of(units, {"bm25": 0.0, "dense": 0.0}).rows) == 0


def test_the_first_rows_agree_with_fractions():
    for seed in range(200):
        rng = random.Random(seed)
        units, lists, values, by_matches = random_case(rng, 3, 20)
        weights, n = {name: random_weight(rng) for name in lists}, rng.choice([1, 5, 100])
        expected = PlainFusion(lists, values, by_matches).order(as_fractions(weights))[:n]
        assert [units.ids[row] for row in first_rows(units, weights, n)] == expected
