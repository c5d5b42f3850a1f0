import gc
import subprocess
import sys
import weakref
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.channels.dense import DenseChannel, DenseIndex, DenseOptions, build_dense, embed_and_index
from engine.channels.origin import Origin
from engine.corpus.corpus import Corpus
from engine.corpus.fields import DENSE_FIELDS
from engine.encoders.cache import EmbeddingCache
from engine.encoders.hashing import HashEncoder
from engine.encoders.precomputed import PrecomputedEncoder
from engine.errors import BadInput, StaleIndex, Unavailable, UnknownName
from engine.types import Chunk, Filter, Setup


class Plane(HashEncoder):
    """Two dimensions: a query is its vector, written as `x y`."""

    name = "plane"
    dimension = 2
    fingerprint = "plane"

    def encode_query(self, text):
        vector = np.array([float(part) for part in text.split()])
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def depth(n):
    return Setup().with_channel("dense", depth=n)


def plane_channel(folder, vectors, ids: Sequence[str] | None = None, blank=(), options=None, **chunk_fields):
    """A channel over chunks with these vectors; the rows in `blank` have an empty text and no vector."""
    count = len(vectors) + len(blank)
    ids = ids or [f"c{row}" for row in range(count)]
    rows = np.array([row for row in range(count) if row not in blank])
    build_dense(np.array(vectors, np.float32), rows, folder, encoder=Plane(), corpus_size=count, options=options)
    chunks = [Chunk(id=ids[row], text="" if row in blank else "text", **chunk_fields) for row in range(count)]
    return DenseChannel(DenseIndex.load(folder), Corpus(chunks), Plane())


def text_channel(folder, texts, encoder=None, cache=None):
    corpus = Corpus(Chunk(id=chunk_id, text=text) for chunk_id, text in texts.items())
    encoder = encoder or HashEncoder()
    embed_and_index(corpus.texts(DENSE_FIELDS), folder, encoder=encoder, cache=cache)
    return DenseChannel(DenseIndex.load(folder), corpus, encoder, cache)


def test_cosine_not_inner_product(tmp_path):
    """Query (1, 0), A (10, 10), B (1, 0): B 1.0 and A 0.707107; inner products would put A first with 10."""
    ranking = plane_channel(tmp_path, [[10, 10], [1, 0]], ["A", "B"]).search("1 0", Setup())
    assert ranking.ids == ("B", "A")
    assert ranking.scores == pytest.approx([1.0, 0.707107], abs=1e-6)
    assert ranking.scores.max() <= 1.0
    assert ranking.source == "dense"


def test_blank_chunks_are_in_the_corpus_but_not_in_the_index(tmp_path):
    """Ids a to f, `a` and `c` blank; query `quartz`: b and d first, and neither a nor c at any depth."""
    texts = {"a": "", "b": "quartz clock", "c": "", "d": "quartz vein", "e": "iron nail", "f": "oak beam"}
    channel = text_channel(tmp_path, texts)
    ranking = channel.search("quartz", depth(10))
    assert set(ranking.ids[:2]) == {"b", "d"}
    assert set(ranking.ids) == {"b", "d", "e", "f"}
    assert channel.place("quartz", "a", Setup()) is None
    assert channel.vector("a") is None
    assert len(channel.neighbours("a", 3)) == 0
    scores = channel.scores_of("quartz", tuple(texts), Setup())
    assert np.isnan(scores).tolist() == [True, False, True, False, False, False]


def test_a_vector_that_goes_while_it_is_looked_up_is_made_again(tmp_path):
    """Another session may drop the vector between any two steps; here it does so after each look."""

    class Dropping(dict):
        def __contains__(self, query):
            found = super().__contains__(query)
            self.pop(query, None)
            return found

    channel = plane_channel(tmp_path, [[1, 0], [0, 1]])
    channel._vectors = Dropping({"1 0": channel.query_vector("1 0")})
    assert channel.query_vector("1 0").tolist() == [1, 0]


def test_a_channel_let_go_is_freed_without_the_garbage_collector(tmp_path):
    channel = plane_channel(tmp_path, [[1, 0], [0, 1]])
    channel.place("1 0", "c1", Setup())
    seen = weakref.ref(channel)
    gc.disable()
    try:
        del channel
        assert seen() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("texts", [{}, {"a": "", "b": "   ", "c": "!!!"}])
def test_nothing_searchable_is_an_empty_answer(tmp_path, texts):
    channel = text_channel(tmp_path, texts)
    assert len(channel.search("quartz", Setup())) == 0
    assert np.isnan(channel.scores_of("quartz", tuple(texts), Setup())).tolist() == [True] * len(texts)


