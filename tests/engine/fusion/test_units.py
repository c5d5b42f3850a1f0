from fractions import Fraction

import numpy as np

from engine.fusion.units import Units, ranks_of, weigh
from engine.types import Ranking


def test_ranks_are_by_id_and_source_and_zero_where_there_is_none():
    one = Ranking.of("one", ["b", "a"], [2.0, 1.0])
    two = Ranking.of("two", ["c", "b"], [2.0, 1.0])
    ids, ranks = ranks_of({"one": one, "two": two})
    assert ids == ("a", "b", "c")
    assert ranks.tolist() == [[2, 0], [1, 2], [0, 1]]
    assert ranks_of({})[0] == ()


def units(values, ranks, **rest):
    ids = tuple("abcdef"[: len(values)])
    return Units(ids, ("one", "two"), np.array(values, dtype=float), np.array(ranks), **rest)


def test_the_score_is_the_weighted_sum_of_what_is_added_at_weight_one():
    # a: 0.5 x 1 + 2 x 0.25 = 1; b: 2 x 0.75 = 1.5
    fused = weigh(units([[1.0, 0.25], [0.0, 0.75]], [[1, 2], [0, 1]]), {"one": 0.5, "two": 2.0})
    assert [(hit.chunk_id, hit.score, dict(hit.contributions)) for hit in fused.hits()] == [
        ("b", 1.5, {"one": 0.0, "two": 1.5}),
        ("a", 1.0, {"one": 0.5, "two": 0.5}),
    ]


def test_a_source_of_weight_zero_brings_no_chunk_even_where_absence_is_worth_something():
    fused = weigh(units([[1.0, 0.25], [0.5, 0.75]], [[1, 2], [0, 1]]), {"one": 1.0, "two": 0.0})
    assert fused.ids == ("a",)


def test_decimals_that_add_up_alike_tie():
    # 0.1 + 0.2 and 0.3 are one number, but not in floats
    fused = weigh(units([[0.1, 0.2], [0.3, 0.0]], [[2, 1], [1, 0]]), {"one": 1.0, "two": 1.0})
    assert fused.scores.tolist() == [0.3, 0.3]
    assert fused.ids == ("a", "b")


def test_by_matches_multiplies_by_the_used_sources_that_returned_the_chunk():
    # a: 2 x (0.5 + 0.25); b: 1 x 0.75; without the second source a: 1 x 0.5
    two = units([[0.5, 0.25], [0.0, 0.75]], [[1, 2], [0, 1]], by_matches=True)
    assert weigh(two, {"one": 1.0, "two": 1.0}).scores.tolist() == [1.5, 0.75]
    assert weigh(two, {"one": 1.0, "two": 0.0}).scores.tolist() == [0.5]


def test_exact_values_are_the_decimals_or_what_the_fusion_says():
    assert units([[0.1, 0.0]], [[1, 0]]).exact(0, 0) == Fraction(1, 10)
    assert units([[0.1, 0.0]], [[3, 0]], rational=lambda column, rank: Fraction(rank, 7)).exact(0, 0) == Fraction(3, 7)


def test_parts_that_cancel_tie_too():
    # 0.3 - 0.2 - 0.1 is 0, but -2.8e-17 in floats, which would put it behind b
    assert 0.3 - 0.2 - 0.1 < 0
    three = Units(
        ("a", "b"), ("one", "two", "three"), np.array([[0.3, -0.2, -0.1], [0.0, 0.0, 0.0]]), np.ones((2, 3), dtype=int)
    )
    fused = weigh(three, {"one": 1.0, "two": 1.0, "three": 1.0})
    assert (fused.ids, fused.scores.tolist()) == (("a", "b"), [0.0, 0.0])
