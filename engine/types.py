"""The values that travel through the engine, and the protocols of the parts that make them.

Everything here is frozen. Ranks are 1-based. Order is (score descending, id ascending), everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Mask = NDArray[np.bool_]
Scalar = str | int | float | bool | None
Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total). It may raise to cancel the work."""


def no_progress(stage: str, done: int, total: int) -> None:
    """The progress callback of callers that do not watch."""


class Value(BaseModel):
    """A frozen value that refuses unknown fields; the base of everything that comes from outside."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _as_metadata(value: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    return MappingProxyType(dict(value))


Metadata = Annotated[Mapping[str, Scalar], AfterValidator(_as_metadata), PlainSerializer(dict, return_type=dict)]


class ChunkLocation(Value):
    """Where a chunk stands in its document. `page` is 1-based."""

    document_id: str | None = None
    part: str | None = None
    chapter: str | None = None
    section: str | None = None
    article: str | None = None
    paragraph: str | None = None
    page: int | None = None


class Chunk(Value):
    """One searchable passage. `id` is its identity everywhere, kept exactly as text (`007`, `NA`, `1.0`)."""

    id: str = Field(min_length=1)
    text: str = ""
    title: str = ""
    summary: str = ""
    language: str | None = None
    location: ChunkLocation = ChunkLocation()
    domain: str | None = None
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    number: str | None = None
    metadata: Metadata = Field(default_factory=lambda: MappingProxyType({}))


class Query(Value):
    """A query of a query set. `kind` says what it demonstrates or tags it; `example` offers it on the Search page."""

    id: str = Field(min_length=1)
    text: str
    language: str | None = None
    kind: str | None = None
    example: bool = False
    metadata: Metadata = Field(default_factory=lambda: MappingProxyType({}))


class Filter(Value):
    """Keep the chunks whose `field` has one of `values`, compared as text.

    `field` is `language`, `domain`, `number`, any field of `ChunkLocation` by its own name, or `metadata.<key>`.
    """

    field: str
    values: tuple[str, ...] = Field(min_length=1)


class ChannelSetup(Value):
    """The knobs of one channel."""

    name: str
    weight: float = Field(
        default=1.0,
        ge=0,
        le=10,
        allow_inf_nan=False,
        title="Weight",
        description="How much this channel counts in the fusion; at 0 it is shown but adds and brings nothing.",
    )
    depth: int = Field(
        default=100,
        ge=1,
        le=10_000,
        title="Depth",
        description="How many chunks this channel hands to the fusion, whatever the number of results shown.",
    )
    threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        title="Minimum score",
        description="The lowest score of this channel that still counts, on the channel's own scale; empty means none.",
    )


Variant = Literal["okapi", "plus", "lucene"]


class Bm25Setup(Value):
    """The knobs of BM25, free at query time."""

    variant: Variant = Field(
        default="okapi",
        title="BM25 variant",
        description="Okapi and Plus score as rank-bm25 does; Lucene as Elasticsearch does, with an idf never negative.",
    )
    k1: float = Field(
        default=1.5,
        ge=0,
        le=10,
        allow_inf_nan=False,
        title="k1",
        description="How slowly repeated occurrences of a term stop adding to the score; 0 counts a term once.",
    )
    b: float = Field(
        default=0.75,
        ge=0,
        le=1,
        allow_inf_nan=False,
        title="b",
        description="How strongly long chunks are marked down: 0 ignores the length, 1 divides by it in full.",
    )


Agreement = Literal["each", "both", "either"]


class Setup(Value):
    """Every knob of a run: the cache key, the share link, the saved snapshot, the tuning point and the record of a run.

    Field titles, descriptions and ranges are the registry from which the screens build their controls.
    """

    channels: tuple[ChannelSetup, ...] = (ChannelSetup(name="bm25"), ChannelSetup(name="dense"))
    bm25: Bm25Setup = Bm25Setup()
    fusion: Literal["rrf"] = "rrf"
    k: float = Field(
        default=60.0,
        gt=0,
        le=10_000,
        allow_inf_nan=False,
        title="RRF k",
        description="The constant in 1 / (k + rank): small lets first places decide, large rewards agreement.",
    )
    agreement: Agreement = Field(
        default="each",
        title="Agreement",
        description=(
            "Each: a threshold acts on its own channel. Both: a chunk must have a place in every channel. "
            "Either: one channel's threshold passed is good enough to keep the chunk's places in all of them."
        ),
    )
    fused_threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        title="Minimum fused score",
        description="The lowest fused score still shown; the highest possible is the sum of the weights / (k + 1).",
    )
    filters: tuple[Filter, ...] = ()
    shown: int = Field(
        default=10,
        ge=1,
        le=1_000,
        title="Results shown",
        description="How many results are listed; it never changes a score or an order.",
    )

    def channel(self, name: str) -> ChannelSetup:
        """The knobs of the channel `name`; its defaults where the setup does not mention it."""
        return next((channel for channel in self.channels if channel.name == name), ChannelSetup(name=name))

    def with_channel(self, name: str, **changes: object) -> Setup:
        """A copy in which the channel `name` has the changed knobs; validated like any other setup."""
        changed = ChannelSetup.model_validate({**self.channel(name).model_dump(), **changes})
        if any(channel.name == name for channel in self.channels):
            channels = tuple(changed if channel.name == name else channel for channel in self.channels)
        else:
            channels = (*self.channels, changed)
        return self.model_copy(update={"channels": channels})


@dataclass(frozen=True, slots=True)
class Hit:
    """One row of a ranking. `contributions` is empty unless the ranking is a fused one."""

    chunk_id: str
    rank: int
    score: float
    contributions: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a channel puts one chunk among everything it can return, however deep."""

    rank: int
    score: float


