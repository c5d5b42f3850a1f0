import numpy as np

from engine.fusion.combmax import weigh_highest
from engine.fusion.units import Units


def units(values, ranks):
    return Units(tuple("abcdef"[: len(values)]), ("one", "two"), np.array(values, dtype=float), np.array(ranks))


def test_the_score_is_the_highest_weighted_value_and_all_of_it_from_one_source():
    # a: max(0.5 x 1, 2 x 0.2) = 0.5; b: max(0.5 x 0, 2 x 0.7) = 1.4
    fused = weigh_highest(units([[1.0, 0.2], [0.0, 0.7]], [[1, 2], [0, 1]]), {"one": 0.5, "two": 2.0})
    assert [(hit.chunk_id, hit.score, dict(hit.contributions)) for hit in fused.hits()] == [
        ("b", 1.4, {"one": 0.0, "two": 1.4}),
        ("a", 0.5, {"one": 0.5, "two": 0.0}),
    ]


def test_of_equal_values_the_first_source_has_it():
    fused = weigh_highest(units([[0.5, 0.5]], [[1, 1]]), {"one": 1.0, "two": 1.0})
    assert dict(fused.hits()[0].contributions) == {"one": 0.5, "two": 0.0}


def test_weight_zero_never_wins_even_against_values_below_zero():
    below = units([[-1.5, 9.0], [0.0, 9.0]], [[1, 1], [0, 2]])
    fused = weigh_highest(below, {"one": 1.0, "two": 0.0})
    assert (fused.ids, fused.scores.tolist()) == (("a",), [-1.5])
    assert fused.contributions["two"].tolist() == [0.0]


def test_products_that_are_one_number_tie():
    # 0.3 x 0.3 and 0.1 x 0.9 are both 0.09, but not in floats, which would put b first
    assert 0.3 * 0.3 < 0.1 * 0.9
    fused = weigh_highest(units([[0.3, 0.0], [0.0, 0.9]], [[1, 0], [0, 1]]), {"one": 0.3, "two": 0.1})
    assert fused.ids == ("a", "b")
    assert fused.scores[0] == fused.scores[1]


def test_nothing_fuses_to_nothing():
    assert len(weigh_highest(units([[1.0, 1.0]], [[1, 1]]), {"one": 0.0, "two": 0.0})) == 0
