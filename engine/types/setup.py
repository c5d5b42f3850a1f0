"""Every knob of a run, with the titles, descriptions and ranges from which the screens build their controls."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from engine.types.values import Value


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
    floor: float | None = Field(
        default=None,
        allow_inf_nan=False,
        title="Floor",
        description="The score that min-max with a fixed floor maps to 0; empty takes the lowest of the scale.",
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


FusionName = Literal["rrf", "isr", "borda", "wsum", "combmnz", "combmax"]
NormaliserName = Literal["min-max", "floor", "maximum", "sum", "z-score", "three-sigma", "rank"]
Absence = Literal["auto", "zero", "lowest", "true"]


class RerankSetup(Value):
    """The knobs of the reranker that reads the first fused chunks together with the query."""

    model: str = Field(
        default="",
        title="Reranker",
        description="The model that reads query and chunk together; none leaves the fused order as it is.",
    )
    depth: int = Field(
        default=20,
        ge=1,
        le=1_000,
        title="Rerank depth",
        description="How many of the first fused chunks are reranked; only these can be shown then.",
    )
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        allow_inf_nan=False,
        title="Minimum rerank score",
        description="The lowest rerank score, as a probability from 0 to 1, that is still shown; empty means none.",
    )
    blend: float = Field(
        default=1.0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        title="Blend",
        description="How much the reranked order counts against the fused one: at 1 it decides alone, at 0 not at all.",
    )
    anyway: bool = Field(
        default=False,
        title="Use in any language",
        description="Rerank chunks of languages that the model was not made for, too; it can do harm there.",
    )


Agreement = Literal["each", "both", "either"]


class Setup(Value):
    """Every knob of a run: the cache key, the share link, the saved snapshot, the tuning point and the record of a run.

    Field titles, descriptions and ranges are the registry from which the screens build their controls.
    """

    channels: tuple[ChannelSetup, ...] = (ChannelSetup(name="bm25"), ChannelSetup(name="dense"))
    bm25: Bm25Setup = Bm25Setup()
    fusion: FusionName = Field(
        default="rrf",
        title="Fusion",
        description="How the channels' lists become one: by their ranks, or by their scores made comparable.",
    )
    k: float = Field(
        default=60.0,
        gt=0,
        le=10_000,
        allow_inf_nan=False,
        title="RRF k",
        description="The constant in 1 / (k + rank): small lets first places decide, large rewards agreement.",
    )
    normaliser: NormaliserName = Field(
        default="min-max",
        title="Normaliser",
        description="How a channel's scores are made comparable before a fusion of scores adds them up.",
    )
    absence: Absence = Field(
        default="auto",
        title="Absent chunks",
        description=(
            "What a channel that did not return a chunk gives it in a fusion of scores: what its normaliser takes for "
            "nothing, 0, the list's lowest, or the chunk's true score however deep it stands."
        ),
    )
    agreement: Agreement = Field(
        default="each",
        title="Agreement",
        description=(
            "Each: a threshold acts on its own channel. Both: a chunk must have a place in every channel of a weight "
            "above 0. "
            "Either: one channel's threshold passed is good enough to keep the chunk's places in all of them."
        ),
    )
    fused_threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        title="Minimum fused score",
        description="The lowest fused score still shown; how high it can be depends on the fusion, weights and k.",
    )
    rerank: RerankSetup = RerankSetup()
    filters: tuple[Filter, ...] = ()
    shown: int = Field(
        default=10,
        ge=1,
        le=1_000,
        title="Results shown",
        description="How many results are listed; it never changes a score or an order.",
    )

    @model_validator(mode="after")
    def _refuse_nothing_as_average(self) -> Self:
        """Where 0 is the average score, `zero` would lift what a channel did not even return."""
        if self.absence == "zero" and self.normaliser in ("z-score", "three-sigma"):
            raise ValueError(f"absent chunks cannot get 0 under {self.normaliser}, where 0 is the average")
        return self

    @field_validator("channels")
    @classmethod
    def _refuse_repeated(cls, channels: tuple[ChannelSetup, ...]) -> tuple[ChannelSetup, ...]:
        names = [channel.name for channel in channels]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise ValueError(f"the channel {repeated!r} stands twice")
        return channels

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
