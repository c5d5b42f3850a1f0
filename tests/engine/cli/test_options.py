import inspect

import pytest

from engine.cli import evaluate, search
from engine.cli.options import SetupOptions, channel_setups, filters, pairs, validated
from engine.errors import BadInput
from engine.types import Bm25Setup, ChannelSetup, Filter, RerankSetup, Setup

NOTHING = {"depth": None, "weight": None, "threshold": None, "floor": None}


def test_each_channel_gets_its_own_knobs():
    made = channel_setups(
        ("bm25", "dense"),
        depth=["50", "dense=20"],
        weight=["bm25=0.3"],
        threshold=["dense=0.25"],
        floor=["dense=-0.5"],
    )
    assert made == (
        ChannelSetup(name="bm25", weight=0.3, depth=50),
        ChannelSetup(name="dense", depth=20, threshold=0.25, floor=-0.5),
    )
    # as everywhere on a command line, of two values of one knob the later one holds
    for given in (["bm25=9", "bm25=10"], ["bm25=10", "bm25=9"]):
        (last,) = channel_setups(("bm25",), **{**NOTHING, "depth": given})
        assert last.depth == int(given[-1].removeprefix("bm25="))
    assert channel_setups(("bm25",), **NOTHING) == (ChannelSetup(name="bm25"),)


@pytest.mark.parametrize(
    ("knobs", "reason"),
    [
        ({"weight": ["dense"]}, "--weight 'dense' is not of the form name=value"),
        ({"weight": ["splade=1"]}, "no channel 'splade'"),
        ({"weight": ["bm25=heavy"]}, "weight = 'heavy'"),
        ({"weight": ["bm25=nan"]}, "weight = 'nan'"),
        ({"depth": ["0"]}, "depth = '0'"),
    ],
)
def test_what_cannot_be_a_knob_is_refused(knobs, reason):
    with pytest.raises(BadInput, match=reason):
        channel_setups(("bm25", "dense"), **{**NOTHING, **knobs})


def test_values_of_one_filter_field_are_alternatives():
    assert filters(["language=fr", "domain=a=b", "language=es"]) == (
        Filter(field="language", values=("fr", "es")),
        Filter(field="domain", values=("a=b",)),
    )
    assert filters(None) == ()


def test_pairs_keep_everything_after_the_first_equals_sign():
    assert pairs("map", ["id=a=b"]) == {"id": "a=b"}


def test_validated_names_the_knob_and_the_value():
    with pytest.raises(BadInput, match=r"k = 0\.0: Input should be greater than 0"):
        validated(Setup, k=0.0)


def test_options_left_alone_are_the_default_setup():
    assert SetupOptions().setup(("bm25", "dense")) == Setup()


def test_values_that_are_not_possible_together_are_told_plainly():
    with pytest.raises(BadInput, match=r"^Absent chunks cannot get 0 under z-score, where 0 is the average\."):
        SetupOptions(normaliser="z-score", absence="zero").setup(("bm25",))


@pytest.mark.parametrize("command", [search, evaluate], ids=lambda module: module.__name__.rpartition(".")[2])
def test_commands_share_every_option_of_a_setup(command):
    (function,) = command.COMMANDS
    asked = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    shared = {name: each.default for name, each in inspect.signature(SetupOptions).parameters.items()}
    assert shared.items() <= asked.items()
    assert "options" not in asked


def test_every_knob_has_an_option():
    options = set(SetupOptions.__dataclass_fields__)
    assert set(Setup.model_fields) - {"channels", "bm25", "filters", "shown"} <= options
    assert set(ChannelSetup.model_fields) - {"name"} <= options
    assert set(Bm25Setup.model_fields) <= options
    assert {f"rerank_{name}" for name in RerankSetup.model_fields if name != "model"} <= options
