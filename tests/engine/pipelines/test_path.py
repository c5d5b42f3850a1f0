"""Where a chunk is in every list, and the first stage that takes it out, on lists written by hand."""

import numpy as np
import pytest

from engine.corpus.corpus import Corpus
from engine.errors import UnknownName
from engine.pipelines.hybrid import HybridSearch
from engine.pipelines.path import path_of
from engine.types import Chunk, Filter, Place, Ranking, RerankSetup, Setup

SCORES = {"bm25": {"a": 9.0, "b": 5.0, "c": 1.0}, "dense": {"b": 0.9, "d": 0.6, "a": 0.2}}
CORPUS = Corpus(Chunk(id=name, text=name, language="en" if name in "abc" else "fr") for name in "abcd")


class Listed:
    """A channel whose answer to every query is the same list of scores; `overlooked` is never found by a search."""

    label, scale, floor = "listed", "0 to 10", 0.0

    def __init__(self, name, overlooked=()):
        self.name, self.overlooked = name, set(overlooked)

    def _ranking(self, allowed):
        kept = {i: s for i, s in SCORES[self.name].items() if allowed is None or allowed[CORPUS.row(i)]}
        return Ranking.of(self.name, list(kept), list(kept.values()))

    def search(self, query, setup, allowed=None):
        ranking = self._ranking(allowed)
        return ranking.keep(set(ranking.ids[: setup.channel(self.name).depth]) - self.overlooked)

    def place(self, query, chunk_id, setup, allowed=None):
        ranking = self._ranking(allowed)
        rank = ranking.rank(chunk_id)
        return None if rank is None else Place(rank, ranking.score(chunk_id))

    def notes(self, query, setup):
        return ()


class Backwards:
    """A reranker that prefers later letters."""

    name, fingerprint, languages, gives = "backwards", "1", None, "probability"

    def scores(self, query, texts):
        return np.array([(ord(text) - ord("a")) / 10 for text in texts])


def path(chunk_id, setup, overlooked=(), names=("bm25", "dense")):
    channels = {name: Listed(name, overlooked) for name in names}
    search = HybridSearch(CORPUS, channels, load_reranker=lambda name: Backwards())
    return path_of(search, search.run("q", setup), chunk_id)


def fates(found):
    return [(stop.fate, stop.limit) for stop in (*found.channels, found.fused)]


def test_a_shown_chunk_has_its_places_and_its_parts():
    found = path("b", Setup())
    assert fates(found) == [("listed", None), ("listed", None), ("shown", None)]
    assert [stop.place for stop in found.channels] == [Place(2, 5.0), Place(1, 0.9)]
    # 1/(60 + 2) of BM25 and 1/(60 + 1) of dense
    assert [stop.contribution for stop in found.channels] == pytest.approx([1 / 62, 1 / 61])
    assert found.fused.place == Place(1, pytest.approx(1 / 62 + 1 / 61))


def test_the_threshold_counts_before_the_depth():
    # c: third with 1.0, both beyond the depth 1 and below 2.0; b: second with 5.0, beyond the depth only.
    setup = Setup().with_channel("bm25", depth=1, threshold=2.0)
    assert fates(path("c", setup))[0] == ("threshold", 2.0)
    assert fates(path("b", setup))[0] == ("depth", 1)


def test_under_either_a_threshold_acts_after_the_fusion():
    setup = Setup(agreement="either").with_channel("bm25", threshold=6.0).with_channel("dense", threshold=0.8)
    assert fates(path("c", setup)) == [("listed", None), ("no match", None), ("agreement", None)]


def test_a_filter_takes_it_out_everywhere_and_keeps_its_place_without():
    found = path("d", Setup(filters=(Filter(field="language", values=("en",)),)))
    assert found.filtered
    assert fates(found) == [("filter", None), ("filter", None), ("not fused", None)]
    assert (found.channels[1].place, found.channels[1].unfiltered) == (None, Place(2, 0.6))


def test_the_last_stages_name_their_limit():
    assert fates(path("c", Setup(fused_threshold=0.016)))[-1] == ("fused threshold", 0.016)
    assert fates(path("c", Setup(shown=1)))[-1] == ("beyond shown", 1)


def test_the_rerank_drops_by_depth_and_by_threshold():
    # fused b, a, d, c; the first three reranked to d 0.3, b 0.1, a 0.0
    setup = Setup(rerank=RerankSetup(model="backwards", depth=3, threshold=0.1))
    assert fates(path("c", setup))[-1] == ("rerank depth", 3.0)
    assert fates(path("a", setup))[-1] == ("rerank threshold", 0.1)
    found = path("d", setup).fused
    assert (found.fate, found.place, found.unfiltered.rank) == ("shown", Place(1, pytest.approx(0.3)), 3)


def test_what_an_approximate_search_overlooks_is_not_called_listed():
    assert fates(path("b", Setup(), overlooked="b"))[0] == ("missed", None)


def test_a_channel_that_is_absent_gives_no_answer():
    assert fates(path("b", Setup(), names=("bm25",)))[1] == ("no answer", None)


def test_an_unknown_chunk_is_refused():
    with pytest.raises(UnknownName, match="No chunk has the id 'zz'"):
        path("zz", Setup())


def test_a_blank_chunk_stops_at_the_analysis_before_any_filter():
    corpus = Corpus([*CORPUS, Chunk(id="e", text="!!!", language="fr")])
    search = HybridSearch(corpus, {"bm25": Listed("bm25")})
    for setup in (Setup(), Setup(filters=(Filter(field="language", values=("fr",)),))):
        found = path_of(search, search.run("q", setup), "e")
        assert fates(found) == [("blank", None), ("no answer", None), ("not fused", None)]
