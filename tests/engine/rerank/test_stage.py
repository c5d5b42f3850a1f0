import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.corpus import Corpus
from engine.errors import Unavailable
from engine.rerank.stage import rerank, sigmoid
from engine.types import Chunk, Ranking, RerankSetup

CORPUS = Corpus(Chunk(id=name, title=name.upper(), text=f"text {name}", language="en") for name in "abcdef")


class Told:
    """A reranker that gives each text the number that it was told, by the text's last letter."""

    name, fingerprint = "told", "told 1"

    def __init__(self, scores, gives="logit", languages=None):
        self.told, self.gives, self.languages = scores, gives, languages
        self.read = []

    def scores(self, query, texts):
        self.read.extend(texts)
        return np.array([self.told[text[-1]] for text in texts], dtype=np.float64)


def fused(ids):
    return Ranking("fused", tuple(ids), np.linspace(0.03, 0.01, len(ids)))


def run(scores, ids="abc", gives="logit", corpus=CORPUS, languages=None, **knobs):
    return rerank("q", fused(ids), corpus, RerankSetup(model="told", **knobs), Told(scores, gives, languages))


def test_logits_become_probabilities_and_keep_their_order():
    # Logits 3.2, -0.4, -6.0: 1/(1+exp(-3.2)) = 0.9608, 1/(1+exp(0.4)) = 0.4013, 1/(1+exp(6)) = 0.0025.
    found = run({"a": 3.2, "b": -0.4, "c": -6.0}, threshold=0.3)
    assert [round(found.probabilities[i], 4) for i in "abc"] == [0.9608, 0.4013, 0.0025]
    assert found.final.ids == ("a", "b")  # a raw comparison with 0.3 would keep a alone
    assert found.ranking.ids == ("a", "b", "c")
    assert dict(found.logits) == {"a": 3.2, "b": -0.4, "c": -6.0}
    (drop,) = found.dropped
    assert (drop.chunk_id, drop.stage, drop.channel, drop.limit) == ("c", "rerank threshold", None, 0.3)
    assert drop.value == found.probabilities["c"]


def test_scores_already_within_0_and_1_are_not_squashed_again():
    found = run({"a": 0.91, "b": 0.2, "c": 0.0}, gives="probability", threshold=0.5)
    assert dict(found.probabilities) == {"a": 0.91, "b": 0.2, "c": 0.0}
    assert found.final.ids == ("a",)
    assert dict(found.logits) == {}


def test_numbers_beyond_the_scale_of_a_probability_are_logits_and_that_is_said():
    found = run({"a": 3.2, "b": 0.2, "c": -6.0}, gives="probability", threshold=0.3)
    assert round(found.probabilities["a"], 4) == 0.9608
    assert round(found.probabilities["b"], 4) == 0.5498
    assert [note.code for note in found.notes] == ["rerank-scale"]
    assert "from -6 to 3.2" in found.notes[0].text


def test_scores_stay_with_their_chunks():
    # a, b, c with 0.1, 0.9, 0.5
    found = run({"a": 0.1, "b": 0.9, "c": 0.5}, gives="probability")
    assert list(zip(found.ranking.ids, found.ranking.scores.tolist(), strict=True)) == [
        ("b", 0.9),
        ("c", 0.5),
        ("a", 0.1),
    ]
    assert found.ranking.source == "reranked"


def test_only_the_first_are_reranked_and_the_rest_is_dropped_with_its_rank():
    found = run({"a": 0.1, "b": 0.9}, ids="abcd", gives="probability", depth=2)
    assert found.final.ids == ("b", "a")
    assert [(d.chunk_id, d.stage, d.value, d.limit) for d in found.dropped] == [
        ("c", "rerank depth", 3.0, 2.0),
        ("d", "rerank depth", 4.0, 2.0),
    ]


def test_a_blend_weighs_the_ranks_of_both_orders():
    # fused a, b, c; reranked c, b, a; blend 0.25: a 0.75/61 + 0.25/63, b 0.75/62 + 0.25/62, c 0.75/63 + 0.25/61
    found = run({"a": -1.0, "b": 0.0, "c": 1.0}, blend=0.25)
    assert found.ranking.ids == ("a", "b", "c")
    assert found.ranking.scores.tolist() == pytest.approx(
        [0.75 / 61 + 0.25 / 63, 0.75 / 62 + 0.25 / 62, 0.75 / 63 + 0.25 / 61]
    )
    assert dict(found.ranking.hits(1)[0].contributions) == pytest.approx({"fused": 0.75 / 61, "rerank": 0.25 / 63})


