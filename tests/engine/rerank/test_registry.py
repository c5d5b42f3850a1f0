import pytest

from engine.errors import BadInput, Unavailable
from engine.rerank.cache import ScoreCache
from engine.rerank.registry import RERANKERS, load_reranker


def test_every_registered_reranker_can_be_chosen():
    for name, spec in RERANKERS.items():
        made = spec.make()
        assert made.name == name == spec.name
        assert frozenset(spec.languages) == made.languages
        assert spec.packaged
        assert len(spec.help.split(". ")) == 1


def test_a_reranker_keeps_its_scores_where_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "user"))
    assert load_reranker("english").cache.folder == tmp_path / "user"
    assert load_reranker("english", ScoreCache(tmp_path)).cache.folder == tmp_path


def test_an_address_is_a_service():
    assert load_reranker("http://localhost:7/rerank#m").name == "http://localhost:7/rerank#m"
    with pytest.raises(BadInput, match="ends in /rerank"):
        load_reranker("HTTP://localhost:7/")


@pytest.mark.parametrize(
    ("name", "repository"),
    [("no-such-model", "cross-encoder/no-such-model"), ("some/thing", "some/thing"), ("a b", "cross-encoder/a b")],
)
def test_a_model_that_is_not_here_is_refused_with_the_line_that_fetches_it(name, repository):
    with pytest.raises(
        Unavailable, match=rf"The reranker '{name}' is not on this machine\. Run `hf download {repository}"
    ):
        load_reranker(name)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadInput, match="holds no model"):
        load_reranker(str(tmp_path))
