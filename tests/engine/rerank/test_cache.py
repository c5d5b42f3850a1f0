import numpy as np
import pytest

from engine.rerank.cache import CachedReranker, ScoreCache


class Lengths:
    """Scores a text by its length over that of the query, and remembers what it was asked."""

    name, fingerprint, languages, gives = "lengths", "lengths 1", frozenset({"en"}), "logit"

    def __init__(self):
        self.seen = []

    def scores(self, query, texts):
        self.seen.append((query, tuple(texts)))
        return np.array([len(text) / len(query) for text in texts])


@pytest.fixture
def cache(tmp_path):
    return ScoreCache(tmp_path / "cache")


def test_a_pair_is_read_once_across_processes(cache):
    model = Lengths()
    # 4/3, 5/3, 4/3: two texts are equal and scored once
    first = CachedReranker(model, cache).scores("ask", ["kite", "lamps", "kite"])
    assert first.tolist() == [4 / 3, 5 / 3, 4 / 3]
    again = CachedReranker(model, ScoreCache(cache.folder)).scores("ask", ["lamps", "kite", "beam"])
    assert again.tolist() == [5 / 3, 4 / 3, 4 / 3]
    assert model.seen == [("ask", ("kite", "lamps")), ("ask", ("beam",))]


def test_queries_texts_and_models_do_not_share_scores(cache):
    model, other = Lengths(), Lengths()
    other.fingerprint = "lengths 2"
    CachedReranker(model, cache).scores("ab", ["c"])
    assert CachedReranker(model, cache).scores("a", ["bc"]).tolist() == [2.0]
    CachedReranker(other, cache).scores("ab", ["c"])
    assert len(model.seen) == 2
    assert len(other.seen) == 1


def test_all_known_asks_no_model(cache):
    CachedReranker(Lengths(), cache).scores("ask", ["kite"])
    silent = Lengths()
    assert CachedReranker(silent, cache).scores("ask", ["kite"]).tolist() == [4 / 3]
    assert CachedReranker(silent, cache).scores("ask", []).shape == (0,)
    assert silent.seen == []


def test_it_is_what_it_wraps(cache):
    wrapped = CachedReranker(Lengths(), cache)
    assert (wrapped.name, wrapped.fingerprint, wrapped.languages, wrapped.gives) == (
        "lengths",
        "lengths 1",
        frozenset({"en"}),
        "logit",
    )


def test_a_score_that_is_not_finite_is_not_taken_from_the_cache(cache):
    cache.write("lengths 1", "ask", {"kite": float("nan"), "lamp": float("inf")})
    assert cache.read("lengths 1", "ask", ["kite", "lamp"]) == {}


def test_a_cache_that_cannot_be_written_only_leaves_a_remark(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = ScoreCache(tmp_path / "file" / "cache")
    assert CachedReranker(Lengths(), cache).scores("ask", ["kite"]).tolist() == [4 / 3]
    assert "cannot be used" in cache.problem


def test_lone_surrogates_have_a_key(cache):
    CachedReranker(Lengths(), cache).scores("ask \ud800", ["kite"])
    assert cache.problem is None


def test_the_folder_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path))
    assert ScoreCache().folder == tmp_path
