import os

import numpy as np
import pytest

from engine.encoders.cache import SLICE, EmbeddingCache, default_folder, encode_passages, encode_query
from engine.encoders.hashing import HashEncoder
from engine.errors import BadInput


class Counting(HashEncoder):
    """The hash encoder, with a record of every text that it was given."""

    def __init__(self):
        self.seen = []

    def encode_passages(self, texts, progress=lambda *step: None):
        self.seen.extend(texts)
        return super().encode_passages(texts, progress)

    def encode_query(self, text):
        self.seen.append(f"query {text}")
        return super().encode_query(text)


class Silent(Counting):
    """Counts passages only: passages of the hash encoder go through its query vectors."""

    def encode_query(self, text):
        return HashEncoder.encode_query(self, text)


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache")


def test_a_text_is_embedded_once_within_a_batch_and_across_runs(cache):
    encoder = Silent()
    first = encode_passages(encoder, ["kite", "lamp", "kite"], cache)
    # Three texts, two of them equal: 2 computed, 1 reused. Then one more text: 1 computed, 3 reused.
    assert (first.computed, first.reused) == (2, 1)
    second = encode_passages(encoder, ["lamp", "kite", "kite", "beam"], EmbeddingCache(cache.folder))
    assert (second.computed, second.reused) == (1, 3)
    assert sorted(encoder.seen) == ["beam", "kite", "lamp"]
    assert np.array_equal(second.vectors[:3], first.vectors[[1, 0, 2]])


def test_vectors_are_those_of_the_encoder(cache):
    texts = [f"text number {number}" for number in range(SLICE + 5)]
    for _ in range(2):
        encoded = encode_passages(HashEncoder(), texts, cache)
        assert encoded.vectors.dtype == np.float32
        assert np.array_equal(encoded.vectors, HashEncoder().encode_passages(texts))


def test_no_texts_give_no_vectors(cache):
    assert encode_passages(HashEncoder(), [], cache).vectors.shape == (0, 256)


def test_blank_texts_are_a_defect_of_the_caller():
    with pytest.raises(ValueError, match="blank texts are never encoded"):
        encode_passages(HashEncoder(), ["kite", " !!! "])


def test_encoders_do_not_share_vectors(cache):
    encode_passages(HashEncoder(), ["kite"], cache)
    other = Silent()
    other.fingerprint = "another revision"
    assert encode_passages(other, ["kite"], cache).computed == 1


def test_queries_and_passages_do_not_share_vectors(cache):
    encoder = Counting()
    encode_passages(Silent(), ["kite"], cache)
    vector = encode_query(encoder, "kite", cache)
    assert np.array_equal(encode_query(encoder, "kite", EmbeddingCache(cache.folder)), vector)
    assert encoder.seen == ["query kite"]


def test_progress_runs_to_the_number_of_texts(cache):
    seen = []
    texts = [f"text {number}" for number in range(SLICE * 2 + 1)]
    encode_passages(HashEncoder(), texts, cache, lambda *step: seen.append(step))
    assert seen == [("embedding", done, 257) for done in (0, 128, 256, 257)]


def test_a_cancelled_run_keeps_what_it_had_embedded(cache):
    texts = [f"text {number}" for number in range(SLICE * 3)]

    def cancel(stage, done, total):
        if done > SLICE * 2:
            raise InterruptedError("stopped")

    with pytest.raises(InterruptedError, match="stopped"):
        encode_passages(HashEncoder(), texts, cache, cancel)
    assert encode_passages(HashEncoder(), texts, cache).reused == SLICE * 2


def test_a_broken_cache_file_is_not_fatal(cache):
    encode_passages(HashEncoder(), ["kite"], cache)
    (file,) = cache.folder.glob("*.sqlite")
    file.write_bytes(b"broken" * 1000)
    assert encode_passages(HashEncoder(), ["kite"], cache).computed == 1
    assert encode_passages(HashEncoder(), ["kite"], cache).reused == 1
    assert cache.problem is None


def test_a_cache_that_cannot_be_written_only_leaves_a_remark(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = EmbeddingCache(tmp_path / "file" / "cache")
    assert encode_passages(HashEncoder(), ["kite"], cache).computed == 1
    assert cache.problem is not None
    assert "cannot be used" in cache.problem


def test_a_problem_is_told_until_it_is_over(tmp_path):
    cache = EmbeddingCache(tmp_path / "cache")
    (tmp_path / "cache").write_text("not a folder")
    encode_query(HashEncoder(), "kite", cache)
    assert cache.problem is not None
    (tmp_path / "cache").unlink()
    encode_query(HashEncoder(), "kite", cache)
    assert cache.problem is None


def test_the_newest_queries_are_kept_and_every_passage(cache, monkeypatch):
    monkeypatch.setattr("engine.encoders.cache.QUERIES_KEPT", 3)
    encode_passages(HashEncoder(), [f"text {number}" for number in range(9)], cache)
    for number in range(5):
        encode_query(HashEncoder(), f"query {number}", cache)
    asked = [f"query {number}" for number in range(5)]
    assert set(cache.read(HashEncoder.fingerprint, "query", asked)) == {"query 2", "query 3", "query 4"}
    assert encode_passages(HashEncoder(), [f"text {number}" for number in range(9)], cache).reused == 9


def test_lone_surrogates_have_a_key(cache):
    encode_query(HashEncoder(), "kite \ud800", cache)
    assert cache.problem is None


def test_a_query_of_which_the_encoder_knows_nothing_is_refused(cache):
    class Silence(HashEncoder):
        def encode_query(self, text):
            return np.zeros(self.dimension, dtype=np.float32)

    with pytest.raises(BadInput, match=r"'hash' knows no word of the query '\?\?\?'\. Use other words"):
        encode_query(Silence(), "???", cache)


def test_the_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path))
    assert EmbeddingCache().folder == tmp_path
    monkeypatch.delenv("RANKSCOPE_CACHE")
    assert default_folder().parts[-1] == "rankscope" or os.name == "nt"
