"""Chunks as HTML: cards with highlights, the whole text, its place and its scores. All text from data is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from engine.pipelines.path import FUSED
from engine.text.analysers import analyser_for
from engine.text.highlight import Span, highlights
from engine.types import Chunk, Trace
from pages.components.board import color_of
from pages.components.ranks import FUSED_LABEL, Grade

SNIPPET = 420
"""Characters of a card's text."""

_HEADING = 90
"""Characters of the text that stand in for a missing title."""

_LEAD = 90
"""Characters before the first highlight that a snippet keeps."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one list puts one chunk. `rank` and `score` are None where it does not hold it.

    Then `note` says why the list gave no answer, or `removed` which stage took the chunk out of it.
    """

    name: str
    label: str
    color: int
    rank: int | None
    score: float | None
    contribution: float | None
    note: str = ""
    removed: str = ""


def heading(chunk: Chunk, most: int = 160) -> str:
    """What a chunk is called on screen: its title, else the beginning of its text, else its id."""
    words = chunk.title or " ".join(chunk.text[: 4 * _HEADING].split())
    room = most if chunk.title else min(most, _HEADING)
    return (words if len(words) <= room else f"{words[: room - 1].rstrip()}…") or chunk.id


def standings(
    trace: Trace, labels: Mapping[str, str], chunk_id: str, removed: Mapping[str, Mapping[str, str]]
) -> tuple[Standing, ...]:
    """Where each channel and the fusion put a chunk, in the order of the columns; `removed` as `ranks.removals`."""
    fused = trace.fused.rank(chunk_id)
    found = []
    for name, label in labels.items():
        ranking = trace.channels.get(name)
        part = None if fused is None or ranking is None else float(trace.fused.contributions[name][fused - 1])
        note = trace.unavailable.get(name, "") if ranking is None else ""
        rank, score = (None, None) if ranking is None else (ranking.rank(chunk_id), ranking.score(chunk_id))
        reason = removed.get(name, {}).get(chunk_id, "")
        found.append(Standing(name, label, color_of(name, labels), rank, score, part, note, reason))
    final = trace.final
    found.append(
        Standing(FUSED, FUSED_LABEL, color_of(FUSED, labels), final.rank(chunk_id), final.score(chunk_id), None)
    )
    return tuple(found)


def marked(text: str, spans: Iterable[Span], start: int = 0, end: int | None = None) -> str:
    """A stretch of a text as HTML in which the spans are marked; everything else is shown character for character."""
    stop = len(text) if end is None else end
    pieces, at = [], start
    for span in spans:
        if span.end <= start or span.start >= stop:
            continue
        left, right = max(span.start, start), min(span.end, stop)
        note = "" if span.form == "exact" else " found without its accents or ending"
        pieces.append(escape(text[at:left]))
        pieces.append(f'<mark title="{escape(span.term)}{note}">{escape(text[left:right])}</mark>')
        at = right
    return "".join([*pieces, escape(text[at:stop])])


def spans_of(chunk: Chunk, query: str) -> tuple[Span, ...]:
    """Where the words of a query stand in a chunk's text, as the chunk's own analyser reads both."""
    return highlights(chunk.text, query, analyser_for(chunk.language))


def snippet(text: str, spans: Sequence[Span]) -> str:
    """The part of a text around its first highlight, as HTML."""
    first = spans[0].start if spans else 0
    start = 0 if len(text) <= SNIPPET else min(max(first - _LEAD, 0), len(text) - SNIPPET)
    start = 0 if start == 0 else text.find(" ", start, start + 30) + 1 or start
    end = min(start + SNIPPET, len(text))
    return ("… " if start else "") + marked(text, spans, start, end) + (" …" if end < len(text) else "")


def card(chunk: Chunk, body: str, places: Sequence[Standing], grade: Grade | None, *, chosen: bool) -> str:
    """One result: its rank, title, place, text (`body` is HTML already) and what each list says of it."""
    rank = places[-1].rank
    words = "" if grade is None else f'<span class="rs-grade">{grade.sign} {escape(grade.word)}</span>'
    badges = "".join(badge(place) for place in places)
    return (
        f'<article class="rs-card{" rs-chosen" if chosen else ""}">'
        f'<header><span class="rs-rank">{rank}</span><h3>{escape(heading(chunk))}</h3>{words}</header>'
        f'<p class="rs-text">{body}</p>'
        f'<footer>{badges}<span class="rs-where">{escape(where(chunk))}</span></footer>'
        "</article>"
    )


def badge(place: Standing) -> str:
    """One list's rank and score of a chunk, in the list's colour."""
    if place.rank is None or place.score is None:
        said = "no answer" if place.note else place.removed or "not retrieved"
        return f'<span class="rs-badge rs-none rs-c{place.color}"><b>{escape(place.label)}</b> {escape(said)}</span>'
    return (
        f'<span class="rs-badge rs-c{place.color}"><b>{escape(place.label)}</b> '
        f"{place.rank} <i>{place.score:.6g}</i></span>"
    )


def where(chunk: Chunk) -> str:
    """The place of a chunk in its document, from the largest part to the smallest, then its id."""
    location = chunk.location
    parts = [location.document_id, location.part, location.chapter, location.section, location.article]
    parts += [location.paragraph, None if location.page is None else f"page {location.page}"]
    return " › ".join([*(part for part in parts if part and part not in (chunk.id, chunk.title)), chunk.id])


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values as a two-column table; empty values are left out."""
    cells = "".join(
        f"<tr><th scope=row>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows if value
    )
    return f'<table class="rs-facts">{cells}</table>' if cells else ""


def chunk_facts(chunk: Chunk) -> tuple[tuple[str, str], ...]:
    """Everything known of a chunk beside its text, as names and values."""
    location = [(name.replace("_", " "), value) for name, value in chunk.location.model_dump().items()]
    lists = [(name, ", ".join(getattr(chunk, name))) for name in ("entities", "relations", "references")]
    single = [(name, getattr(chunk, name)) for name in ("language", "domain", "number", "summary")]
    named = [("id", chunk.id), *single, *location, *lists, *chunk.metadata.items()]
    return tuple((name, "" if value is None else str(value)) for name, value in named)
