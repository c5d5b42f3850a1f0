from fractions import Fraction

import pytest

from engine.fusion.borda import borda_units
from engine.fusion.units import weigh
from engine.types import Ranking


def lists(**ids):
    return {name: Ranking.of(name, each, [-float(row) for row in range(len(each))]) for name, each in ids.items()}


def fused(rankings, **weights):
    ranking = weigh(borda_units(rankings), {name: weights.get(name, 1.0) for name in rankings})
    return dict(zip(ranking.ids, ranking.scores.tolist(), strict=True))


def test_points_fall_from_the_number_of_candidates_and_the_rest_is_shared():
    # 5 candidates. bm25 [e, d]: e 5, d 4, and a, b, c share 3 + 2 + 1: 2 each. dense [a, b, c, d]: 5, 4, 3, 2; e 1.
    assert fused(lists(bm25="ed", dense="abcd")) == {"a": 7.0, "b": 6.0, "d": 6.0, "e": 6.0, "c": 5.0}


def test_a_source_that_found_nothing_gives_every_candidate_the_same():
    # 2 candidates: bm25 2 and 1; dense shares 2 + 1: 1.5 each
    assert fused(lists(bm25="ab", dense="")) == {"a": 3.5, "b": 2.5}


def test_all_points_are_given_out():
    # each source gives 1 + 2 + 3 + 4 = 10
    assert sum(fused(lists(bm25="ab", dense="cad")).values()) == pytest.approx(20)


def test_weight_zero_brings_no_chunk_but_leaves_the_scale_as_it_is():
    # 3 candidates, also with bm25 alone: a 3, b 2, and c is not brought
    assert fused(lists(bm25="ab", dense="bc"), dense=0.0) == {"a": 3.0, "b": 2.0}


def test_nothing_fuses_to_nothing():
    assert fused(lists(bm25="", dense="")) == {}


def test_half_points_are_exact():
    units = borda_units(lists(bm25="a", dense="bc"))
    # 3 candidates: bm25 a 3, others (3 - 1 + 1) / 2 = 1.5; dense b 3, c 2, a (3 - 2 + 1) / 2 = 1
    assert [[units.exact(row, column) for column in (0, 1)] for row in range(3)] == [
        [3, 1],
        [Fraction(3, 2), 3],
        [Fraction(3, 2), 2],
    ]
