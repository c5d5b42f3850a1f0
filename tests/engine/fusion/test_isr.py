from fractions import Fraction

from engine.fusion.isr import isr_units
from engine.fusion.units import weigh
from engine.types import Ranking

LISTS = {
    "bm25": Ranking.of("bm25", ["a", "b"], [2.0, 1.0]),
    "dense": Ranking.of("dense", ["b", "c", "a"], [0.9, 0.5, 0.1]),
}


def test_the_sum_of_inverse_squares_times_the_sources_that_returned_it():
    # a: 2 x (1/1 + 1/9) = 20/9; b: 2 x (1/4 + 1/1) = 5/2; c: 1 x 1/4
    fused = weigh(isr_units(LISTS), {"bm25": 1.0, "dense": 1.0})
    assert fused.ids == ("b", "a", "c")
    assert fused.scores.tolist() == [2.5, 20 / 9, 0.25]
    assert fused.contributions["bm25"].tolist() == [0.5, 2.0, 0.0]


def test_a_source_of_weight_zero_neither_adds_nor_counts():
    # a: 1 x 1/1; b: 1 x 1/4
    fused = weigh(isr_units(LISTS), {"bm25": 1.0, "dense": 0.0})
    assert dict(zip(fused.ids, fused.scores.tolist(), strict=True)) == {"a": 1.0, "b": 0.25}


def test_values_are_exact():
    units = isr_units(LISTS)
    assert [[units.exact(row, column) for column in (0, 1)] for row in range(3)] == [
        [1, Fraction(1, 9)],
        [Fraction(1, 4), 1],
        [0, Fraction(1, 4)],
    ]
