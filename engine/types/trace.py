"""What a run returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.types.ranking import Hit, Ranking
from engine.types.setup import Setup

Stage = Literal["filter", "threshold", "agreement", "fused threshold", "rerank depth", "rerank threshold"]


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
    is the whole fusion, `final` what is left after agreement, the fused threshold and the rerank; the screen shows the
    first `setup.shown` of `final`. `reranked` is the whole of what the reranker ordered, None where it is off or could
    not answer. `probabilities` are its judgments by chunk id on the scale 0 to 1, `logits` what the model gave before
    the sigmoid; empty where it gives probabilities itself.
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
    reranked: Ranking | None = None
    logits: Mapping[str, float] = field(default_factory=dict)
    probabilities: Mapping[str, float] = field(default_factory=dict)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The results shown."""
        return self.final.hits(self.setup.shown)

    @property
    def before_rerank(self) -> Ranking | None:
        """What the reranker was given, in the fused order; None where it did not answer."""
        return None if self.reranked is None else self.fused.keep(self.reranked.ids)