def test_both_ends_of_the_blend():
    scores = {"a": -1.0, "b": 0.0, "c": 1.0}
    kept = run(scores, blend=0.0)
    assert kept.ranking.ids == ("a", "b", "c")
    assert kept.ranking.contributions["rerank"].tolist() == [0, 0, 0]
    alone = run(scores, blend=1.0)
    assert alone.ranking.ids == ("c", "b", "a")
    assert alone.ranking.scores.tolist() == sigmoid(np.array([1.0, 0.0, -1.0])).tolist()
    assert dict(alone.ranking.contributions) == {}


def test_equal_blended_scores_go_by_id():
    # b, a reranked to a, b at an even blend: both 0.5/61 + 0.5/62
    found = run({"a": 1.0, "b": 0.0}, ids="ba", blend=0.5)
    assert found.ranking.ids == ("a", "b")
    assert found.ranking.scores[0] == found.ranking.scores[1]


def test_the_threshold_is_on_the_probability_at_any_blend():
    found = run({"a": -3.0, "b": 2.0, "c": 1.0}, blend=0.1, threshold=0.5)
    assert found.ranking.ids == ("a", "b", "c")
    assert found.final.ids == ("b", "c")


def test_an_empty_list_needs_no_model():
    model = Told({})
    found = rerank("q", fused(""), CORPUS, RerankSetup(model="told"), model)
    assert (len(found.ranking), len(found.final), model.read) == (0, 0, [])


def test_the_model_reads_title_and_text_or_what_else_the_chunk_was_found_by():
    corpus = Corpus((Chunk(id="a", title="A", text="text a"), Chunk(id="b", number="x-b"), Chunk(id="c", summary="c")))
    model = Told({"a": 0, "b": 0, "c": 0})
    rerank("q", fused("abc"), corpus, RerankSetup(model="told"), model)
    assert model.read == ["A\ntext a", "x-b", "c"]


def languages_corpus(**languages):
    return Corpus(Chunk(id=name, text=f"text {name}", language=language) for name, language in languages.items())


SCORES = {"a": 1.0, "b": 2.0, "c": 3.0}


def test_it_is_off_where_chunks_are_in_other_languages():
    corpus = languages_corpus(a="en", b="vi", c="fr")
    with pytest.raises(Unavailable, match=r"'told' was made for en, and 2 of the first 3 chunks are in vi, fr"):
        run(SCORES, corpus=corpus, languages=frozenset({"en"}))
    # of the first one only English is to be reranked
    assert run(SCORES, corpus=corpus, languages=frozenset({"en"}), depth=1).final.ids == ("a",)


def test_asked_for_anyway_it_reranks_and_says_so():
    corpus = languages_corpus(a="vi", b="vi", c="vi")
    found = run(SCORES, corpus=corpus, languages=frozenset({"en"}), anyway=True)
    assert found.final.ids == ("c", "b", "a")
    assert [note.code for note in found.notes] == ["rerank-language"]


@pytest.mark.parametrize("languages", [None, frozenset({"en", "fr"})])
def test_any_language_or_an_unknown_one_is_no_obstacle(languages):
    corpus = languages_corpus(a="en", b=None, c="fr")
    assert run(SCORES, corpus=corpus, languages=languages).notes == ()


@pytest.mark.parametrize("answer", [np.array([1.0, np.nan, 2.0]), np.array([1.0, 2.0]), np.zeros((3, 2))])
def test_numbers_that_do_not_fit_the_chunks_are_refused(answer):
    class Wrong(Told):
        def scores(self, query, texts):
            return answer

    with pytest.raises(Unavailable, match="did not give one finite number for each of 3 chunks"):
        rerank("q", fused("abc"), CORPUS, RerankSetup(model="told"), Wrong({}))


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(-30, 30), min_size=1), st.integers(0, 10), st.data())
def test_the_final_list_is_made_of_the_first_and_the_blend_adds_up(scores, tenths, data):
    ids = data.draw(st.permutations(sorted(scores)))
    depth = data.draw(st.integers(1, 6))
    found = run(scores, ids=ids, depth=depth, blend=tenths / 10)
    assert set(found.final.ids) == set(ids[:depth])
    assert {d.chunk_id for d in found.dropped} == set(ids[depth:])
    by_logit = sorted(ids[:depth], key=lambda i: (-sigmoid(np.array(scores[i])), i))
    for chunk_id, score in zip(found.ranking.ids, found.ranking.scores.tolist(), strict=True):
        ranks = ids.index(chunk_id) + 1, by_logit.index(chunk_id) + 1
        blend = tenths / 10
        expected = (1 - blend) / (60 + ranks[0]) + blend / (60 + ranks[1])
        assert score == pytest.approx(found.probabilities[chunk_id] if blend == 1 else expected)


@given(st.lists(st.floats(-700, 700), min_size=1))
def test_the_sigmoid_never_overflows_and_never_turns_an_order(logits):
    with np.errstate(all="raise", under="ignore"):
        values = sigmoid(np.array(sorted(logits)))
    assert (np.diff(values) >= 0).all()
    assert values.min() >= 0
    assert values.max() <= 1
