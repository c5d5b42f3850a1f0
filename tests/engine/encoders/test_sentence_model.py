import json
import shutil

import numpy as np
import pytest

from engine.encoders import load_encoder, minilm
from engine.errors import Unavailable

pytestmark = pytest.mark.model

TEXTS = ["kite", "A red kite over the bay.", "word " * 300]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The packaged MiniLM as a user's folder that declares prompts."""
    path = tmp_path_factory.mktemp("models") / "mine"
    shutil.copytree(minilm.package_folder(minilm.PACKAGE, minilm.REQUIREMENT) / "model", path)
    settings = {"prompts": {"query": "ask ", "document": "tell "}}
    (path / "config_sentence_transformers.json").write_text(json.dumps(settings))
    return path


@pytest.fixture(scope="module")
def encoder(folder):
    return load_encoder(str(folder))


def test_a_folder_encodes_like_the_packaged_model_behind_its_own_prompts(encoder):
    packaged = load_encoder("minilm")
    seen = []
    vectors = encoder.encode_passages(TEXTS, lambda *step: seen.append(step))
    assert np.abs(vectors - packaged.encode_passages([f"tell {text}" for text in TEXTS])).max() < 1e-6
    assert np.abs(encoder.encode_query("kite") - packaged.encode_query("ask kite")).max() < 1e-6
    assert seen[-1] == ("embedding", 3, 3)


def test_a_model_that_cannot_be_loaded_is_named_with_the_reason(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "broken")
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(Unavailable, match=r"broken' cannot be loaded: .*Download it again"):
        load_encoder(str(tmp_path / "broken")).encode_query("kite")


def test_it_says_what_it_is(encoder, folder):
    assert (encoder.name, encoder.dimension, encoder.max_tokens) == (str(folder), 384, 256)
    assert encoder.overflow == "truncated"
    assert "'ask ', 'tell '" in encoder.fingerprint
    assert str(folder) not in encoder.fingerprint
    assert load_encoder(str(folder)) is encoder


def test_tokens_are_counted_with_the_prefix_and_before_anything_is_cut(encoder):
    # [CLS] tell kite [SEP]; [CLS] tell, 300 words, [SEP].
    assert encoder.count_tokens(["kite", "word " * 300]) == [4, 303]
    assert encoder.count_tokens([]) == []


def test_vectors_are_float32_of_length_1(encoder):
    vectors = encoder.encode_passages(TEXTS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
