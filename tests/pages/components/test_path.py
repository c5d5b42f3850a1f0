"""Where a chunk ranks in every list, and the first stage that takes it out."""

import numpy as np
import pytest

from engine.channels.bm25 import Bm25Channel, build_bm25
from engine.corpus.corpus import Corpus
from engine.pipelines.hybrid import HybridSearch
from engine.pipelines.path import path_of
from engine.types import ChannelSetup, Chunk, Filter, RerankSetup, Setup
from pages.components.path import as_html, fate, verdict

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


@pytest.fixture
def told(search):
    """The run and path of a chunk: its verdict, what becomes of it in each list, and both as HTML."""

    def told(chunk_id, depth=100, threshold=None, **setup):
        channel = ChannelSetup(name="bm25", depth=depth, threshold=threshold)
        trace = search.run("kite", Setup(channels=(channel,), **setup))
        path = path_of(search, trace, chunk_id)
        fates = [fate(stop, trace) for stop in (*path.channels, path.fused)]
        return verdict(path, trace, LABELS), fates, as_html(path, trace, LABELS)

    return told


def test_a_shown_chunk_is_in_the_list_and_shown(told):
    assert told("b")[:2] == ("Shown at rank 2.", ["in the list", "shown"])


def test_a_filter_leaves_the_rank_without_it_in_brackets(told):
    only_b = (Filter(field="domain", values=("x",)),)
    assert '1 <span title="rank without the filters">(2)</span>' in told("b", filters=only_b)[2]
    assert told("a", filters=only_b)[0] == "First dropped by the filters."


def test_what_comes_before_the_fusion_is_named_with_its_list(told):
    assert told("c", depth=2)[0] == "First dropped before the fusion. BM25: beyond the depth 2."
    assert told("b", threshold=9.5)[1][0] == "below the minimum score 9.5"


def test_the_fused_threshold_and_the_results_shown_come_last(told):
    assert told("b", fused_threshold=0.0162)[0] == (
        "First dropped after the fusion: below the minimum fused score 0.0162."
    )
    assert told("b", shown=1)[0] == "First dropped at the last stage: it has rank 2, and 1 are shown."


def test_without_a_shared_term_nothing_brings_it_in(told):
    said, fates, _ = told("d")
    assert said == "No channel matches it, so nothing brings it in."
    assert fates[1] == "not in the fusion"


def test_a_channel_that_cannot_answer_says_why(search):
    halved = HybridSearch(CORPUS, search.channels, {"dense": "No <vectors>."})
    trace = halved.run("kite", Setup())
    html = as_html(path_of(halved, trace, "a"), trace, {**LABELS, "dense": "Dense"})
    assert "no answer" in html
    assert "No &lt;vectors&gt;." in html


def test_what_the_rerank_drops_is_named():
    class Even:
        name, fingerprint, languages, gives = "even", "even 1", None, "probability"

        def scores(self, query, texts):
            return np.full(len(texts), 0.2)

    even = HybridSearch(CORPUS, {"bm25": Bm25Channel(build_bm25(CORPUS), CORPUS)}, load_reranker=lambda name: Even())
    rerank = RerankSetup(model="even", depth=1, threshold=0.5)
    trace = even.run("kite", Setup(channels=(ChannelSetup(name="bm25"),), rerank=rerank))
    said = [verdict(path_of(even, trace, chunk_id), trace, LABELS) for chunk_id in trace.fused.ids[:2]]
    assert said == [
        "First dropped after the fusion: below the minimum rerank score 0.5.",
        "First dropped after the fusion: beyond the first 1 reranked.",
    ]
