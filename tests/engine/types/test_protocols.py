import inspect

import pytest

from engine.channels.bm25 import Bm25Channel
from engine.channels.dense import DenseChannel
from engine.encoders.e5 import E5Small
from engine.encoders.hashing import HashEncoder
from engine.encoders.minilm import MiniLm
from engine.encoders.precomputed import PrecomputedEncoder
from engine.encoders.sentence_model import SentenceModel
from engine.types import Channel, Encoder


@pytest.mark.parametrize(
    ("part", "protocol"),
    [
        (Bm25Channel, Channel),
        (DenseChannel, Channel),
        (HashEncoder, Encoder),
        (MiniLm, Encoder),
        (E5Small, Encoder),
        (SentenceModel, Encoder),
        (PrecomputedEncoder, Encoder),
    ],
)
def test_methods_take_what_the_protocol_says(part, protocol):
    for name, method in inspect.getmembers(protocol, inspect.isfunction):
        if not name.startswith("_"):
            assert list(inspect.signature(getattr(part, name)).parameters) == list(inspect.signature(method).parameters)
