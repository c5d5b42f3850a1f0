"""The path of one chunk through one run: its true place in every list, and the first stage that takes it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.corpus.fields import ANY_FIELD, is_blank, searched_text
from engine.pipelines.hybrid import HybridSearch
from engine.types import Place, Ranking, Trace

FUSED = "fused"

Fate = Literal[
    "listed",
    "no answer",
    "blank",
    "no match",
    "filter",
    "threshold",
    "depth",
    "missed",
    "not fused",
    "agreement",
    "fused threshold",
    "rerank depth",
    "rerank threshold",
    "shown",
    "beyond shown",
]
"""What becomes of a chunk in a list; `missed` is what an approximate search overlooks within its depth.

A `blank` chunk has no letter and no digit in any field that can be searched: no channel reads anything of it.
"""


@dataclass(frozen=True, slots=True)
class Stop:
    """One list on the path. `place` is under the filters, `unfiltered` without, however deep; None where it has none.

    For the fusion, `place` is the final one, after the rerank where there is one, and `unfiltered` that in the whole
    fusion. `limit` is the knob's value at
    which the chunk was taken out, where the fate has one.
    """

    source: str
    fate: Fate
    place: Place | None = None
    unfiltered: Place | None = None
    contribution: float | None = None
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """The stops of the channels in the order of the setup, and of the fusion; whether the filters let the chunk in."""

    channels: tuple[Stop, ...]
    fused: Stop
    filtered: bool


def path_of(search: HybridSearch, trace: Trace, chunk_id: str) -> Path:
    """The path of a chunk through the run of `trace`, which `search` made. `UnknownName` for an unknown chunk.

    Of several stages that would take it out of a list the first counts: analysis (a blank chunk), filter, threshold,
    depth. Under the agreement
    `either` a threshold acts after the fusion.
    """
    row, allowed = search.corpus.row(chunk_id), search.mask(trace.setup.filters)
    filtered = allowed is not None and not bool(allowed[row])
    if is_blank(searched_text(search.corpus.chunk(chunk_id), ANY_FIELD)):
        stops = tuple(_blank_stop(trace, channel.name) for channel in trace.setup.channels)
        return Path(stops, Stop(FUSED, "not fused"), filtered)
    names = [channel.name for channel in trace.setup.channels]
    stops = tuple(_channel_stop(search, trace, chunk_id, name, filtered=filtered) for name in names)
    return Path(stops, _fused_stop(trace, chunk_id), filtered)


def _blank_stop(trace: Trace, name: str) -> Stop:
    return Stop(name, "blank" if name in trace.channels else "no answer")


def _channel_stop(search: HybridSearch, trace: Trace, chunk_id: str, name: str, *, filtered: bool) -> Stop:
    if name not in trace.channels:
        return Stop(name, "no answer")
    place, unfiltered = search.place(trace.query, chunk_id, name, trace.setup)
    fate, limit = _channel_fate(trace, chunk_id, name, place, filtered=filtered)
    rank = trace.fused.rank(chunk_id)
    part = None if rank is None else float(trace.fused.contributions[name][rank - 1])
    return Stop(name, fate, place, unfiltered, part, limit)


def _channel_fate(
    trace: Trace, chunk_id: str, name: str, place: Place | None, *, filtered: bool
) -> tuple[Fate, float | None]:
    knobs = trace.setup.channel(name)
    if filtered:
        return "filter", None
    if trace.channels[name].rank(chunk_id) is not None:
        return "listed", None
    if place is None:
        return "no match", None
    if knobs.threshold is not None and place.score < knobs.threshold and trace.setup.agreement != "either":
        return "threshold", knobs.threshold
    return ("depth", knobs.depth) if place.rank > knobs.depth else ("missed", None)


def _fused_stop(trace: Trace, chunk_id: str) -> Stop:
    final, whole = _in_ranking(trace.final, chunk_id), _in_ranking(trace.fused, chunk_id)
    if final is not None:
        shown = trace.setup.shown
        if final.rank <= shown:
            return Stop(FUSED, "shown", final, whole)
        return Stop(FUSED, "beyond shown", final, whole, limit=shown)
    if whole is None:
        return Stop(FUSED, "not fused")
    drop = next(each for each in trace.dropped if each.chunk_id == chunk_id and each.channel is None)
    return Stop(FUSED, drop.stage, None, whole, limit=drop.limit)


def _in_ranking(ranking: Ranking, chunk_id: str) -> Place | None:
    rank, score = ranking.rank(chunk_id), ranking.score(chunk_id)
    return None if rank is None or score is None else Place(rank, score)
