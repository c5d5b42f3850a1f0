import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.encoders.hashing import HashEncoder

ENCODER = HashEncoder()


def test_the_vector_of_a_short_word_by_hand():
    # "ab": the word, the groups of 3 "<ab" and "ab>", and of 4 "<ab>": four features of +-1 each.
    expected = np.zeros(256)
    for feature in (b"ab", b"<ab", b"ab>", b"<ab>"):
        code = zlib.crc32(feature)
        expected[code % 256] += -1 if code >> 16 & 1 else 1
    assert ENCODER.encode_query("AB") == pytest.approx(expected / np.sqrt((expected**2).sum()))


def test_texts_that_share_words_are_nearer_than_texts_that_do_not():
    query, near, far = ENCODER.encode_passages(["quartz clock", "a quartz vein", "oak beam"])
    assert query @ near > 0.4 > abs(query @ far)


def test_queries_and_passages_are_read_alike():
    assert np.array_equal(ENCODER.encode_passages(["río"])[0], ENCODER.encode_query("río"))


@given(st.text())
def test_every_text_has_one_unit_vector(text):
    vector = ENCODER.encode_query(text)
    assert vector.dtype == np.float32
    assert vector.shape == (256,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(vector, ENCODER.encode_query(text))


def test_no_texts_give_no_vectors():
    assert ENCODER.encode_passages([]).shape == (0, 256)
    assert ENCODER.count_tokens(["two words", ""]) == [2, 0]
