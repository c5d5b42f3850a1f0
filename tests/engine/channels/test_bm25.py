import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi, BM25Plus

from engine.channels.bm25 import Bm25Channel, Bm25Index, build_bm25
from engine.corpus.corpus import Corpus
from engine.errors import StaleIndex, UnknownName
from engine.text.analysers import ANALYSERS, analyser_for
from engine.types import Bm25Setup, Channel, Chunk, Ranking, Setup, Variant

DATASETS = Path(__file__).resolve().parents[4] / "shared" / "datasets"
VARIANTS: tuple[Variant, ...] = ("okapi", "plus", "lucene")
ROOT = Path(__file__).resolve().parents[3]


def chunks(*texts: str, language: str = "en") -> list[Chunk]:
    return [Chunk(id=f"d{number}", text=text, language=language) for number, text in enumerate(texts, start=1)]


def channel(corpus: Sequence[Chunk]) -> Bm25Channel:
    built = Corpus(corpus)
    return Bm25Channel(build_bm25(built), built)


def setup(variant: Variant = "okapi", depth: int = 100) -> Setup:
    return Setup(bm25=Bm25Setup(variant=variant)).with_channel("bm25", depth=depth)


def listed(ranking: Ranking) -> dict[str, float]:
    return {hit.chunk_id: round(hit.score, 6) for hit in ranking.hits()}


KITES = channel(chunks("red kite", "blue kite", "green lamp", "grey lamp"))
CODES = channel(
    chunks(
        "Diagnosis I21.9 acute event",
        "Diagnosis I21.0 acute event",
        "Reading 9.9 mmol, ward I21",
        "Diagnosis J45.0 mild event",
        "Reading 4.1 mmol, ward B2",
        "Visit notes, no code",
    )
)


def test_it_is_a_channel():
    as_channel: Channel = KITES
    assert (as_channel.name, as_channel.label) == ("bm25", "BM25")
    assert "sum over shared terms" in as_channel.scale


# field case 1
def test_a_term_in_half_of_the_chunks_is_found_at_score_zero():
    assert listed(KITES.search("kite", setup())) == {"d1": 0.0, "d2": 0.0}
    assert KITES.matches("kite").tolist() == [True, True, False, False]
    assert listed(KITES.search("kite", setup("lucene"))) == {"d1": 0.693147, "d2": 0.693147}


# field case 3
@pytest.mark.parametrize("texts", [(), ("", "   ", "!!!")])
def test_nothing_searchable_is_a_state_and_no_fault(texts: tuple[str, ...]):
    empty = channel(chunks(*texts))
    for variant in VARIANTS:
        assert len(empty.search("quartz", setup(variant))) == 0
        assert empty.scores("quartz", setup(variant)).tolist() == [0.0] * len(texts)
    (note,) = empty.notes("quartz", setup())
    assert (note.code, note.text[:30]) == ("no-chunks", "BM25 has 0 searchable chunks: ")


def test_blank_chunks_are_not_counted():
    texts = dict(zip("abcdef", ["", "quartz clock", "", "quartz vein", "iron nail", "oak beam"], strict=True))
    quartz = channel([Chunk(id=name, text=text, language="en") for name, text in texts.items()])
    assert listed(quartz.search("quartz", setup())) == {"b": 0.0, "d": 0.0}  # N = 4: ln(2.5/2.5) = 0
    assert listed(quartz.search("quartz", setup("lucene"))) == {"b": 0.693147, "d": 0.693147}
    assert quartz.place("quartz", "a", setup()) is None
    assert [part.contribution for part in quartz.terms("quartz", "a", setup("plus"))] == [0.0]


def test_stop_words_alone_are_counted_with_length_zero():
    stops = channel(chunks("the of and", "quartz vein", "iron nail"))
    assert stops.index.postings.lengths.tolist() == [0, 2, 2]
    # N = 3, n = 1: ln(2.5/1.5) = 0.510826; length 2 over an average of 4/3: factor 0.25 + 0.75 x 1.5 = 1.375;
    # gain 2.5 / (1 + 1.5 x 1.375) = 0.816327; their product 0.417001
    assert listed(stops.search("quartz", setup())) == {"d2": 0.417001}


