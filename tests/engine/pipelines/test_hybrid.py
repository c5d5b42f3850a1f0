"""The order of the stages, on channels whose lists are written by hand."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.corpus.corpus import Corpus
from engine.errors import BadInput, Unavailable
from engine.pipelines.hybrid import HybridSearch
from engine.types import Chunk, Filter, Note, Place, Ranking, RerankSetup, Setup


@dataclass(frozen=True)
class ListedChannel:
    """A channel whose answer to every query is the same list of scores."""

    name: str
    corpus: Corpus
    scores: dict[str, float]
    label: str = "listed"
    scale: str = "0 to 1"
    floor: float = 0.0
    asked: list = field(default_factory=list)

    def _ranking(self, allowed):
        kept = {i: s for i, s in self.scores.items() if allowed is None or allowed[self.corpus.row(i)]}
        return Ranking.of(self.name, list(kept), list(kept.values()))

    def search(self, query, setup, allowed=None):
        ranking = self._ranking(allowed)
        return ranking.keep(ranking.ids[: setup.channel(self.name).depth])

    def place(self, query, chunk_id, setup, allowed=None):
        ranking = self._ranking(allowed)
        rank = ranking.rank(chunk_id)
        return None if rank is None else Place(rank, ranking.score(chunk_id))

    def scores_of(self, query, chunk_ids, setup):
        self.asked.append(list(chunk_ids))
        return np.array([self.scores.get(chunk_id, np.nan) for chunk_id in chunk_ids])

    def notes(self, query, setup):
        return (Note("seen", self.name),)


def search(bm25, dense, languages=None):
    ids = sorted({*bm25, *dense})
    corpus = Corpus(Chunk(id=i, text=i, language=(languages or {}).get(i)) for i in ids)
    channels = {"bm25": ListedChannel("bm25", corpus, bm25), "dense": ListedChannel("dense", corpus, dense)}
    return HybridSearch(corpus, channels)


BM25 = {"a": 9.0, "b": 5.0, "c": 1.0}
DENSE = {"b": 0.9, "d": 0.6, "a": 0.2}


def test_fuses_every_channel():
    trace = search(BM25, DENSE).run("q", Setup())
    # b: 1/62 + 1/61; a: 1/61 + 1/63; d: 1/62; c: 1/63
    assert trace.final.ids == ("b", "a", "d", "c")
    assert trace.final.score("b") == pytest.approx(1 / 62 + 1 / 61)
    assert trace.dropped == ()
    assert {"total", "fusion", "bm25", "dense"} <= set(trace.timings_ms)
    assert [note.text for note in trace.warnings] == ["bm25", "dense"]


def test_number_shown_changes_no_score_and_no_order():
    engine = search(BM25, DENSE)
    short, long = engine.run("q", Setup(shown=2)), engine.run("q", Setup(shown=4))
    assert short.hits == long.hits[:2]


def test_number_shown_changes_no_normalised_score():
    # a 0.9, b 0.8, c 0.7, d 0.6: b is (0.8 - 0.6) / 0.3 = 0.666667, and 0 if the depth came from a view of two
    engine = search({"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}, {})
    setup = Setup(fusion="wsum").with_channel("bm25", depth=4)
    short, long = (engine.run("q", setup.model_copy(update={"shown": shown})) for shown in (2, 4))
    assert short.hits == long.hits[:2]
    assert round(short.hits[1].score, 6) == 0.666667


def test_the_setup_chooses_the_fusion():
    # min-max: bm25 a 1, b 0.5, c 0; dense b 1, d 0.4 / 0.7, a 0
    trace = search(BM25, DENSE).run("q", Setup(fusion="wsum").with_channel("dense", weight=0.5))
    assert trace.final.ids == ("a", "b", "d", "c")
    assert trace.final.scores.tolist() == pytest.approx([1.0, 1.0, 0.2 / 0.7, 0.0])
    assert dict(trace.final.hits(2)[1].contributions) == {"bm25": 0.5, "dense": 0.5}


def test_the_floor_of_a_channel_is_its_scales_unless_set():
    engine = search(BM25, DENSE)
    setup = Setup(fusion="wsum", normaliser="floor")
    assert engine.run("q", setup).final.score("c") == pytest.approx(1 / 9)
    assert engine.run("q", setup.with_channel("bm25", floor=0.5)).final.score("c") == pytest.approx(0.5 / 8.5)


def test_true_scores_come_from_below_the_depth():
    engine = search(BM25, DENSE)
    setup = Setup(fusion="wsum", absence="true").with_channel("bm25", depth=2)
    # bm25 lists a 1 and b 0; d has no score there, and c is in no list; dense lists b, d, a
    trace = engine.run("q", setup)
    assert engine.channels["bm25"].asked == [["d"]]
    assert trace.fused.ids == ("a", "b", "d")
    # with dense cut to b and d, a gets its own 0.2: (0.2 - 0.6) / 0.3
    cut = engine.run("q", setup.with_channel("dense", depth=2))
    assert cut.fused.score("a") == pytest.approx(1 - 0.4 / 0.3)


def test_a_true_score_below_the_channels_threshold_does_not_count():
    engine = search(BM25, DENSE)
    setup = Setup(fusion="wsum", absence="true").with_channel("dense", threshold=0.5)
    assert engine.run("q", setup).fused.score("a") == 1.0
    either = setup.model_copy(update={"agreement": "either"})
    assert engine.run("q", either).fused.score("a") == 1.0  # dense lists it there, as its last: 0
    cut = either.with_channel("dense", depth=2)
    assert engine.run("q", cut).fused.score("a") == pytest.approx(1 - 0.4 / 0.3)


def test_the_units_of_a_trace_are_those_of_its_lists():
    engine = search(BM25, DENSE)
    setup = Setup(fusion="wsum").with_channel("dense", threshold=0.5, weight=0.5)
    units = engine.units(engine.run("q", setup))
    assert (units.ids, units.sources) == (("a", "b", "c", "d"), ("bm25", "dense"))
    assert units.values.tolist() == [[1, 0], [0.5, 1], [0, 0], [0, 0]]
    assert engine.units(engine.run("q", Setup(fusion="combmax"))) is None


def test_scores_that_the_normaliser_refuses_are_said():
    with pytest.raises(BadInput, match=r"scores of dense go down to -0\.1"):
        search(BM25, {"a": 0.4, "b": -0.1}).run("q", Setup(fusion="wsum", normaliser="maximum"))


def test_knobs_that_do_nothing_are_noted():
    trace = search(BM25, DENSE).run("q", Setup(fusion="wsum", k=10))
    assert "idle-k" in {note.code for note in trace.warnings}


def test_a_threshold_takes_the_chunk_from_its_own_channel_only():
    trace = search(BM25, DENSE).run("q", Setup().with_channel("dense", threshold=0.5))
    assert trace.channels["dense"].ids == ("b", "d")
    assert trace.final.score("a") == pytest.approx(1 / 61)
    assert [(d.chunk_id, d.stage, d.channel, d.value, d.limit) for d in trace.dropped] == [
        ("a", "threshold", "dense", 0.2, 0.5)
    ]


def test_both_keeps_what_every_counting_channel_returned():
    trace = search(BM25, DENSE).run("q", Setup(agreement="both"))
    assert trace.final.ids == ("b", "a")
    assert {(d.chunk_id, d.stage) for d in trace.dropped} == {("c", "agreement"), ("d", "agreement")}
    unweighted = search(BM25, DENSE).run("q", Setup(agreement="both").with_channel("dense", weight=0))
    assert unweighted.final.ids == ("a", "b", "c")


def test_either_lets_one_passed_threshold_keep_all_places():
    setup = Setup(agreement="either").with_channel("dense", threshold=0.5).with_channel("bm25", threshold=4)
    trace = search(BM25, DENSE).run("q", setup)
    # a: 9.0 in BM25 is enough, so its third place in dense still counts; c reaches neither
    assert trace.final.ids == ("b", "a", "d")
    assert trace.final.score("a") == pytest.approx(1 / 61 + 1 / 63)
    assert [(d.chunk_id, d.stage) for d in trace.dropped] == [("c", "agreement")]


def test_fused_threshold_is_on_the_fused_scale():
    one = search({"a": 1.0, "b": 0.5}, {"a": 1.0})
    kept = one.run("q", Setup(fused_threshold=0.02))
    assert kept.final.ids == ("a",)
    assert [(d.chunk_id, d.stage, d.limit) for d in kept.dropped] == [("b", "fused threshold", 0.02)]
    nothing = one.run("q", Setup(fused_threshold=0.5))
    assert nothing.final.ids == ()
    assert "0.032787" in next(note.text for note in nothing.warnings if note.code == "fused-threshold-too-high")


def test_filters_act_before_retrieval_and_what_they_took_is_listed():
    engine = search(BM25, DENSE, {"a": "fr", "b": "en", "c": "fr", "d": "en"})
    trace = engine.run("q", Setup(filters=(Filter(field="language", values=("fr",)),)))
    assert trace.channels["bm25"].ids == ("a", "c")
    assert trace.channels["dense"].rank("a") == 1
    assert {(d.chunk_id, d.channel) for d in trace.dropped} == {("b", "bm25"), ("b", "dense"), ("d", "dense")}
    assert engine.place("q", "c", "bm25", trace.setup) == (Place(2, 1.0), Place(3, 1.0))


def test_depth_cuts_each_channel_by_itself():
    trace = search(BM25, DENSE).run("q", Setup().with_channel("bm25", depth=1))
    assert trace.channels["bm25"].ids == ("a",)
    assert len(trace.channels["dense"]) == 3


def test_a_channel_that_is_missing_is_named_and_the_others_go_on():
    engine = search(BM25, DENSE)
    alone = HybridSearch(engine.corpus, {"bm25": engine.channels["bm25"]}, {"dense": "The encoder is loading."})
    trace = alone.run("q", Setup())
    assert trace.final.ids == ("a", "b", "c")
    assert trace.unavailable == {"dense": "The encoder is loading."}
    with pytest.raises(Unavailable, match=r"No channel can answer: .*The encoder is loading"):
        HybridSearch(engine.corpus, {}, {"dense": "The encoder is loading."}).run("q", Setup())


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_an_empty_query_asks_for_one(query):
    with pytest.raises(BadInput, match="Type a query"):
        search(BM25, DENSE).run(query, Setup())


def test_a_query_of_a_whole_document_is_refused():
    with pytest.raises(BadInput, match="The query has 10,001 characters"):
        search(BM25, DENSE).run("x" * 10_001, Setup())


def test_all_weights_zero_is_said():
    setup = Setup().with_channel("bm25", weight=0).with_channel("dense", weight=0)
    trace = search(BM25, DENSE).run("q", setup)
    assert len(trace.final) == 0
    assert "no-weight" in {note.code for note in trace.warnings}


def test_both_says_which_channel_was_not_asked():
    engine = search(BM25, DENSE)
    alone = HybridSearch(engine.corpus, {"bm25": engine.channels["bm25"]}, {"dense": "The encoder is loading."})
    notes = alone.run("q", Setup(agreement="both")).warnings
    assert "not of dense" in next(note.text for note in notes if note.code == "both-without")


class Judge:
    """A reranker that gives each text a probability that was written by hand."""

    name, fingerprint, languages, gives = "judge", "judge 1", frozenset({"en"}), "probability"

    def __init__(self, scores):
        self.told = scores

    def scores(self, query, texts):
        return np.array([self.told[text] for text in texts])


def reranking(bm25, dense, scores, languages=None):
    plain = search(bm25, dense, languages)
    return HybridSearch(plain.corpus, plain.channels, load_reranker=lambda name: Judge(scores))


def rerank_setup(**knobs):
    return Setup(rerank=RerankSetup(model="judge", **knobs))


def test_the_rerank_threshold_acts_on_the_reranked_list_and_on_its_own_scale():
    # dense A 0.42, B 0.38; rerank A 0.91, B 0.20; threshold 0.5: A only. Before the rerank it would keep none.
    engine = reranking({}, {"a": 0.42, "b": 0.38}, {"a": 0.91, "b": 0.20})
    trace = engine.run("q", rerank_setup(threshold=0.5))
    assert trace.final.ids == ("a",)
    assert trace.reranked.ids == ("a", "b")
    assert [(d.chunk_id, d.stage, d.channel, d.value, d.limit) for d in trace.dropped] == [
        ("b", "rerank threshold", None, 0.2, 0.5)
    ]
    assert engine.run("q", rerank_setup().with_channel("dense", threshold=0.5)).final.ids == ()


def test_the_rerank_comes_after_agreement_and_the_fused_threshold_and_keeps_the_ranks_before():
    engine = reranking(BM25, DENSE, {"a": 0.9, "b": 0.1, "c": 0.8, "d": 0.7})
    trace = engine.run("q", rerank_setup(depth=2).model_copy(update={"fused_threshold": 1 / 62}))
    # fused b, a, d and, below 1/62, c; the first two are reranked
    assert trace.fused.ids == ("b", "a", "d", "c")
    assert (trace.before_rerank.ids, trace.reranked.ids, trace.final.ids) == (("b", "a"), ("a", "b"), ("a", "b"))
    assert [(d.chunk_id, d.stage, d.value, d.limit) for d in trace.dropped] == [
        ("c", "fused threshold", 1 / 63, 1 / 62),
        ("d", "rerank depth", 3.0, 2.0),
    ]
    assert dict(trace.probabilities) == {"a": 0.9, "b": 0.1}
    assert dict(trace.logits) == {}
    assert "rerank" in trace.timings_ms


def test_a_reranker_that_cannot_answer_leaves_the_fused_order_and_a_note():
    def absent(name):
        raise Unavailable(f"The reranker {name!r} is not on this machine.")

    plain = search(BM25, DENSE)
    engine = HybridSearch(plain.corpus, plain.channels, load_reranker=absent)
    trace = engine.run("q", rerank_setup(depth=1, threshold=0.9))
    assert trace.final.ids == trace.fused.ids
    assert (trace.reranked, trace.before_rerank, trace.dropped) == (None, None, ())
    assert "'judge' is not on this machine" in next(note.text for note in trace.warnings if note.code == "rerank-off")


def test_a_reranker_is_off_in_other_languages_unless_asked_for():
    engine = reranking(BM25, DENSE, {"a": 0.9, "b": 0.1, "c": 0.8, "d": 0.7}, {"a": "vi", "b": "en"})
    off = engine.run("q", rerank_setup())
    assert off.reranked is None
    assert "1 of the first 4 chunks are in vi" in next(note.text for note in off.warnings if note.code == "rerank-off")
    on = engine.run("q", rerank_setup(anyway=True))
    assert on.final.ids == ("a", "c", "d", "b")
    assert "rerank-language" in {note.code for note in on.warnings}


def test_without_a_model_nothing_is_loaded():
    def fail(name):
        raise AssertionError(name)

    plain = search(BM25, DENSE)
    assert HybridSearch(plain.corpus, plain.channels, load_reranker=fail).run("q", Setup()).reranked is None


def test_a_list_without_results_is_reranked_to_nothing():
    trace = reranking(BM25, DENSE, {}).run("q", rerank_setup().model_copy(update={"fused_threshold": 1.0}))
    assert len(trace.reranked) == len(trace.final) == 0
