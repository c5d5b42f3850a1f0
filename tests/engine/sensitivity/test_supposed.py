from fractions import Fraction

import numpy as np

from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.supposed import SupposedScores
from tests.engine.sensitivity.plain_fusion import rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def test_a_score_at_ranks_that_a_chunk_does_not_have():
    # k = 1: a (1, 2) has 1/2 + 1/3; with rank 1 in dense 1/2 + 1/2, without dense 1/2
    scores = SupposedScores(rrf_units(rankings_of({"bm25": ["a"], "dense": ["b", "a"]}), 1.0), EVEN)
    assert scores.depths == [1, 2]
    assert [scores.total(ranks, 0) for ranks in ({}, {1: 1}, {1: 0})] == [F(5, 6), F(1), F(1, 2)]
    assert scores.total({0: 1}) == F(1, 2)
    assert scores.reaches({0: 1, 1: 2}, F(5, 6))
    assert not scores.reaches({0: 1, 1: 2}, F(5, 6) + F(1, 10**30))


def test_a_source_without_weight_finds_nothing_and_adds_nothing():
    units = rrf_units(rankings_of({"bm25": ["a"], "dense": ["b", "a"]}), 1.0)
    scores = SupposedScores(units, {"bm25": 0.0, "dense": 2.0})
    assert scores.weights == {1: F(2)}
    assert not scores.is_found({1: 0}, 0)
    assert scores.is_found({}, 0)
    assert scores.total({0: 1}) == 0


def test_what_a_source_adds_to_a_chunk_that_it_did_not_return():
    table = np.array([[1.0, 0.1], [0.5, 0.1], [0.2, 0.9]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[1, 0], [2, 0], [0, 1]]))
    scores = SupposedScores(units, {"one": 1.0, "two": 1.0})
    assert (scores.absent(0), scores.absent(1)) == (F(1, 5), F(1, 10))
    assert scores.total({0: 1}) == F(11, 10)
    unlike = Units(units.ids, units.sources, np.array([[1.0, 0.1], [0.5, 0.3], [0.2, 0.9]]), units.ranks)
    assert SupposedScores(unlike, {"one": 1.0, "two": 1.0}).absent(1) is None


def test_matches_multiply():
    table = np.array([[1.0, 0.5], [0.5, 0.0]])
    units = Units(("a", "b"), ("one", "two"), table, np.array([[1, 1], [2, 0]]), by_matches=True)
    scores = SupposedScores(units, {"one": 1.0, "two": 1.0})
    assert [scores.total({}, row) for row in (0, 1)] == [F(3), F(1, 2)]
    assert scores.total({1: 1}, 1) == 2
    assert scores.reaches({0: 2, 1: 1}, F(2))