# field case 4
def test_only_matching_and_allowed_chunks_are_returned():
    zoo = channel(chunks("lion cage", "bear cave", "zebra field", "seal pool", "goat hill"))
    for depth in (5, 10):
        assert listed(zoo.search("zebra", setup(depth=depth))) == {"d3": 1.098612}
    assert len(zoo.search("zebra", setup(), np.array([True, True, False, False, False]))) == 0
    assert zoo.place("zebra", "d3", setup(), np.array([True, True, False, False, False])) is None
    rows, _ = zoo.index.best([("en:zebra", "en:zebra")], Bm25Setup(), 0, order=zoo.corpus.id_order)
    assert len(rows) == 0


# field case 5
def test_words_not_letters_match():
    both = channel([*chunks("Reset the Router."), Chunk(id="d2", text="La señal falla", language="es")])
    found = {query: both.search(query, setup()).ids for query in ("router", "señal", "senal", "al")}
    assert found == {"router": ("d1",), "señal": ("d2",), "senal": ("d2",), "al": ()}
    assert both.corpus.chunk("d1").text == "Reset the Router."


# field case 6
def test_codes_are_found_whole_and_in_parts():
    assert listed(CODES.search("I21.9", setup("lucene"))) == {"d1": 3.263212, "d3": 2.040882, "d2": 0.693147}
    assert CODES.search("I21.9", setup()).ids[0] == "d1"
    assert CODES.search("I21.9.", setup("lucene")).ids == ("d1", "d3", "d2")
    parts = CODES.terms("I21.9", "d3", setup("lucene"))
    assert [(part.term, part.tf) for part in parts] == [("i21.9", 0), ("i21", 1), ("9", 2)]


# field case 12
@pytest.mark.parametrize("query", ["the of and", "???", "😀", "", "   "])
def test_a_query_without_terms_is_answered_with_a_note(query: str):
    assert len(KITES.search(query, setup())) == 0
    assert not KITES.matches(query).any()
    assert KITES.scores(query, setup("plus")).tolist() == [0.0] * 4
    assert [note.code for note in KITES.notes(query, setup())] == ["no-terms"]


# field case 39
def test_equal_texts_are_ordered_by_id():
    names = [f"d{number:02}" for number in range(20)]
    shuffled = [names[place] for place in np.random.default_rng(3).permutation(20)]
    same = channel([Chunk(id=name, text="the same red kite", language="en") for name in shuffled])
    for variant in VARIANTS:
        ranking = same.search("red kite", setup(variant, depth=5))
        assert ranking.ids == tuple(names[:5])
        assert len(set(ranking.scores.tolist())) == 1
        assert [same.place("red kite", name, setup(variant)).rank for name in names] == list(range(1, 21))  # type: ignore[union-attr]


def test_ids_are_ordered_as_text():
    same = channel([Chunk(id=name, text="kite", language="en") for name in ("10", "9", "007", "NA")])
    assert same.search("kite", setup()).ids == ("007", "10", "9", "NA")


def test_a_filter_changes_no_score():
    allowed = np.array([False, True, True, True, False, True])
    everything, some = CODES.search("acute event I21", setup()), CODES.search("acute event I21", setup(), allowed)
    assert some.ids == everything.keep(some.ids).ids
    assert some.scores.tobytes() == everything.keep(some.ids).scores.tobytes()


def test_a_repeated_word_counts_as_often_as_it_is_asked_for():
    once, twice = CODES.scores("mmol acute", setup("lucene")), CODES.scores("mmol acute mmol", setup("lucene"))
    # d3 "read 9.9 9 9 mmol ward i21": 7 tokens of 5.5 on average would do; the exact form is read off `terms`
    (part,) = (part for part in CODES.terms("mmol acute mmol", "d3", setup("lucene")) if part.term == "mmol")
    assert part.occurrences == 2
    assert twice[2] - once[2] == pytest.approx(part.contribution / 2, abs=1e-12)


