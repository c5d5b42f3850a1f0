import pytest

from engine.encoders.precomputed import PrecomputedEncoder
from engine.errors import Unavailable


def test_queries_are_refused_with_the_reason_and_the_next_step():
    with pytest.raises(Unavailable, match=r"A query cannot be encoded.*no encoder was named.*Name the encoder"):
        PrecomputedEncoder().encode_query("kite")


def test_new_passages_are_refused():
    with pytest.raises(Unavailable, match="New texts cannot be encoded"):
        PrecomputedEncoder().encode_passages(["kite"])


def test_nothing_is_ever_too_long():
    encoder = PrecomputedEncoder()
    assert encoder.max_tokens is None
    assert encoder.count_tokens(["a", "b"]) == [0, 0]
