"""An encoder without a model: hashed words and letter groups. For tests, and for collections that need no semantics."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from engine.encoders.readable import readable
from engine.types import Progress, Vectors, no_progress

DIMENSION = 256
GROUPS = (3, 4)
"""Lengths of the letter groups taken from each word, its two ends marked."""


class HashEncoder:
    """Texts to unit vectors of 256 numbers by the hashing trick: near where they share words and parts of words.

    Each word, and each group of 3 and 4 letters in it, adds 1 or −1 to the component that its CRC-32 chooses
    (Weinberger et al., Feature Hashing, ICML 2009). Case is folded, accents count. Any text has a vector, even one
    whose features cancel out; the same text has the same vector on every machine.
    """

    name = "hash"
    dimension = DIMENSION
    max_tokens: int | None = None
    overflow: Literal["truncated", "windowed"] = "truncated"
    fingerprint = f"hash words and letter groups {GROUPS}, crc32, {DIMENSION} components, unit"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words of each text, separated by white space."""
        return [len(text.split()) for text in texts]

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """One vector per text, shape (len(texts), 256)."""
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.encode_query(text)
        progress("embedding", len(texts), len(texts))
        return vectors

    def encode_query(self, text: str) -> Vectors:
        """One vector, shape (256,): queries and passages are read alike."""
        hashes = np.array([zlib.crc32(feature.encode()) for feature in _features(text)] or [0], dtype=np.int64)
        signs = np.where(hashes >> 16 & 1, -1.0, 1.0)
        vector = np.bincount(hashes % DIMENSION, weights=signs, minlength=DIMENSION)
        if not vector.any():
            vector[zlib.crc32(readable(text).encode()) % DIMENSION] = 1.0
        unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


def _features(text: str) -> Iterator[str]:
    for word in readable(text).casefold().split():
        yield word
        marked = f"<{word}>"
        for length in GROUPS:
            yield from (marked[start : start + length] for start in range(len(marked) - length + 1))
