"""Text to unit vectors, never the same text twice."""

from engine.encoders.cache import EmbeddingCache, Encoded, encode_passages, encode_query
from engine.encoders.fit import OverLong, over_long
from engine.encoders.hashing import HashEncoder
from engine.encoders.registry import ENCODERS, EncoderSpec, default_encoder, load_encoder

__all__ = [
    "ENCODERS",
    "EmbeddingCache",
    "Encoded",
    "EncoderSpec",
    "HashEncoder",
    "OverLong",
    "default_encoder",
    "encode_passages",
    "encode_query",
    "load_encoder",
    "over_long",
]
