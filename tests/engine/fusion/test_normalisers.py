from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.fusion.normalisers import NORMALISERS, Inputs
from engine.types import Ranking


def inputs(*scores, floor=0.0):
    return Inputs.of(Ranking.of("dense", [f"d{row:04}" for row in range(len(scores))], list(scores)), floor)


def test_inputs_are_what_a_reader_would_compute():
    # 2, 4, 6: mean 4, deviation sqrt((4 + 0 + 4) / 3)
    found = inputs(6.0, 4.0, 2.0, floor=-1.0)
    assert (found.minimum, found.maximum, found.mean, found.total, found.floor) == (2.0, 6.0, 4.0, 12.0, -1.0)
    assert found.deviation == pytest.approx(sqrt(8 / 3))


SQRT = sqrt(1.5)  # (6 - 4) / sqrt(8 / 3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("min-max", [1.0, 0.5, 0.0]),  # (s - 2) / 4
        ("floor", [1.0, 4 / 6, 2 / 6]),  # (s - 0) / 6
        ("maximum", [1.0, 4 / 6, 2 / 6]),  # s / 6
        ("sum", [0.5, 4 / 12, 2 / 12]),  # s / 12
        ("z-score", [SQRT, 0.0, -SQRT]),  # (s - 4) / sqrt(8 / 3)
        ("three-sigma", [0.5 + SQRT / 6, 0.5, 0.5 - SQRT / 6]),  # 0.5 + z / 6
        ("rank", [1.0, 2 / 3, 1 / 3]),
    ],
)
def test_a_list_of_three(name, expected):
    assert NORMALISERS[name].listed(inputs(6.0, 4.0, 2.0)) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    ("name", "value"),
    [("min-max", 1), ("floor", 1), ("maximum", 1), ("sum", 1 / 4), ("z-score", 0), ("three-sigma", 0.5)],
)
@pytest.mark.parametrize("score", [0.0, 0.1, 7.2])
def test_a_constant_list(name, value, score):
    # 0.1 + 0.1 + 0.1 is no 0.3 in floats: no deviation may come of that
    assert NORMALISERS[name].listed(inputs(*[score] * 4)).tolist() == [value] * 4
    single = NORMALISERS[name].listed(inputs(score)).tolist()
    assert single == [1.0 if name == "sum" else value]


def test_a_constant_list_of_three_holds_decimals_too():
    assert NORMALISERS["sum"].listed(inputs(2.0, 2.0, 2.0)).tolist() == [0.333333333333] * 3


@pytest.mark.parametrize("normaliser", NORMALISERS.values(), ids=NORMALISERS)
def test_an_empty_list_has_no_values_and_absent_chunks_get_nothing(normaliser):
    empty = inputs()
    assert normaliser.listed(empty).tolist() == []
    assert (normaliser.absent(empty), normaliser.lowest(empty)) == (0.0, 0.0)
    assert normaliser.true(np.array([0.3, np.nan]), empty).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["maximum", "sum"])
def test_scores_below_zero_are_refused_where_they_would_turn_the_scale_round(name):
    with pytest.raises(BadInput, match=r"scores of dense go down to -0\.2; the normaliser '\w+' takes none below 0"):
        NORMALISERS[name].listed(inputs(0.5, -0.2))
    with pytest.raises(BadInput, match=r"go down to -0\.2"):
        NORMALISERS[name].true(np.array([0.1, -0.2]), inputs(0.5, 0.4))


def test_the_fixed_floor_is_zero_and_all_below_it():
    floor = NORMALISERS["floor"]
    # (s + 1) / (0.8 + 1)
    assert floor.listed(inputs(0.8, -0.1, floor=-1.0)) == pytest.approx(np.array([1.0, 0.5]))
    assert floor.listed(inputs(0.9, 0.6, 0.2, floor=0.3)) == pytest.approx(np.array([1.0, 0.5, 0.0]))
    assert floor.listed(inputs(0.2, 0.1, floor=0.3)).tolist() == [0.0, 0.0]
    assert floor.listed(inputs(0.3, 0.1, floor=0.3)).tolist() == [0.0, 0.0]


def test_absent_chunks_get_zero_or_where_that_is_the_average_the_lowest():
    values = {name: each.absent(inputs(6.0, 4.0, 2.0)) for name, each in NORMALISERS.items()}
    assert values == {
        **dict.fromkeys(("min-max", "floor", "maximum", "sum", "rank"), 0.0),
        "z-score": pytest.approx(-SQRT),
        "three-sigma": pytest.approx(0.5 - SQRT / 6),
    }


def test_true_scores_stand_on_the_scale_of_the_list():
    # list 6, 4, 2; true scores 1, none, 0
    true = np.array([1.0, np.nan, 0.0])
    found = {name: each.true(true, inputs(6.0, 4.0, 2.0)).tolist() for name, each in NORMALISERS.items()}
    deviation = sqrt(8 / 3)
    assert found["min-max"] == pytest.approx([-0.25, 0, -0.5])
    assert found["floor"] == found["maximum"] == pytest.approx([1 / 6, 0, 0])
    assert found["sum"] == pytest.approx([1 / 12, 0, 0])
    assert found["z-score"] == pytest.approx([-3 / deviation, -SQRT, -4 / deviation])
    assert found["three-sigma"] == pytest.approx([0.5 - 3 / deviation / 6, 0.5 - SQRT / 6, 0.5 - 4 / deviation / 6])
    assert found["rank"] == [0.0, 0.0, 0.0]


def test_a_true_rank_stands_behind_the_listed_chunks_that_score_no_less():
    # of 6, 4, 2: 5 comes second, 4 behind the listed 4, 7 first
    assert NORMALISERS["rank"].true(np.array([5.0, 4.0, 7.0]), inputs(6.0, 4.0, 2.0)) == pytest.approx(
        np.array([2 / 3, 1 / 3, 1.0])
    )


def test_a_list_without_a_scale_leaves_true_scores_what_absent_ones_get():
    found = {name: each.true(np.array([0.05]), inputs(0.1, 0.1, 0.1)).tolist() for name, each in NORMALISERS.items()}
    assert found == {
        "min-max": [0.0],
        "floor": [0.5],  # 0.05 / 0.1: it has one from the floor
        "maximum": [0.5],
        "sum": [pytest.approx(0.05 / 0.3)],
        "z-score": [0.0],
        "three-sigma": [0.5],
        "rank": [0.0],
    }


def test_differences_too_small_for_a_deviation_are_none():
    assert NORMALISERS["z-score"].listed(inputs(3e-200, 1e-200)).tolist() == [0.0, 0.0]


@given(
    st.sampled_from(sorted(NORMALISERS)),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.floats(-1e6, 1e6),
)
def test_values_fall_with_the_scores_and_end_where_they_should(name, scores, floor):
    normaliser = NORMALISERS[name]
    if normaliser.refuses_negative:
        scores = [abs(score) for score in scores]
    values = normaliser.listed(inputs(*scores, floor=floor))
    assert (np.diff(values) <= 0).all()
    assert np.array_equal(values, np.round(values, 12))
    assert values.max() <= normaliser.highest(len(scores)) + 1e-9
    if normaliser.from_zero:
        assert values.min() >= 0