def test_a_depth_beyond_the_index_gives_all_and_no_placeholder(tmp_path):
    """Six vectors, depth 10: six hits, the last chunk only in its own place."""
    vectors = [[1, 0], [0.9, 0.1], [0.5, 0.5], [0, 1], [-0.5, 0.5], [-1, 0]]
    ranking = plane_channel(tmp_path, vectors).search("1 0", depth(10))
    assert ranking.ids == ("c0", "c1", "c2", "c3", "c4", "c5")
    assert np.isfinite(ranking.scores).all()


def language_channel(folder, options=None):
    """50 English chunks within 0.06 of the query, three French ones further and further away."""
    english = [[1, row / 1000] for row in range(50)]
    french = [[1, 0.3], [1, 0.2], [1, 0.1]]
    vectors = np.array(english + french, np.float32)
    build_dense(vectors, np.arange(53), folder, encoder=Plane(), corpus_size=53, options=options)
    chunks = [Chunk(id=f"en{row:02}", text="x", language="en") for row in range(50)]
    chunks += [Chunk(id=f"fr{row}", text="x", language="fr") for row in range(3)]
    return DenseChannel(DenseIndex.load(folder), Corpus(chunks), Plane())


@pytest.mark.parametrize("options", [None, DenseOptions(flat_below=1)])
def test_a_filter_never_starves_the_answer(tmp_path, options):
    channel = language_channel(tmp_path, options)
    allowed = Corpus(channel._corpus).mask((Filter(field="language", values=("fr",)),))
    assert channel.search("1 0", depth(3), allowed).ids == ("fr2", "fr1", "fr0")
    # Rank 1 of 3 among the French, 51 of 53 among all.
    assert channel.place("1 0", "fr2", depth(3), allowed).rank == 1
    assert channel.place("1 0", "fr2", depth(3)).rank == 51
    assert channel.place("1 0", "en00", depth(3), allowed) is None


def test_twenty_equal_texts_are_ordered_by_id_even_at_the_cut(tmp_path):
    """d00 to d04 of 20 identical texts, whatever their order in the corpus."""
    ids = [f"d{number:02}" for number in np.random.default_rng(2).permutation(20)]
    channel = text_channel(tmp_path, dict.fromkeys(ids, "the same text"))
    ranking = channel.search("another text", depth(5))
    assert ranking.ids == ("d00", "d01", "d02", "d03", "d04")
    assert len(set(ranking.scores.tolist())) == 1
    assert [channel.place("another text", f"d{number:02}", Setup()).rank for number in (0, 5, 19)] == [1, 6, 20]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["kite", "red kite", "lamp", "", "oak beam", "?"]), max_size=12), st.integers(1, 15))
def test_every_place_agrees_with_the_ranking_and_with_brute_force(tmp_path_factory, texts, n):
    folder = tmp_path_factory.mktemp("dense")
    channel = text_channel(folder, {f"c{row}": text for row, text in enumerate(texts)})
    ranking = channel.search("red lamp", depth(n))
    query = HashEncoder().encode_query("red lamp").astype(np.float64)
    cosines = {
        f"c{row}": float(HashEncoder().encode_passages([text])[0].astype(np.float64) @ query)
        for row, text in enumerate(texts)
        if text not in ("", "?")
    }
    assert [round(score, 6) for score in ranking.scores] == sorted(
        (round(c, 6) for c in cosines.values()), reverse=True
    )[:n]
    for chunk_id in channel._corpus.ids:
        place = channel.place("red lamp", chunk_id, Setup())
        assert (place is None) == (chunk_id not in cosines)
        if ranking.rank(chunk_id) is not None:
            assert (place.rank, place.score) == (ranking.rank(chunk_id), ranking.score(chunk_id))


def test_scores_are_the_same_for_every_depth_and_filter(tmp_path):
    channel = language_channel(tmp_path)
    everyone = np.ones(53, dtype=np.bool_)
    for ranking in (channel.search("1 0", depth(4)), channel.search("1 0", depth(53), everyone)):
        assert np.array_equal(ranking.scores, channel.scores_of("1 0", ranking.ids, Setup()))


def test_an_approximate_index_says_how_good_it_is_and_scores_exactly(tmp_path):
    random = np.random.default_rng(4)
    vectors = random.standard_normal((500, 2))
    channel = plane_channel(tmp_path / "hnsw", vectors, options=DenseOptions(flat_below=1))
    exact = plane_channel(tmp_path / "flat", vectors)
    approximate, true = channel.search("1 2", depth(10)), exact.search("1 2", depth(10))
    assert approximate.ids == true.ids
    assert np.array_equal(approximate.scores, true.scores)
    (note,) = channel.notes("1 2", Setup())
    assert note.code == "approximate search"
    assert "of the true first 10 and" in note.text
    assert exact.notes("1 2", Setup()) == ()


