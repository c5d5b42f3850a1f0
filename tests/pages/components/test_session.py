"""Field case 50: what an address holds comes back as it was, and what it cannot hold falls back with a note."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.types import Absence, Bm25Setup, ChannelSetup, Filter, FusionName, RerankSetup, Setup
from pages.components.session import Session, from_params, to_params

channels = st.builds(
    ChannelSetup,
    name=st.sampled_from(["bm25", "dense"]),
    weight=st.floats(0, 10),
    depth=st.integers(1, 10_000),
    threshold=st.none() | st.floats(-1e6, 1e6),
    floor=st.none() | st.floats(-1e6, 1e6),
)
setups = st.builds(
    Setup,
    channels=st.lists(channels, min_size=2, max_size=2, unique_by=lambda channel: channel.name).map(
        lambda pair: tuple(sorted(pair, key=lambda channel: channel.name))
    ),
    bm25=st.builds(Bm25Setup, k1=st.floats(0, 10), b=st.floats(0, 1), variant=st.sampled_from(["okapi", "lucene"])),
    fusion=st.sampled_from(get_args(FusionName)),
    k=st.floats(0.01, 10_000),
    normaliser=st.sampled_from(["min-max", "floor", "sum", "rank"]),
    absence=st.sampled_from(get_args(Absence)),
    rerank=st.builds(
        RerankSetup,
        model=st.sampled_from(["", "english", "http://127.0.0.1:8/rerank"]),
        depth=st.integers(1, 1_000),
        threshold=st.none() | st.floats(0, 1),
        blend=st.floats(0, 1),
        anyway=st.booleans(),
    ),
    agreement=st.sampled_from(["each", "both", "either"]),
    fused_threshold=st.none() | st.floats(0, 1),
    filters=st.just(()) | st.just((Filter(field="metadata.year", values=("2020", "a&b=c")),)),
    shown=st.integers(1, 1000),
)


def test_weight_and_query_survive_the_link():
    session = Session(query="l'hôpital I21.9", setup=Setup().with_channel("dense", weight=0.7))
    params = to_params(session)
    assert params == {"q": ["l'hôpital I21.9"], "weight.dense": ["0.7"]}
    assert from_params(params) == (session, ())


def test_defaults_are_left_out():
    assert to_params(Session()) == {}
    assert to_params(Session(pinned=Setup())) == {"pin": ["1"]}


@given(setup=setups, pinned=st.none() | setups, view=st.sampled_from(["board", "cards", "table"]))
def test_every_session_comes_back_from_its_address(setup, pinned, view):
    session = Session(collection="é x", query="a&b", setup=setup, pinned=pinned, selected="007", view=view)
    assert from_params(to_params(session)) == (session, ())


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("k", "abc", "RRF k cannot be 'abc', as the link asks (it should be a valid number"),
        ("k", "0", "it is 60 instead"),
        ("shown", "0", "Results shown cannot be '0'"),
        ("weight.dense", "-3", "Weight of dense cannot be '-3'"),
        ("threshold.bm25", "nan", "Minimum score of bm25 cannot be 'nan'"),
        ("bm25.variant", "evil", "BM25 variant cannot be 'evil'"),
        ("fusion", "evil", "Fusion cannot be 'evil'"),
        ("normaliser", "evil", "Normaliser cannot be 'evil'"),
        ("rerank.blend", "2", "Blend cannot be '2'"),
        ("pin.rerank.depth", "0", "Rerank depth cannot be '0'"),
        ("filter.secret", "x", "The link filters by 'secret'"),
        ("view", "<b>", "There is no view '<b>'"),
        ("pin.k", "abc", "RRF k cannot be 'abc'"),
    ],
)
def test_what_is_not_possible_falls_back_with_a_note(name, value, said):
    session, notes = from_params({name: [value], "q": ["kept"], "pin": ["1"]})
    assert session == Session(query="kept", pinned=Setup())
    assert len(notes) == 1
    assert said in notes[0]


def test_values_that_are_not_possible_together_fall_back_with_a_note():
    session, notes = from_params({"normaliser": ["z-score"], "absence": ["zero"], "k": ["20"]})
    assert session.setup == Setup(normaliser="z-score", k=20)
    assert len(notes) == 1
    assert "cannot get 0 under z-score" in notes[0]


def test_links_of_before_and_every_new_knob_are_read():
    assert from_params({"fusion": ["rrf"], "k": ["20"]}) == (Session(setup=Setup(k=20)), ())
    address = {
        "fusion": ["wsum"],
        "normaliser": ["floor"],
        "absence": ["true"],
        "floor.dense": ["0.2"],
        "rerank.model": ["english"],
        "rerank.anyway": ["1"],
    }
    setup = Setup(
        fusion="wsum", normaliser="floor", absence="true", rerank=RerankSetup(model="english", anyway=True)
    ).with_channel("dense", floor=0.2)
    session = Session(setup=setup)
    assert to_params(session) == address
    assert from_params(address) == (session, ())


def test_a_page_with_the_name_of_a_knob_does_not_take_it_for_a_mark():
    session, _ = from_params({"fusion": ["wsum"], "fusion.tab": ["events"]}, ("fusion", "search"))
    assert session.setup.fusion == "wsum"
    assert session.marks == (("fusion.tab", "events"),)


def test_one_bad_value_spoils_no_other():
    session, notes = from_params({"k": ["x"], "weight.bm25": ["0.5"], "depth.bm25": ["no"]})
    assert session.setup == Setup().with_channel("bm25", weight=0.5)
    assert len(notes) == 2


def test_pages_keep_marks_of_their_own():
    session, notes = from_params({"chunks.find": ["star"], "stranger.x": ["1"], "utm": ["1"]}, ("chunks",))
    assert session.mark("chunks.find") == "star"
    assert session.marks == (("chunks.find", "star"),)
    assert notes == ()
    assert session.with_mark("chunks.find", "").marks == ()
    assert to_params(session.with_mark("chunks.page", "2")) == {"chunks.find": ["star"], "chunks.page": ["2"]}


def test_another_collection_takes_the_filters_of_the_pin_too():
    filtered = Setup(k=20, filters=(Filter(field="domain", values=("x",)),))
    session = Session(collection="a", query="q", setup=filtered, pinned=filtered, selected="1").in_collection("b")
    assert session == Session(collection="b", query="q", setup=Setup(k=20), pinned=Setup(k=20))