def test_place_of_what_is_not_there():
    assert KITES.place("kite", "d3", setup()) is None
    with pytest.raises(UnknownName, match="No chunk has the id 'd9'"):
        KITES.place("kite", "d9", setup())


def test_common_terms_are_noted_in_okapi_only():
    (note,) = KITES.notes("red kite", setup())
    assert note.code == "common-terms"
    assert "'kite' (in 2 of 4)" in note.text
    assert "zero or negative idf" in note.text
    assert "red" not in note.text
    assert KITES.notes("red kite", setup("lucene")) == ()
    assert KITES.notes("red", setup()) == ()


def test_accents_are_optional_and_the_exact_form_never_scores_lower():
    french = channel(chunks("lésion du rein", "lesion du rein", "foie sain", "autre sujet", "rien ici", language="fr"))
    for query in ("lésions", "LÉSION"):
        assert french.search(query, setup()).ids == ("d1", "d2")
    assert french.search("lesions", setup()).ids == ("d2", "d1")
    for variant in VARIANTS:
        scores = french.scores("lésion", setup(variant))
        assert scores[0] >= scores[1]


def test_each_language_reads_the_query_and_counts_the_whole_corpus():
    both = channel(
        [
            Chunk(id="en", text="chat rooms", language="en"),
            Chunk(id="fr", text="le chat noir", language="fr"),
            Chunk(id="other", text="chat", language="de"),
            Chunk(id="blank", text="¿?", language="es"),
        ]
    )
    assert tuple(both.index.postings.analysers) == ("en", "fr", "plain")
    assert set(both.search("chat", setup()).ids) == {"en", "fr", "other"}
    parts = both.terms("chat", "fr", setup())
    assert [(part.analyser, part.tf, part.df) for part in parts] == [("en", 0, 1), ("fr", 1, 1), ("plain", 0, 1)]
    assert both.index.postings.searchable == 3


def test_the_fields_are_chosen_when_indexing():
    corpus = Corpus([Chunk(id="a", title="kite", text="red", number="I21.9", entities=("lamp",), language="en")])
    every = Bm25Channel(build_bm25(corpus), corpus)
    assert [bool(every.matches(query)[0]) for query in ("kite", "red", "I21.9", "lamp")] == [True] * 4
    text_only = Bm25Channel(build_bm25(corpus, ("text",)), corpus)
    assert [bool(text_only.matches(query)[0]) for query in ("kite", "red")] == [False, True]


def test_progress_is_reported_and_may_stop_the_build():
    seen: list[tuple[str, int, int]] = []
    build_bm25(Corpus(chunks("a", "b")), progress=lambda *step: seen.append(step))
    assert seen == [("bm25", 0, 2), ("bm25", 2, 2)]

    def stop(stage: str, done: int, total: int) -> None:
        raise InterruptedError(f"{stage} stopped")

    with pytest.raises(InterruptedError, match="bm25 stopped"):
        build_bm25(Corpus(chunks("a")), progress=stop)


def test_an_index_of_other_chunks_or_analysers_is_refused():
    corpus = Corpus(chunks("a kite"))
    with pytest.raises(StaleIndex, match="has 1 chunks, the collection 2"):
        Bm25Channel(build_bm25(corpus), Corpus(chunks("a kite", "b")))
    with pytest.raises(StaleIndex, match="'bm25' was made from other texts"):
        Bm25Channel(build_bm25(corpus), Corpus(chunks("an oak")))
    with pytest.raises(StaleIndex, match="reads the fields text, the collection asks for title, text"):
        Bm25Channel(build_bm25(corpus, ("text",)), corpus, fields=("title", "text"))
    with pytest.raises(StaleIndex, match="another analyser 'en'"):
        Bm25Channel(build_bm25(corpus), corpus, {"fr": ANALYSERS["fr"]})
    changed = Bm25Index.of_forms([[("kite", "kite")]], ["en"], {"en": "an older fingerprint"})
    with pytest.raises(StaleIndex, match="another analyser 'en'"):
        Bm25Channel(changed, corpus)