def test_neighbours_leave_out_the_chunk_itself(tmp_path):
    channel = plane_channel(tmp_path, [[1, 0], [1, 1], [1, 0], [0, 1]])
    ranking = channel.neighbours("c0", 2)
    # c2 has the same vector (1), c1 lies at 45 degrees (0.707107).
    assert ranking.ids == ("c2", "c1")
    assert ranking.scores == pytest.approx([1, 0.707107], abs=1e-6)
    assert channel.vector("c1") == pytest.approx([0.707107, 0.707107], abs=1e-6)


def test_unknown_chunks_are_refused(tmp_path):
    channel = plane_channel(tmp_path, [[1, 0]])
    for ask in (channel.vector, lambda chunk_id: channel.neighbours(chunk_id, 1)):
        with pytest.raises(UnknownName, match="'nobody'"):
            ask("nobody")


def test_another_encoder_is_refused_before_searching_with_both_names_and_dimensions(tmp_path):
    """Index with 2 dimensions, query encoder with 256."""
    channel = plane_channel(tmp_path, [[1, 0]])
    other = DenseChannel(channel.index, channel._corpus, HashEncoder())
    with pytest.raises(StaleIndex, match=r"'plane' \(2 dimensions\).*'hash' \(256 dimensions\).*Rebuild"):
        other.search("1 0", Setup())
    with pytest.raises(StaleIndex, match="Rebuild"):
        other.place("1 0", "c0", Setup())


def test_an_encoder_that_breaks_its_word_is_refused_too(tmp_path):
    class Longer(Plane):
        def encode_query(self, text):
            return np.ones(3, dtype=np.float32) / np.sqrt(3).astype(np.float32)

    channel = plane_channel(tmp_path, [[1, 0]])
    with pytest.raises(StaleIndex, match=r"\(2 dimensions\).*\(3 dimensions\)"):
        DenseChannel(channel.index, channel._corpus, Longer()).search("1 0", Setup())


def test_an_index_of_another_corpus_is_refused(tmp_path):
    channel = plane_channel(tmp_path, [[1, 0]])
    with pytest.raises(StaleIndex, match=r"is of 1 chunks, the corpus has 0\. Rebuild"):
        DenseChannel(channel.index, Corpus([]), Plane())


def test_an_index_of_other_texts_or_fields_is_refused(tmp_path):
    kite, oak = (Corpus([Chunk(id="a", text=text)]) for text in ("red kite", "green oak"))
    embed_and_index(kite.texts(("text",)), tmp_path, encoder=HashEncoder(), origin=Origin.of(kite, ("text",)))
    index = DenseIndex.load(tmp_path)
    assert DenseChannel(index, kite, HashEncoder(), fields=("text",)).search("kite", Setup()).ids == ("a",)
    with pytest.raises(StaleIndex, match="'dense' was made from other texts"):
        DenseChannel(index, oak, HashEncoder())
    with pytest.raises(StaleIndex, match="reads the fields text, the collection asks for title, text"):
        DenseChannel(index, kite, HashEncoder(), fields=DENSE_FIELDS)


def test_a_query_without_text_is_refused(tmp_path):
    channel = text_channel(tmp_path, {"a": "kite"})
    for query in ("", "  "):
        with pytest.raises(BadInput, match=r"The query is empty\. Type a query"):
            channel.search(query, Setup())


@pytest.mark.parametrize("query", ["the of and", "???", "😀"])
def test_queries_of_stop_words_or_symbols_still_have_an_answer(tmp_path, query):
    assert len(text_channel(tmp_path, {"a": "kite", "b": "lamp"}).search(query, Setup())) == 2


def test_vectors_of_the_file_alone_answer_no_query(tmp_path):
    build_dense(np.eye(2, dtype=np.float32), np.arange(2), tmp_path, encoder=PrecomputedEncoder(), corpus_size=2)
    corpus = Corpus([Chunk(id="a", text="x"), Chunk(id="b", text="y")])
    channel = DenseChannel(DenseIndex.load(tmp_path), corpus, PrecomputedEncoder())
    with pytest.raises(Unavailable, match="no encoder was named"):
        channel.search("kite", Setup())
    assert channel.neighbours("a", 5).ids == ("b",)


class Loading:
    """A function that finds an encoder, and counts how often it is asked."""

    def __init__(self, encoder):
        self.encoder = encoder
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return self.encoder


