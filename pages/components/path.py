"""The path of one chunk under one query, as words and as a table; the same beside the results and on Chunks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from engine.pipelines.path import FUSED, Path, Stop
from engine.types import Trace
from pages.components.board import color_of
from pages.components.ranks import FUSED_LABEL, taken_out


def as_html(path: Path, trace: Trace, labels: Mapping[str, str]) -> str:
    """The path as a table, one row a list in the order of the columns, with the verdict above it."""
    rows = "".join(_row(stop, trace, labels) for stop in (*path.channels, path.fused))
    head = "".join(f"<th scope=col>{name}</th>" for name in ("rank", "score", "adds", ""))
    table = f'<table class="rs-scores"><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<p class="rs-verdict">{escape(verdict(path, trace, labels))}</p>{table}'


def fate(stop: Stop, trace: Trace) -> str:
    """What became of the chunk in one list, in a few words."""
    match stop.fate:
        case "filter":
            return taken_out("filter", None) + ("" if stop.unfiltered is not None else "; no match either")
        case "threshold" | "depth" | "agreement" | "fused threshold" | "rerank depth" | "rerank threshold":
            return taken_out(stop.fate, stop.limit)
        case "listed":
            return "in the list" if trace.setup.channel(stop.source).weight else "in the list, with weight 0"
        case "missed":
            return "overlooked by the approximate search"
        case "not fused":
            return "not in the fusion"
        case "beyond shown":
            return f"beyond the {trace.setup.shown:,} shown"
        case said:
            return said


def verdict(path: Path, trace: Trace, labels: Mapping[str, str]) -> str:
    """In one sentence where the path ends."""
    final = path.fused.place
    if final is not None:
        if path.fused.fate == "shown":
            return f"Shown at rank {final.rank}."
        return f"First dropped at the last stage: it has rank {final.rank:,}, and {trace.setup.shown:,} are shown."
    if any(stop.fate == "blank" for stop in path.channels):
        return "It is blank: without a letter or a digit there is nothing in it to search for."
    if path.filtered:
        return "First dropped by the filters."
    if path.fused.fate != "not fused":
        return f"First dropped after the fusion: {fate(path.fused, trace)}."
    answered = [stop for stop in path.channels if stop.fate != "no answer"]
    if all(stop.fate == "no match" for stop in answered):
        return "No channel matches it, so nothing brings it in."
    reasons = "; ".join(f"{_label(stop, labels)}: {fate(stop, trace)}" for stop in answered)
    return f"First dropped before the fusion. {reasons}."


def _label(stop: Stop, labels: Mapping[str, str]) -> str:
    return FUSED_LABEL if stop.source == FUSED else labels.get(stop.source, stop.source)


def _row(stop: Stop, trace: Trace, labels: Mapping[str, str]) -> str:
    rank = "–" if stop.place is None else str(stop.place.rank)
    if stop.unfiltered is not None and stop.unfiltered != stop.place:
        without = "the stages after the fusion" if stop.source == FUSED else "the filters"
        rank += f' <span title="rank without {without}">({stop.unfiltered.rank})</span>'
    known = stop.place or stop.unfiltered
    score = "" if known is None else f"{known.score:.6f}"
    part = "" if stop.contribution is None else f"{stop.contribution:.6f}"
    why = trace.unavailable.get(stop.source, "")
    reason = f'<p class="rs-quiet">{escape(why)}</p>' if why else ""
    return (
        f'<tr><th scope=row class="rs-c{color_of(stop.source, labels)}"><span class="rs-dot"></span>'
        f"{escape(_label(stop, labels))}</th>"
        f"<td>{rank}</td><td>{score}</td><td>{part}</td><td>{escape(fate(stop, trace))}{reason}</td></tr>"
    )