def test_saved_and_loaded_it_answers_the_same(tmp_path: Path):
    CODES.index.save(tmp_path)
    loaded = Bm25Channel(Bm25Index.load(tmp_path), CODES.corpus)
    for variant in VARIANTS:
        before, after = (c.search("acute event I21.9", setup(variant)) for c in (CODES, loaded))
        assert after.ids == before.ids
        assert after.scores.tobytes() == before.scores.tobytes()


texts = st.lists(st.sampled_from(["rein", "reins", "lésion", "lesion", "le", "été", "ete", "", "foie"]), max_size=6)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(texts, min_size=1, max_size=10),
    texts,
    st.sampled_from(VARIANTS),
    st.lists(st.booleans(), min_size=10, max_size=10),
)
def test_place_is_the_place_among_all(bodies, query_words, variant, flags):
    languages = ["fr", "en"]
    built = channel(
        [Chunk(id=f"{n * 7 % 10}", text=" ".join(body), language=languages[n % 2]) for n, body in enumerate(bodies)]
    )
    query, allowed = " ".join(query_words), np.array(flags[: len(bodies)])
    for mask in (None, allowed):
        ranking = built.search(query, setup(variant, depth=10_000), mask)
        for chunk_id in built.corpus.ids:
            place = built.place(query, chunk_id, setup(variant), mask)
            assert (place.rank if place else None) == ranking.rank(chunk_id)
            assert (place.score if place else None) == ranking.score(chunk_id)
    for row, chunk_id in enumerate(built.corpus.ids):
        total = sum(part.contribution for part in built.terms(query, chunk_id, setup(variant)))
        assert total == pytest.approx(built.scores(query, setup(variant))[row], abs=1e-9)


@pytest.mark.parametrize("name", ["cranfield"])
def test_parity_with_rank_bm25_on_a_whole_collection(name: str):
    folder = DATASETS / name
    if not folder.is_dir():
        pytest.skip(f"the data set {name} is not in {DATASETS}")
    corpus = Corpus(
        Chunk(id=record["_id"], title=record["title"], text=record["text"], language="en")
        for record in _records(folder, "corpus")
    )
    analyser, texts = analyser_for("en"), corpus.texts(("title", "text"))
    built = Bm25Channel(build_bm25(corpus, ("title", "text")), corpus)
    searched = np.array([bool(text) for text in texts])
    queries = [record["text"] for record in _records(folder, "queries")][:25]
    for side, form in ((0, "exact"), (1, "folded")):
        lists = [[pair[side] for pair in analyser.forms(text)] for text in texts if text]
        for variant, peer in (("okapi", BM25Okapi(lists)), ("plus", BM25Plus(lists))):
            for query in queries:
                pairs = analyser.forms(query)
                tagged = [(f"en:{exact}", f"en:{folded}") for exact, folded in pairs]
                found = built.index.scores(tagged, Bm25Setup(variant=variant), forms=(form,))  # type: ignore[arg-type]
                expected = peer.get_scores([pair[side] for pair in pairs])
                np.testing.assert_allclose(found[searched], expected, atol=1e-9, rtol=0)
                assert not found[~searched].any()


def _records(folder: Path, name: str) -> list[dict[str, str]]:
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    text = plain.read_text("utf-8") if plain.exists() else gzip.decompress(packed.read_bytes()).decode()
    return [json.loads(line) for line in text.split("\n") if line]


def test_importing_it_does_not_import_numba():
    code = "import sys, engine.channels.bm25; print(sorted({'numba', 'torch', 'faiss', 'pandas'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_true_score_of_any_chunk_is_known_however_deep():
    # a blank chunk has none; one without a shared term has 0, also in `plus`, where absent terms score in rank-bm25
    built = channel([Chunk(id="a", text="red kite"), Chunk(id="b"), Chunk(id="c", text="green lamp")])
    for variant in ("okapi", "plus", "lucene"):
        ranking = built.search("kite", setup(variant))
        a, b, c = built.scores_of("kite", ("a", "b", "c"), setup(variant))
        assert (a, c) == (ranking.score("a"), 0.0)
        assert np.isnan(b)