def test_the_encoder_is_found_when_a_query_has_no_vector_yet(tmp_path):
    cache = EmbeddingCache(tmp_path / "cache")
    channel = text_channel(tmp_path, {"a": "kite", "b": "lamp"}, cache=cache)
    loading = Loading(HashEncoder())
    first = DenseChannel(channel.index, channel._corpus, loading, cache)
    assert not first.has_query_vector("red kite")
    before = first.search("red kite", Setup())
    assert first.has_query_vector("red kite")
    first.place("red kite", "a", Setup())
    assert loading.asked == 1
    # Another process, or the same after a restart: the cache has the vector, the encoder stays where it is.
    second = DenseChannel(channel.index, channel._corpus, loading, EmbeddingCache(cache.folder))
    assert second.has_query_vector("red kite")
    assert np.array_equal(second.search("red kite", Setup()).scores, before.scores)
    assert loading.asked == 1


def test_without_a_cache_a_query_is_encoded_once_per_channel(tmp_path):
    channel = text_channel(tmp_path, {"a": "kite"})
    loading = Loading(HashEncoder())
    lone = DenseChannel(channel.index, channel._corpus, loading)
    for _ in range(3):
        lone.search("red kite", Setup())
    assert loading.asked == 1


def test_only_so_many_query_vectors_are_held(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.channels.dense._QUERIES_KEPT", 2)
    channel = text_channel(tmp_path, {"a": "kite"})
    for query in ("one", "two", "one", "three"):
        channel.query_vector(query)
    assert [channel.has_query_vector(query) for query in ("one", "two", "three")] == [True, False, True]


def test_a_query_beyond_the_limit_gets_a_note(tmp_path):
    class Three(HashEncoder):
        max_tokens = 3

    channel = text_channel(tmp_path, {"a": "kite"}, Three())
    assert channel.notes("a b c", Setup()) == ()
    (note,) = channel.notes("a b c d", Setup())
    assert note.code == "long query"
    assert note.text == "The query has 4 tokens, the encoder reads 3 at once: it is cut there."


def test_a_cache_that_cannot_be_used_gets_a_note(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = EmbeddingCache(tmp_path / "file" / "cache")
    channel = text_channel(tmp_path / "index", {"a": "kite"}, cache=cache)
    assert len(channel.search("kite", Setup())) == 1
    (note,) = channel.notes("kite", Setup())
    assert note.code == "embedding cache"


def test_a_channel_of_another_name_has_its_own_depth(tmp_path):
    corpus = Corpus(Chunk(id=f"c{row}", summary=f"summary {row}") for row in range(4))
    embed_and_index(corpus.texts(("summary",)), tmp_path, encoder=HashEncoder(), name="summary")
    channel = DenseChannel(DenseIndex.load(tmp_path, "summary"), corpus, HashEncoder(), name="summary")
    ranking = channel.search("summary", Setup().with_channel("summary", depth=3))
    assert (ranking.source, len(ranking), channel.label) == ("summary", 3, "Summary")


START = """
import sys, threading
{imports}
import numpy as np
from pathlib import Path
from engine.channels.dense import DenseChannel, DenseIndex, embed_and_index
from engine.corpus.corpus import Corpus
from engine.encoders import load_encoder
from engine.types import Chunk, Setup
corpus = Corpus(Chunk(id=str(row), text=f"text {{row}}") for row in range(20))
embed_and_index([chunk.text for chunk in corpus], Path(sys.argv[1]), encoder=load_encoder("minilm"))
channel = DenseChannel(DenseIndex.load(Path(sys.argv[1])), corpus, load_encoder("minilm"))
found = []
def session(name):
    for number in range(100):
        found.append(len(channel.search(f"text {{number % 20}}", Setup())))
sessions = [threading.Thread(target=session, args=(name,)) for name in "ab"]
[thread.start() for thread in sessions]
[thread.join() for thread in sessions]
import os
child = os.fork()
if child == 0:
    os._exit(0 if len(channel.search("text 1", Setup())) == 20 else 1)
assert os.waitpid(child, 0)[1] == 0
assert found == [20] * 200
assert __import__("torch").get_num_threads() == 1
"""


@pytest.mark.model
@pytest.mark.parametrize("imports", ["import engine, faiss, torch", "import engine, torch, faiss"])
def test_two_sessions_search_whatever_is_imported_first(tmp_path, imports):
    """200 single searches from two sessions, then a fork: no crash and no warning."""
    code = START.format(imports=imports)
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
    )
    assert (result.returncode, result.stderr) == (0, "")
