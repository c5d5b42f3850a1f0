"""The stand-in for vectors that came with the data and whose encoder is not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NoReturn

from engine.errors import Unavailable
from engine.types import Progress, Vectors, no_progress


class PrecomputedEncoder:
    """No encoder: passages keep the vectors of their file, and a query cannot be placed among them.

    `dimension` is 0, for it is the file's. Both ways of encoding raise `Unavailable`.
    """

    name = "precomputed"
    dimension = 0
    max_tokens: int | None = None
    overflow: Literal["truncated", "windowed"] = "truncated"
    fingerprint = "precomputed"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """No tokens: nothing is read."""
        return [0] * len(texts)

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """Never a vector: `Unavailable`."""
        _refuse("New texts cannot be encoded")

    def encode_query(self, text: str) -> Vectors:
        """Never a vector: `Unavailable`."""
        _refuse("A query cannot be encoded")


def _refuse(what: str) -> NoReturn:
    raise Unavailable(
        f"{what}: the vectors of this collection came with its file, and no encoder was named.",
        "Name the encoder that made them when you build the collection.",
    )
