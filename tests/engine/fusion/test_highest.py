import pytest

from engine.fusion.fuse import fuse
from engine.fusion.highest import highest_score
from engine.types import Ranking, Setup

TWO = {
    "bm25": Ranking.of("bm25", list("abc"), [9.0, 5.0, 1.0]),
    "dense": Ranking.of("dense", list("abd"), [0.9, 0.5, 0.1]),
}
HALF = Setup().with_channel("dense", weight=0.5)


@pytest.mark.parametrize(
    ("knobs", "highest"),
    [
        ({}, 1.5 / 61),
        ({"k": 1.0}, 1.5 / 2),
        ({"fusion": "isr"}, 2 * (1 + 0.5)),
        ({"fusion": "borda"}, 4 * 1.5),
        ({"fusion": "wsum"}, 1.5),
        ({"fusion": "combmnz"}, 2 * 1.5),
        ({"fusion": "combmax"}, 1.0),
        ({"fusion": "wsum", "normaliser": "z-score"}, 1.5 * 2**0.5),  # the root of 3 - 1
        ({"fusion": "wsum", "normaliser": "three-sigma"}, 1.5 * (0.5 + 2**0.5 / 6)),
    ],
)
def test_first_everywhere(knobs, highest):
    setup = HALF.model_copy(update=knobs)
    assert highest_score(TWO, setup) == pytest.approx(highest)
    assert fuse(TWO, setup, {}).scores[0] <= highest + 1e-12


def test_a_first_place_in_every_list_reaches_it():
    for knobs in ({}, {"fusion": "isr"}, {"fusion": "borda"}, {"fusion": "wsum"}, {"fusion": "combmax"}):
        setup = HALF.model_copy(update=knobs)
        assert fuse(TWO, setup, {}).scores[0] == pytest.approx(highest_score(TWO, setup))


def test_weight_zero_and_no_lists():
    assert highest_score(TWO, Setup(fusion="combmnz").with_channel("dense", weight=0)) == 1.0
    assert highest_score({}, Setup()) == highest_score({}, Setup(fusion="combmax")) == 0
