import json
import os

import pytest

from engine.encoders.model_folder import find_model
from engine.errors import BadInput, Unavailable


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "my-model"
    path.mkdir()
    (path / "modules.json").write_text("[]")
    (path / "model.safetensors").write_bytes(b"weights")
    return path


def declare(folder, prompts):
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))


def test_a_folder_is_a_model_with_the_digest_of_its_files_as_revision(folder):
    model = find_model(str(folder))
    assert (model.name, model.path) == (str(folder), folder)
    assert (model.query_prefix, model.passage_prefix) == ("", "")
    moved = folder.rename(folder.with_name("moved"))
    assert find_model(str(moved)).revision == model.revision
    (moved / "model.safetensors").write_bytes(b"other weights")
    assert find_model(str(moved)).revision != model.revision


def test_files_of_the_same_time_and_size_are_not_read_again(folder):
    weights = folder / "model.safetensors"
    first, time = find_model(str(folder)).revision, weights.stat().st_mtime_ns
    weights.write_bytes(b"WEIGHTS")
    os.utime(weights, ns=(time, time))
    assert find_model(str(folder)).revision == first
    os.utime(weights, ns=(time, time + 1_000_000_000))
    assert find_model(str(folder)).revision != first


@pytest.mark.parametrize("key", ["document", "passage", "corpus"])
def test_declared_prompts_are_used(folder, key):
    declare(folder, {"query": "ask: ", key: "tell: "})
    model = find_model(str(folder))
    assert (model.query_prefix, model.passage_prefix) == ("ask: ", "tell: ")


def test_a_missing_prompt_is_an_empty_prefix(folder):
    declare(folder, {"query": "ask: ", "document": ""})
    model = find_model(str(folder))
    assert (model.query_prefix, model.passage_prefix) == ("ask: ", "")


@pytest.mark.parametrize(
    ("name", "prefixes"),
    [
        ("multilingual-e5-small", ("query: ", "passage: ")),
        ("e5-base-v2", ("query: ", "passage: ")),
        ("multilingual-e5-large-instruct", ("", "")),
        ("some5-small", ("", "")),
    ],
)
def test_e5_models_get_the_prefixes_that_they_do_not_declare(folder, name, prefixes):
    model = find_model(str(folder.rename(folder.with_name(name))))
    assert (model.query_prefix, model.passage_prefix) == prefixes


def test_a_name_whose_files_are_in_the_hugging_face_cache_is_found(monkeypatch, tmp_path):
    from huggingface_hub import constants

    commit = "0123456789abcdef0123456789abcdef01234567"
    cached = tmp_path / "models--sentence-transformers--tiny"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(commit)
    (cached / "snapshots" / commit).mkdir(parents=True)
    (cached / "snapshots" / commit / "modules.json").write_text("[]")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    for name in ("tiny", "sentence-transformers/tiny"):
        model = find_model(name)
        assert (model.name, model.revision, model.path.name) == (name, commit, commit)


def test_a_model_that_is_not_here_is_never_downloaded():
    with pytest.raises(Unavailable, match=r"'tiny' is not on this machine.*hf download sentence-transformers/tiny"):
        find_model("tiny")


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(BadInput, match="holds no model"):
        find_model(str(tmp_path))


def test_settings_that_cannot_be_read_are_refused(folder):
    (folder / "config_sentence_transformers.json").write_text("{")
    with pytest.raises(BadInput, match=r"config_sentence_transformers\.json cannot be read\. Download the model again"):
        find_model(str(folder))


def test_settings_without_prompts_are_fine(folder):
    declare(folder, None)
    assert find_model(str(folder)).query_prefix == ""


def test_pickled_weights_beside_safe_ones_are_no_matter(folder):
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert find_model(str(folder)).path == folder


@pytest.mark.parametrize("module", ["", "2_Dense"])
def test_pickled_weights_are_refused(folder, module):
    (folder / module).mkdir(exist_ok=True)
    (folder / module / "pytorch_model.bin").write_bytes(b"")
    if not module:
        (folder / "model.safetensors").unlink()
    with pytest.raises(BadInput, match=r"pickled \(\.bin\).*safetensors"):
        find_model(str(folder))
