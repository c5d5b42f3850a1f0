"""Field cases 13, 14, 16, 19 and 23 are here, each with its value."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fusion.rrf import fuse_rrf, rrf_units
from engine.types import Ranking


def listed(source, ids):
    return Ranking.of(source, ids, [float(len(ids) - row) for row in range(len(ids))])


def fuse(bm25, dense, weights=(1.0, 1.0), k=60.0):
    rankings = {"bm25": listed("bm25", bm25), "dense": listed("dense", dense)}
    return fuse_rrf(rankings, dict(zip(rankings, weights, strict=True)), k)


def scores(ranking):
    return {hit.chunk_id: round(hit.score, 6) for hit in ranking.hits()}


def test_absent_chunks_get_nothing_and_ranks_start_at_one():
    # D: 1/62 + 1/64 = 0.016129 + 0.015625; A and E are first in one list: 1/61
    fused = fuse(["E", "D"], ["A", "B", "C", "D"])
    assert scores(fused) == {"D": 0.031754, "A": 0.016393, "E": 0.016393, "B": 0.016129, "C": 0.015873}
    assert fused.ids == ("D", "A", "E", "B", "C")


def test_the_constant_decides_between_agreement_and_first_places():
    lists = (["q1", "q2", "q3", "q4", "S"], ["p1", "p2", "p3", "p4", "S"])
    assert fuse(*lists).hits(1)[0].chunk_id == "S"
    assert scores(fuse(*lists))["S"] == 0.030769
    assert [scores(fuse(*lists, k=1.0))[i] for i in ("p1", "q1", "S")] == [0.5, 0.5, 0.333333]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [((0.8, 0.2), {"A": 0.016341, "B": 0.016182}), ((0.2, 0.8), {"B": 0.016341, "A": 0.016182})],
)
def test_weights_count(weights, expected):
    assert scores(fuse(["A", "B"], ["B", "A"], weights)) == expected


def test_weight_zero_is_a_column_of_zeros_and_brings_no_chunk():
    fused = fuse(["A", "B"], ["B", "C"], (1.0, 0.0))
    assert scores(fused) == {"A": 0.016393, "B": 0.016129}
    assert fused.contributions["dense"].tolist() == [0.0, 0.0]


def test_identity_is_the_id_and_not_the_text():
    assert scores(fuse(["v2"], ["v1"])) == {"v1": 0.016393, "v2": 0.016393}
    assert scores(fuse(["7"], ["7"])) == {"7": 0.032787}


def test_two_equal_lists_reach_two_sixty_firsts_and_no_more():
    assert fuse(["A"], ["A"]).scores[0] == pytest.approx(2 / 61)


def test_nothing_fuses_to_nothing():
    assert len(fuse([], [])) == 0
    assert len(fuse(["A"], ["B"], (0.0, 0.0))) == 0


def test_rationally_equal_scores_are_equal_whatever_floating_point_says():
    # 0.3/8 = 0.1/8 + 0.2/8 in numbers, but not in floats, which would put b first
    assert 0.1 / 8 + 0.2 / 8 > 0.3 / 8
    rankings = {"one": listed("one", ["a"]), "two": listed("two", ["b"]), "three": listed("three", ["b"])}
    fused = fuse_rrf(rankings, {"one": 0.3, "two": 0.1, "three": 0.2}, 7.0)
    assert fused.scores[0] == fused.scores[1]
    assert fused.ids == ("a", "b")


rankings_of_three = st.lists(
    st.lists(st.integers(0, 40), unique=True, max_size=30).map(lambda numbers: [f"d{n}" for n in numbers]),
    min_size=1,
    max_size=3,
)
weights_of_three = st.lists(st.integers(0, 100).map(lambda n: n / 50), min_size=3, max_size=3)


@given(rankings_of_three, weights_of_three, st.sampled_from([0.5, 1.0, 7.0, 60.0, 1000.0]))
def test_agrees_with_rational_arithmetic_and_adds_up(lists, weights, k):
    rankings = {str(n): listed(str(n), ids) for n, ids in enumerate(lists)}
    weight_of = dict(zip(rankings, weights, strict=False))
    fused = fuse_rrf(rankings, weight_of, k)
    exact: dict[str, Fraction] = {}
    for name, ids in zip(rankings, lists, strict=True):
        for rank, chunk_id in enumerate(ids, start=1) if weight_of[name] > 0 else ():
            part = Fraction(repr(weight_of[name])) / (Fraction(repr(k)) + rank)
            exact[chunk_id] = exact.get(chunk_id, Fraction(0)) + part
    assert list(fused.ids) == sorted(exact, key=lambda i: (-exact[i], i))
    assert np.allclose(fused.scores, [float(exact[i]) for i in fused.ids], rtol=1e-12)
    assert np.allclose(sum(fused.contributions.values()), fused.scores)


def test_units_are_exact_for_a_k_as_it_prints():
    units = rrf_units({"bm25": listed("bm25", ["a", "b"]), "dense": listed("dense", ["a"])}, 0.9)
    assert [[units.exact(row, column) for column in (0, 1)] for row in (0, 1)] == [
        [Fraction(10, 19), Fraction(10, 19)],
        [Fraction(10, 29), 0],
    ]
