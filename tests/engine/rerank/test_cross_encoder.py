import json

import numpy as np
import pytest

from engine.errors import BadInput, Unavailable
from engine.rerank.cross_encoder import declared_languages
from engine.rerank.registry import load_reranker

pytestmark = pytest.mark.model

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "red", "kite", "lamp", "how", "high", "?")
TEXTS = ["red kite", "lamp", "how high red red kite lamp", "lamp"]


def tiny(path, labels=1):
    """A cross-encoder of random weights with one layer, saved as users have them."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    path.mkdir(parents=True)
    (path / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(7)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = BertConfig(vocab_size=len(WORDS), max_position_embeddings=64, num_labels=labels, **shape)
    config.initializer_range = 1.0
    BertForSequenceClassification(config).eval().save_pretrained(path)
    BertTokenizer(str(path / "vocab.txt"), model_max_length=64).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("models") / "mine")


@pytest.fixture
def reranker(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path))
    return load_reranker(str(folder))


def test_it_gives_the_logits_of_the_model_itself(reranker, folder):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        expected = [model(**tokenizer("how high ?", text, return_tensors="pt")).logits.item() for text in TEXTS]
    scores = reranker.scores("how high ?", TEXTS)
    assert reranker.gives == "logit"
    assert scores.dtype == np.float64
    assert scores.tolist() == pytest.approx(expected, abs=1e-5)
    assert len({round(score, 6) for score in expected}) == 3  # the model tells the texts apart
    assert scores[1] == scores[3]


def test_it_says_what_it_is(reranker, folder):
    assert (reranker.name, reranker.languages) == (str(folder), None)
    assert str(folder) not in reranker.fingerprint


def test_a_text_beyond_the_limit_is_truncated(reranker):
    scores = reranker.scores("kite", ["red " * 100, "red " * 100 + "lamp"])
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_a_model_of_several_numbers_is_refused(tmp_path):
    model = load_reranker(str(tiny(tmp_path / "three", labels=3)))
    with pytest.raises(BadInput, match="gives a pair 3 numbers; a reranker gives one"):
        model.scores("kite", ["lamp"])


def test_a_model_that_cannot_be_loaded_is_named_with_the_reason(tmp_path):
    path = tiny(tmp_path / "broken")
    (path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(Unavailable, match=r"broken' cannot be loaded: .*Download it again"):
        load_reranker(str(path)).scores("kite", ["lamp"])


def test_pickled_weights_are_refused(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({}))
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(BadInput, match="are pickled"):
        load_reranker(str(tmp_path))


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ("---\nlanguage: en\n---\n", {"en"}),
        ("---\nlanguage:\n- fr-FR\n- spa\n---\n", {"fr", "es"}),
        ("---\nlanguage: multilingual\n---\n", None),
        ("---\nlicense: mit\n---\n", None),
        ("No card.\n", None),
        ("---\nlanguage: [en\n---\n", None),
    ],
)
def test_languages_are_those_of_the_model_card(tmp_path, card, languages):
    (tmp_path / "README.md").write_text(card)
    assert declared_languages(tmp_path) == (languages and frozenset(languages))


def test_without_a_card_no_language_is_declared(tmp_path):
    assert declared_languages(tmp_path) is None
