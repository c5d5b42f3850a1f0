import random

from engine.fusion.rrf import fuse_rrf, rrf_units
from engine.sensitivity.weight_course import first_rows, lines_at, weight_course
from tests.engine.sensitivity.plain_fusion import PlainFusion, as_fractions, random_case, random_weight, rankings_of

EVEN = {"bm25": 1.0, "dense": 1.0}


def test_the_list_at_zero_is_that_of_the_other_sources():
    units = rrf_units(rankings_of({"bm25": ["b"], "dense": ["a", "c"]}), 60.0)
    course = weight_course(units, EVEN, "dense", 3)
    assert course.at[0] == (1,)
    assert course.between[0] == (1, 0, 2)
    assert weight_course(units, EVEN, "dense", 3, low=1).at[0] == (0, 1, 2)
    assert weight_course(units, EVEN, "dense", 2, members=True).at[0] == (1,)


def test_the_first_rows_are_the_fused_list():
    rankings = rankings_of({"bm25": ["b", "a"], "dense": ["a", "c"]})
    units = rrf_units(rankings, 60.0)
    fused = fuse_rrf(rankings, EVEN, 60.0)
    assert tuple(units.ids[row] for row in first_rows(units, EVEN, 9)) == fused.ids == ("a", "b", "c")
    assert first_rows(units, {"bm25": 0.0, "dense": 0.0}, 9) == ()
    assert lines_at(units, {"bm25": 0.0, "dense": 0.0}, 9) is None


def test_the_first_rows_agree_with_fractions():
    for seed in range(200):
        rng = random.Random(seed)
        units, lists, values, by_matches = random_case(rng, 3, 20)
        weights, n = {name: random_weight(rng) for name in lists}, rng.choice([1, 5, 100])
        expected = PlainFusion(lists, values, by_matches).order(as_fractions(weights))[:n]
        assert [units.ids[row] for row in first_rows(units, weights, n)] == expected