def _frozen(values: Floats | Sequence[float]) -> Floats:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """One ordered answer of one source to one query.

    `ids` and `scores` (float64, read-only) are parallel and in the order (-score, id); ranks are 1..n. A fused ranking
    carries in `contributions` one parallel array per source, and they add up to the scores. Everything is checked on
    construction, so nothing downstream re-sorts or re-checks. An empty ranking is a valid answer.
    """

    source: str
    ids: tuple[str, ...]
    scores: Floats
    contributions: Mapping[str, Floats] = field(default_factory=dict)
    _rank_of: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", _frozen(self.scores))
        frozen = {source: _frozen(values) for source, values in self.contributions.items()}
        object.__setattr__(self, "contributions", MappingProxyType(frozen))
        object.__setattr__(self, "_rank_of", {chunk_id: rank for rank, chunk_id in enumerate(self.ids, start=1)})
        self._check()

    @classmethod
    def of(
        cls,
        source: str,
        ids: Sequence[str],
        scores: Floats | Sequence[float],
        contributions: Mapping[str, Floats] | None = None,
    ) -> Ranking:
        """A ranking of `ids` with parallel `scores` and `contributions`, given in any order."""
        values = np.asarray(scores, dtype=np.float64)
        by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.intp)
        order = by_id[np.argsort(-values[by_id], kind="stable")]
        parts = {name: np.asarray(part)[order] for name, part in (contributions or {}).items()}
        return cls(source, tuple(ids[row] for row in order.tolist()), values[order], parts)

    def __len__(self) -> int:
        return len(self.ids)

    def rank(self, chunk_id: str) -> int | None:
        """The 1-based rank of a chunk, or None where this source did not return it."""
        return self._rank_of.get(chunk_id)

    def score(self, chunk_id: str) -> float | None:
        """The score of a chunk, or None where this source did not return it."""
        rank = self.rank(chunk_id)
        return None if rank is None else float(self.scores[rank - 1])

    def hits(self, n: int | None = None) -> tuple[Hit, ...]:
        """The first `n` rows (all where `n` is None), as objects for display."""
        return tuple(self._hit(row) for row in range(len(self.ids) if n is None else min(max(n, 0), len(self.ids))))

    def keep(self, wanted: Iterable[str]) -> Ranking:
        """The ranking of only those chunks, in the same order with new ranks."""
        chosen = set(wanted)
        rows = [row for row, chunk_id in enumerate(self.ids) if chunk_id in chosen]
        parts = {source: part[rows] for source, part in self.contributions.items()}
        return Ranking(self.source, tuple(self.ids[row] for row in rows), self.scores[rows], parts)

    def _hit(self, row: int) -> Hit:
        parts = {source: float(part[row]) for source, part in self.contributions.items()}
        return Hit(self.ids[row], row + 1, float(self.scores[row]), MappingProxyType(parts))

    def _check(self) -> None:
        if self.scores.shape != (len(self.ids),):
            raise ValueError(f"{self.source}: {len(self.ids)} ids but scores of shape {self.scores.shape}")
        if len(self._rank_of) != len(self.ids):
            raise ValueError(f"{self.source}: ids are not unique")
        if not np.isfinite(self.scores).all():
            raise ValueError(f"{self.source}: scores are not finite")
        falls = np.diff(self.scores)
        if (falls > 0).any() or any(self.ids[row] >= self.ids[row + 1] for row in np.flatnonzero(falls == 0).tolist()):
            raise ValueError(f"{self.source}: not in the order (score descending, id ascending)")
        if self.contributions and not np.allclose(sum(self.contributions.values()), self.scores, rtol=1e-9, atol=1e-12):
            raise ValueError(f"{self.source}: contributions do not add up to the scores")


Stage = Literal["filter", "threshold", "agreement", "fused threshold"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A chunk that a stage took out. `channel` is set where the stage acts inside one channel."""

    chunk_id: str
    stage: Stage
    channel: str | None
    value: float | None
    limit: float | None


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for the reader of a result. `code` names its kind for tests and programs."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What a run returns: every list from the channels to what is shown, and what each stage took out, and why.

    `channels` holds the lists that entered the fusion (filtered, cut at their depth and, except under the agreement
    `either`, over their thresholds), weight 0 included; `unavailable` says per channel why it could not answer. `fused`
    is the whole fusion, `final` what is left after agreement and the fused threshold; the screen shows the first
    `setup.shown` of `final`.
    """

    query: str
    setup: Setup
    channels: Mapping[str, Ranking]
    fused: Ranking
    final: Ranking
    dropped: tuple[Dropped, ...] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[Note, ...] = ()

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The results shown."""
        return self.final.hits(self.setup.shown)


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

    def search(self, query: str, setup: Setup, allowed: Mask | None = None) -> Ranking:
        """The best `setup.channel(name).depth` chunks, thresholds not applied; only chunks that match."""

    def place(self, query: str, chunk_id: str, setup: Setup, allowed: Mask | None = None) -> Place | None:
        """The true rank and score of any chunk, however deep; None where it does not match or is not allowed."""

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
