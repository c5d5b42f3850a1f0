"""Knobs come from the setup's registry; field case 52: what is asked for is fitted to the collection."""

import pytest
from pydantic import ValidationError

from engine.corpus.corpus import Corpus
from engine.evaluation.judgments import Qrels
from engine.pipelines.hybrid import HybridSearch
from engine.types import Bm25Setup, ChannelSetup, Chunk, Filter, Setup
from pages.components.controls import fitted
from pages.components.knob import limits, with_fields
from pages.components.opening import Desk


def desk_of(chunks):
    corpus = Corpus([Chunk(id=str(number), text="x") for number in range(chunks)])
    channels = ("bm25", "dense")
    search = HybridSearch(corpus, {})
    return Desk(
        name="c",
        title="C",
        build="b",
        corpus=corpus,
        whole=search,
        search=search,
        labels={"bm25": "BM25", "dense": "Dense"},
        scales={},
        facets={},
        queries=(),
        qrels=Qrels(),
        fitted=lambda setup: setup.model_copy(update={"channels": tuple(map(setup.channel, channels))}),
    )


def test_limits_and_help_are_the_registrys():
    weight = limits(ChannelSetup, "weight")
    assert (weight["min_value"], weight["max_value"]) == (0, 10)
    assert weight["help"] == ChannelSetup.model_fields["weight"].description
    assert limits(Setup, "k")["min_value"] == 0.01  # k > 0, and a number box knows only "at least"
    assert limits(Bm25Setup, "b")["max_value"] == 1


def test_a_collection_of_two_is_asked_for_two():
    setup = fitted(Setup(), desk_of(2))
    assert setup.shown == 2
    assert [channel.depth for channel in setup.channels] == [2, 2]
    assert fitted(Setup(), desk_of(500)) == Setup()


def test_an_empty_collection_still_has_a_valid_setup():
    assert fitted(Setup(), desk_of(0)).shown == 1


def test_the_limits_hold_behind_the_browser_too():
    with pytest.raises(ValidationError, match="greater than 0"):
        with_fields(Setup(), k=0)
    filters = (Filter(field="language", values=("en",)),)
    assert with_fields(Setup(), filters=filters) == Setup(filters=filters)
