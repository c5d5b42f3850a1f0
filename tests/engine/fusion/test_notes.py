import pytest

from engine.fusion.notes import fusion_notes
from engine.types import Ranking, Setup

ONE = {"bm25": Ranking.of("bm25", ["a"], [9.0]), "dense": Ranking.of("dense", ["a"], [0.9])}


def notes(setup):
    return {note.code: note.text for note in fusion_notes(ONE, setup)}


def test_defaults_say_nothing():
    assert notes(Setup()) == {}
    assert notes(Setup(fusion="wsum")) == {}


@pytest.mark.parametrize(
    ("setup", "code", "text"),
    [
        (Setup(fusion="wsum", k=10), "idle-k", "RRF k has no effect: Weighted sum does not use it."),
        (Setup(normaliser="sum"), "idle-normaliser", "Normaliser has no effect: RRF does not use it."),
        (Setup(fusion="borda", absence="true"), "idle-absence", "Absent chunks has no effect: Borda count"),
        (Setup(fusion="wsum").with_channel("dense", floor=0.2), "idle-floor", "The floor of dense has no effect"),
        (Setup(fusion="combmnz", normaliser="z-score"), "agreement-punished", "agreement pushes a chunk down"),
        (Setup().with_channel("bm25", weight=0).with_channel("dense", weight=0), "no-weight", "Every weight is 0"),
    ],
)
def test_what_does_nothing_or_misleads_is_said(setup, code, text):
    found = notes(setup)
    assert list(found) == [code]
    assert text in found[code]


def test_knobs_that_act_are_not_called_idle():
    assert notes(Setup(k=10)) == {}
    assert notes(Setup(fusion="wsum", normaliser="floor", absence="true").with_channel("dense", floor=0.2)) == {}


@pytest.mark.parametrize(
    ("setup", "highest"),
    [
        (Setup(fused_threshold=0.5), "0.032787"),  # 2 / 61
        (Setup(fused_threshold=2.5, fusion="wsum"), "2.000000"),
        (Setup(fused_threshold=4.5, fusion="combmnz"), "4.000000"),
        (Setup(fused_threshold=2.5, fusion="borda"), "2.000000"),  # one candidate, one point each
    ],
)
def test_a_threshold_out_of_reach_names_the_highest_score_of_its_fusion(setup, highest):
    assert highest in notes(setup)["fused-threshold-too-high"]
    lower = setup.model_copy(update={"fused_threshold": float(highest) - 0.001})
    assert notes(lower) == {}
