import pytest

from engine.cli.options import channel_setups, filters, pairs, validated
from engine.errors import BadInput
from engine.types import ChannelSetup, Filter, Setup

NOTHING = {"depth": None, "weight": None, "threshold": None}


def test_each_channel_gets_its_own_knobs():
    made = channel_setups(("bm25", "dense"), depth=["50", "dense=20"], weight=["bm25=0.3"], threshold=["dense=0.25"])
    assert made == (
        ChannelSetup(name="bm25", weight=0.3, depth=50),
        ChannelSetup(name="dense", depth=20, threshold=0.25),
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
