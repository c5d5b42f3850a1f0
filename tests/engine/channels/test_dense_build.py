import numpy as np
import pytest

from engine.channels.dense_build import build_dense, embed_and_index, searchable_rows
from engine.channels.dense_index import DenseIndex, DenseOptions
from engine.encoders.cache import EmbeddingCache
from engine.encoders.hashing import HashEncoder
from engine.encoders.precomputed import PrecomputedEncoder
from engine.errors import BadInput

TEXTS = ["", "quartz clock", "   ", "quartz vein", "!!!", "oak beam"]


def built(vectors, folder, encoder=None):
    vectors = np.asarray(vectors, dtype=np.float32)
    rows = np.arange(len(vectors))
    return build_dense(vectors, rows, folder, encoder=encoder or PrecomputedEncoder(), corpus_size=len(vectors))


def test_blank_texts_have_no_row():
    assert searchable_rows(TEXTS).tolist() == [1, 3, 5]
    assert searchable_rows([]).tolist() == []


def test_texts_are_embedded_once_and_indexed_without_the_blank_ones(tmp_path):
    cache = EmbeddingCache(tmp_path / "cache")
    first = embed_and_index(TEXTS, tmp_path / "one", encoder=HashEncoder(), cache=cache)
    second = embed_and_index(TEXTS, tmp_path / "two", encoder=HashEncoder(), cache=cache)
    assert (first.computed, first.reused) == (3, 0)
    assert (second.computed, second.reused) == (0, 3)
    index = DenseIndex.load(tmp_path / "one")
    assert index.rows.tolist() == [1, 3, 5]
    assert np.abs(index.vectors - HashEncoder().encode_passages([TEXTS[1], TEXTS[3], TEXTS[5]])).max() < 1e-6


@pytest.mark.parametrize("texts", [[], ["", "   ", "!!!"]])
def test_nothing_to_search_is_an_empty_index(tmp_path, texts):
    assert embed_and_index(texts, tmp_path, encoder=HashEncoder()).manifest.count == 0
    assert DenseIndex.load(tmp_path).rows.tolist() == []


def test_the_manifest_says_what_was_built(tmp_path):
    manifest = embed_and_index(TEXTS, tmp_path, encoder=HashEncoder(), name="summary").manifest
    assert (manifest.kind, manifest.count, manifest.corpus_size, manifest.dimension) == ("flat", 3, 6, 256)
    assert (manifest.encoder, manifest.fingerprint) == ("hash", HashEncoder().fingerprint)
    assert manifest.recall_at_10 is None
    assert DenseIndex.load(tmp_path, "summary").manifest == manifest
    assert {path.name for path in tmp_path.iterdir()} == {"summary.faiss", "summary.rows.npy", "summary.json"}


def test_long_vectors_become_unit_vectors_and_the_input_stays(tmp_path):
    vectors = np.array([[10, 10], [1, 0]], dtype=np.float32)
    built(vectors, tmp_path)
    assert vectors.tolist() == [[10, 10], [1, 0]]
    # Inner products would be 10 and 1 with the query (1, 0); cosines are 1 / sqrt(2) and 1.
    scores = DenseIndex.load(tmp_path).scores(np.array([1, 0], dtype=np.float32))
    assert scores == pytest.approx([0.707107, 1.0], abs=1e-6)


@pytest.mark.parametrize("bad", [[0, 0], [np.nan, 1], [np.inf, 1]])
def test_vectors_without_a_direction_are_refused_with_the_first_row(tmp_path, bad):
    with pytest.raises(BadInput, match=r"2 of 4 vectors have no direction.*the first is that of chunk 2\."):
        built([[1, 0], bad, [0, 1], bad], tmp_path)


def test_vectors_of_another_dimension_than_the_named_encoder_are_refused(tmp_path):
    with pytest.raises(BadInput, match="The vectors have 2 dimensions, and the encoder 'hash' makes 256"):
        built([[1, 0]], tmp_path, HashEncoder())


def test_vectors_and_rows_must_be_parallel(tmp_path):
    with pytest.raises(ValueError, match=r"2 rows but vectors of shape \(1, 2\)"):
        build_dense(np.ones((1, 2), np.float32), np.arange(2), tmp_path, encoder=PrecomputedEncoder(), corpus_size=2)


def test_from_flat_below_on_the_index_is_approximate_and_its_recall_is_kept(tmp_path):
    vectors = np.random.default_rng(3).standard_normal((300, 8)).astype(np.float32)
    seen = []
    manifest = build_dense(
        vectors,
        np.arange(300),
        tmp_path,
        encoder=PrecomputedEncoder(),
        corpus_size=300,
        options=DenseOptions(flat_below=300),
        progress=lambda *step: seen.append(step),
    )
    assert manifest.kind == "hnsw"
    assert 0.9 < manifest.recall_at_10 <= 1
    assert 0.9 < manifest.recall_at_100 <= 1
    assert DenseIndex.load(tmp_path).manifest == manifest
    assert seen == [("indexing", 0, 300), ("indexing", 300, 300)]
