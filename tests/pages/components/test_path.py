"""Where a chunk ranks in every list, and the first stage that takes it out."""

import pytest

from engine.channels.bm25 import Bm25Channel, build_bm25
from engine.corpus.corpus import Corpus
from engine.pipelines.hybrid import HybridSearch
from engine.types import ChannelSetup, Chunk, Filter, Setup
from pages.components.path import as_html, path_of

TEXTS = {
    "a": "kite kite kite",
    "b": "kite kite lamp",
    "c": "kite lamp lamp",
    "d": "lamp <b>lamp</b>",
    "e": "oak",
    "f": "elm",
    "g": "ash",
    "h": "fir",
}
CORPUS = Corpus(
    Chunk(id=name, text=text, language="en", domain="x" if name in "bd" else "y") for name, text in TEXTS.items()
)
LABELS = {"bm25": "BM25"}


@pytest.fixture(scope="module")
def search():
    return HybridSearch(CORPUS, {"bm25": Bm25Channel(build_bm25(CORPUS), CORPUS)})


def path(search, chunk_id, depth=100, threshold=None, **setup):
    channel = ChannelSetup(name="bm25", depth=depth, threshold=threshold)
    setup = Setup(channels=(channel,), **setup)
    return path_of(search, search.run("kite", setup), LABELS, chunk_id)


def test_a_shown_chunk_has_its_rank_in_every_list(search):
    found = path(search, "b")
    assert found.verdict == "Shown at rank 2."
    assert [(stop.label, stop.place.rank, stop.fate) for stop in found.stops] == [
        ("BM25", 2, "in the list"),
        ("Fused", 2, "shown"),
    ]
    assert found.stops[0].contribution == pytest.approx(1 / 62)


def test_a_filter_leaves_the_rank_without_it_in_brackets(search):
    only_b = (Filter(field="domain", values=("x",)),)
    kept, out = path(search, "b", filters=only_b), path(search, "a", filters=only_b)
    assert (kept.stops[0].place.rank, kept.stops[0].unfiltered.rank) == (1, 2)
    assert '1 <span title="rank without the filters">(2)</span>' in as_html(kept)
    assert (out.stops[0].place, out.stops[0].unfiltered.rank) == (None, 1)
    assert out.verdict == "First dropped by the filters."


def test_beyond_the_depth_the_true_rank_is_told(search):
    found = path(search, "c", depth=2)
    assert found.stops[0].place.rank == 3
    assert found.verdict == "First dropped before the fusion. BM25: beyond the depth 2."


def test_a_threshold_of_the_channel_is_named(search):
    limit = search.run("kite", Setup(channels=(ChannelSetup(name="bm25"),))).channels["bm25"].score("a")
    assert path(search, "b", threshold=limit).stops[0].fate == f"below the minimum score {limit:g}"


def test_the_fused_threshold_and_the_results_shown_come_last(search):
    assert path(search, "b", fused_threshold=0.0162).verdict == (
        "First dropped after the fusion: below the minimum fused score 0.0162."
    )
    assert path(search, "b", shown=1).verdict == ("First dropped at the last stage: it has rank 2, and 1 are shown.")


def test_without_a_shared_term_nothing_brings_it_in(search):
    found = path(search, "d")
    assert found.verdict == "No channel matches it, so nothing brings it in."
    assert found.stops[1].fate == "not in the fusion"


def test_a_channel_that_cannot_answer_says_why(search):
    labels = {**LABELS, "dense": "Dense"}
    trace = HybridSearch(CORPUS, search.channels, {"dense": "No <vectors>."}).run("kite", Setup())
    found = path_of(search, trace, labels, "a")
    assert (found.stops[1].fate, found.stops[1].reason) == ("no answer", "No <vectors>.")
    assert "No &lt;vectors&gt;." in as_html(found)
