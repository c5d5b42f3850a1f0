import random
from fractions import Fraction
from itertools import groupby

import numpy as np

from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.ties import RULE, Tie, exact_ties
from tests.engine.sensitivity.plain_fusion import as_fractions, random_case, random_weight, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def test_mirrored_ranks_tie_and_the_id_decides():
    # b (1, 2) and a (2, 1): 1/61 + 1/62 = 123/3782 each; c and d have 1/63 each
    units = rrf_units(rankings_of({"bm25": ["b", "a", "c"], "dense": ["a", "b", "d"]}), 60.0)
    assert exact_ties(units, EVEN, 10) == (Tie(("a", "b"), 1, F(123, 3782)), Tie(("c", "d"), 3, F(1, 63)))
    assert RULE == "Equal scores go by id, ascending."
    assert [tie.place for tie in exact_ties(units, EVEN, 2)] == [1]
    assert [tie.ids for tie in exact_ties(units, EVEN, 3)] == [("a", "b"), ("c", "d")]  # it goes across the edge


def test_what_floating_point_rounds_together_or_apart_is_told_right():
    # 0.1 + 0.2 is 0.3; 0.3 + 1e-17 is not, though no float lies between
    table = np.array([[0.1, 0.2], [0.3, 0.0], [0.3, 1e-17]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[3, 1], [2, 0], [1, 2]]))
    assert [tie.ids for tie in exact_ties(units, {"one": 1.0, "two": 1.0}, 3)] == [("a", "b")]
    assert exact_ties(units, {"one": 1.0, "two": 1.0}, 1) == ()


def test_none_without_chunks_or_weights():
    units = rrf_units(rankings_of({"bm25": ["a"], "dense": ["b"]}), 60.0)
    assert exact_ties(units, {"bm25": 0.0, "dense": 0.0}, 5) == ()
    assert exact_ties(units, {"bm25": 1.0, "dense": 0.0}, 5) == ()
    assert exact_ties(rrf_units(rankings_of({"bm25": [], "dense": []}), 60.0), EVEN, 5) == ()


def test_agrees_with_fractions():
    for seed in range(200):
        rng = random.Random(seed)
        units, lists, values, by_matches = random_case(rng, 2, 20)
        weights = {name: random_weight(rng) for name in lists}
        exact, n = as_fractions(weights), rng.choice([1, 3, 10])
        used = [name for name in lists if weights[name] > 0]
        scores = {}
        for i in {i for name in used for i in lists[name]}:
            matches = sum(i in lists[name] for name in used) if by_matches else 1
            scores[i] = matches * sum(exact[name] * values[name].get(i, F(0)) for name in used)
        expected, place = [], 1
        for score, tied in groupby(sorted(scores, key=lambda i: (-scores[i], i)), key=scores.get):
            ids = tuple(tied)
            if len(ids) > 1 and place <= n:
                expected.append(Tie(ids, place, score))
            place += len(ids)
        assert exact_ties(units, weights, n) == tuple(expected)
