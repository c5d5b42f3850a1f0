"""A vocabulary that lies in two plain arrays, so that it can be read by memory map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray


class Vocabulary:
    """Sorted terms: one UTF-8 text in `text` (uint8), and in `ends` (int64) where each term ends in it."""

    def __init__(self, text: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self.text = text
        self.ends = ends

    @classmethod
    def of(cls, terms: Iterable[str]) -> Vocabulary:
        """The vocabulary of terms that are sorted and distinct."""
        encoded = [_encode(term) for term in terms]
        ends = np.cumsum([len(term) for term in encoded], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[str]:
        text, start = self.text.tobytes(), 0
        for end in self.ends.tolist():
            yield text[start:end].decode("utf-8", "surrogatepass")
            start = end


def _encode(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
