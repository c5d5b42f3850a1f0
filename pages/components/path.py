"""The path of one chunk under one query: its true place in every list, and the first stage that takes it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from engine.pipelines.hybrid import HybridSearch
from engine.types import Dropped, Place, Setup, Trace
from pages.components.board import FUSED, color_of


@dataclass(frozen=True, slots=True)
class Stop:
    """One list on the path. `place` is under the filters, `unfiltered` without; `fate` says what became of it there."""

    label: str
    color: int
    place: Place | None
    unfiltered: Place | None
    contribution: float | None
    fate: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """The stops in the order of the columns, the fusion last, and in one sentence where the path ends."""

    stops: tuple[Stop, ...]
    verdict: str


def path_of(search: HybridSearch, trace: Trace, labels: Mapping[str, str], chunk_id: str) -> Path:
    """The path of a chunk through the run of `trace`; channels that cannot answer say so."""
    places = {name: search.place(trace.query, chunk_id, name, trace.setup) for name in labels if name in trace.channels}
    allowed = search.mask(trace.setup.filters)
    filtered = allowed is not None and not bool(allowed[search.corpus.row(chunk_id)])
    fates = {name: _fate(name, places.get(name), trace, filtered=filtered) for name in labels}
    drops = [drop for drop in trace.dropped if drop.chunk_id == chunk_id and drop.channel is None]
    stops = [
        Stop(
            label,
            color_of(name, labels),
            *places.get(name, (None, None)),
            _part(trace, name, chunk_id),
            fates[name],
            trace.unavailable.get(name, ""),
        )
        for name, label in labels.items()
    ]
    stops.append(_fused(trace, labels, chunk_id, drops))
    said = {label: fates[name] for name, label in labels.items() if name in places}
    return Path(tuple(stops), _verdict(trace, chunk_id, said, drops, filtered=filtered))


def as_html(path: Path) -> str:
    """The path as a table, the verdict above it."""
    rows = "".join(_row(stop) for stop in path.stops)
    head = "".join(f"<th scope=col>{name}</th>" for name in ("rank", "score", "adds", ""))
    table = f'<table class="rs-scores"><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<p class="rs-verdict">{escape(path.verdict)}</p>{table}'


def _row(stop: Stop) -> str:
    rank = "–" if stop.place is None else str(stop.place.rank)
    if stop.unfiltered is not None and stop.unfiltered != stop.place:
        rank += f' <span title="rank without the filters">({stop.unfiltered.rank})</span>'
    known = stop.place or stop.unfiltered
    score = "" if known is None else f"{known.score:.6f}"
    part = "" if stop.contribution is None else f"{stop.contribution:.6f}"
    reason = f'<p class="rs-quiet">{escape(stop.reason)}</p>' if stop.reason else ""
    return (
        f'<tr><th scope=row class="rs-c{stop.color}"><span class="rs-dot"></span>{escape(stop.label)}</th>'
        f"<td>{rank}</td><td>{score}</td><td>{part}</td><td>{escape(stop.fate)}{reason}</td></tr>"
    )


def _part(trace: Trace, name: str, chunk_id: str) -> float | None:
    rank = trace.fused.rank(chunk_id)
    return None if rank is None or name not in trace.channels else float(trace.fused.contributions[name][rank - 1])


def _fate(name: str, places: tuple[Place | None, Place | None] | None, trace: Trace, *, filtered: bool) -> str:
    """What one channel does with the chunk, the first stage that takes it out where one does."""
    if places is None:
        return "no answer"
    allowed, unfiltered = places
    if filtered:
        return "taken out by a filter" if unfiltered is not None else "taken out by a filter; no match either"
    if allowed is None:
        return "no match"
    channel: Setup = trace.setup
    knobs = channel.channel(name)
    if knobs.threshold is not None and allowed.score < knobs.threshold and trace.setup.agreement != "either":
        return f"below the minimum score {knobs.threshold:g}"
    if allowed.rank > knobs.depth:
        return f"beyond the depth {knobs.depth:,}"
    return "in the list" if knobs.weight else "in the list, with weight 0"


def _fused(trace: Trace, labels: Mapping[str, str], chunk_id: str, drops: list[Dropped]) -> Stop:
    rank, score = trace.final.rank(chunk_id), trace.final.score(chunk_id)
    place = None if rank is None or score is None else Place(rank, score)
    whole, its_score = trace.fused.rank(chunk_id), trace.fused.score(chunk_id)
    before = None if whole is None or its_score is None else Place(whole, its_score)
    if place is not None:
        fate = "shown" if place.rank <= trace.setup.shown else f"beyond the {trace.setup.shown:,} shown"
        before = place
    else:
        fate = _removed(drops[0]) if drops else "not in the fusion"
    return Stop("Fused", color_of(FUSED, labels), place, before, None, fate)


def _removed(drop: Dropped) -> str:
    if drop.stage == "fused threshold":
        return f"below the minimum fused score {drop.limit:g}"
    return "taken out by the agreement rule" if drop.stage == "agreement" else f"taken out at: {drop.stage}"


def _verdict(trace: Trace, chunk_id: str, fates: Mapping[str, str], drops: list[Dropped], *, filtered: bool) -> str:
    rank = trace.final.rank(chunk_id)
    if rank is not None:
        if rank <= trace.setup.shown:
            return f"Shown at rank {rank}."
        return f"First dropped at the last stage: it has rank {rank:,}, and {trace.setup.shown:,} are shown."
    if filtered:
        return "First dropped by the filters."
    if drops:
        return f"First dropped after the fusion: {_removed(drops[0])}."
    if all(fate == "no match" for fate in fates.values()):
        return "No channel matches it, so nothing brings it in."
    reasons = "; ".join(f"{label}: {fate}" for label, fate in fates.items())
    return f"First dropped before the fusion. {reasons}."
