from typing import get_args

import pytest

from engine.fusion.registry import FUSIONS, NORMALISERS, PRESETS, summary
from engine.types import ChannelSetup, FusionName, NormaliserName, Setup


def test_every_name_that_a_setup_may_hold_is_there_and_described():
    assert tuple(FUSIONS) == get_args(FusionName)
    assert tuple(NORMALISERS) == get_args(NormaliserName)
    for each in (*FUSIONS.values(), *NORMALISERS.values()):
        assert each.label
        assert each.formula
        assert each.source
        assert each.help.endswith(".")
        assert each.help.count(". ") == 0


def test_knobs_are_fields_with_a_title():
    assert all(Setup.model_fields[knob].title for method in FUSIONS.values() for knob in method.knobs)
    assert all(ChannelSetup.model_fields[knob].title for each in NORMALISERS.values() for knob in each.knobs)


def test_a_preset_changes_the_fusion_and_nothing_else():
    rrf, min_max, three_sigma = PRESETS
    setup = Setup(k=20, absence="lowest").with_channel("dense", weight=0.4)
    applied = three_sigma.applied(setup)
    assert (applied.fusion, applied.normaliser, applied.absence) == ("wsum", "three-sigma", "auto")
    assert (applied.k, applied.channel("dense").weight) == (20, 0.4)
    assert [[preset.holds(each.applied(setup)) for preset in PRESETS] for each in PRESETS] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
    assert rrf.holds(Setup(normaliser="z-score"))
    assert not min_max.holds(Setup(fusion="wsum", absence="lowest"))


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(), "RRF · k 60"),
        (Setup(fusion="isr"), "ISR"),
        (Setup(fusion="wsum", normaliser="z-score"), "Weighted sum · Z-score"),
        (Setup(fusion="combmax", absence="true"), "CombMAX · Min-max · absent: true"),
    ],
)
def test_a_summary_names_what_acts(setup, words):
    assert summary(setup) == words
