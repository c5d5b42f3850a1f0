"""The parts that make rankings and vectors, as the engine sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from engine.types.ranking import Place, Ranking
from engine.types.setup import Setup
from engine.types.trace import Note
from engine.types.values import Floats, Mask, Progress, Vectors, no_progress


class Channel(Protocol):
    """A source of rankings over one corpus. `allowed`, where given, masks the corpus rows (an exact prefilter)."""

    @property
    def name(self) -> str:
        """`bm25`, `dense`, `summary`, …: the key of its knobs and columns."""

    @property
    def label(self) -> str:
        """The name for readers."""

    @property
    def scale(self) -> str:
        """What its scores mean, with their range, in a few words."""

    @property
    def floor(self) -> float:
        """The lowest score that the scale allows in theory: 0 for BM25, -1 for a cosine."""

    def search(self, query: str, setup: Setup, allowed: Mask | None = None) -> Ranking:
        """The best `setup.channel(name).depth` chunks, thresholds not applied; only chunks that match."""

    def place(self, query: str, chunk_id: str, setup: Setup, allowed: Mask | None = None) -> Place | None:
        """The true rank and score of any chunk, however deep; None where it does not match or is not allowed."""

    def scores_of(self, query: str, chunk_ids: Sequence[str], setup: Setup) -> Floats:
        """The true score of each chunk, however deep; NaN where it can have none. BM25: 0 where no term is shared."""

    def notes(self, query: str, setup: Setup) -> tuple[Note, ...]:
        """What a reader should know of this channel's answer to this query."""


class Encoder(Protocol):
    """Text to unit vectors (float32, rows of length 1)."""

    @property
    def name(self) -> str:
        """The name under which `engine.encoders.load_encoder` finds it again."""

    @property
    def fingerprint(self) -> str:
        """Model, revision, prefixes, normalisation and maximum length, as one text."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int | None:
        """Tokens per text that the model reads; None where there is no limit."""

    @property
    def overflow(self) -> Literal["truncated", "windowed"]:
        """What happens beyond `max_tokens`: the rest is dropped, or windows are averaged."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each passage as the model counts them, prefix and special tokens included."""

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """One vector per text, shape (len(texts), dimension)."""

    def encode_query(self, text: str) -> Vectors:
        """One vector, shape (dimension,)."""


class Reranker(Protocol):
    """Scores query and text together."""

    @property
    def name(self) -> str:
        """The name under which `engine.rerank.load_reranker` finds it again."""

    @property
    def fingerprint(self) -> str:
        """Model, revision and maximum length, as one text; the key of its cache."""

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages that it was made for; None where it takes any."""

    @property
    def gives(self) -> Literal["logit", "probability"]:
        """What `scores` returns; a logit becomes a probability by the sigmoid, a probability stays."""

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """One score per text, shape (len(texts),), higher is better."""
