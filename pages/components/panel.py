"""The panel beside the results: one chunk whole, with its place, its metadata and what every list says of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from engine.errors import RankScopeError
from engine.types import Place, Trace
from pages.components import messages, opening, state
from pages.components.board import FUSED
from pages.components.explore import Screen
from pages.components.ranks import grade_of, removal
from pages.components.results import (
    Standing,
    chunk_facts,
    facts,
    grade_sign,
    heading,
    marked,
    spans_of,
    standings,
    where,
)


def chunk_panel(shown: Screen, trace: Trace, chunk_id: str) -> None:
    """One chunk; a message where the collection has none of that id."""
    try:
        chunk = shown.desk.corpus.chunk(chunk_id)
    except RankScopeError as error:
        messages.fault(error)
        return
    with st.container(horizontal=True, wrap=False, gap="xsmall"):
        title = f'<h2 class="rs-panel-title">{escape(heading(chunk, 240))}</h2>'
        st.html(f'{title}<p class="rs-where">{escape(where(chunk))}</p>')
        st.button("Close", icon=":material/close:", key="panel.close", type="tertiary", on_click=_close)
    grades = opening.grades(shown.desk, shown.session.query)
    if grades is not None:
        grade = grade_of(chunk_id, grades)
        st.html(f'<p class="rs-grade">{grade_sign(grade)} {escape(grade.word)}</p>')
    st.html(_scores(shown, trace, chunk_id))
    st.html(f'<div class="rs-full">{marked(chunk.text, spans_of(chunk, trace.query))}</div>')
    st.html(facts(chunk_facts(chunk)))


def _close() -> None:
    state.change(selected=None)


def _scores(shown: Screen, trace: Trace, chunk_id: str) -> str:
    """What each list says of the chunk, as a table: rank, score, contribution; beyond a list, its true place."""
    rows = []
    for place in standings(trace, shown.desk.labels, chunk_id):
        part = "" if place.contribution is None else f"{place.contribution:.6f}"
        rank, score = _rank_and_score(shown, trace, place, chunk_id)
        rows.append(
            f'<tr><th scope=row class="rs-c{place.color}"><span class="rs-dot"></span>{escape(place.label)}</th>'
            f"<td>{rank}</td><td>{score}</td><td>{part}</td></tr>"
        )
    head = "<tr><th></th><th scope=col>rank</th><th scope=col>score</th><th scope=col>adds</th></tr>"
    return f'<table class="rs-scores"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'


def _rank_and_score(shown: Screen, trace: Trace, place: Standing, chunk_id: str) -> tuple[str, str]:
    if place.rank is not None and place.score is not None:
        return str(place.rank), f"{place.score:.6f}"
    if place.note:
        return "no answer", ""
    mine = (drop for drop in trace.dropped if drop.chunk_id == chunk_id and (drop.channel or FUSED) == place.name)
    reasons = [removal(drop) for drop in mine]
    if place.name == FUSED:
        return escape(reasons[0] if reasons else "not in the fusion"), ""
    allowed, unfiltered = shown.desk.whole.place(shown.session.query, chunk_id, place.name, shown.setup)
    return _beyond(allowed, unfiltered, reasons)


def _beyond(allowed: Place | None, unfiltered: Place | None, reasons: list[str]) -> tuple[str, str]:
    """The true place of a chunk that a list does not hold, and why it does not."""
    if unfiltered is None:
        return "not retrieved", ""
    if allowed is None:
        return f"({unfiltered.rank}) taken out by a filter", f"{unfiltered.score:.6f}"
    return f"{allowed.rank} {escape(reasons[0] if reasons else 'beyond the depth')}", f"{allowed.score:.6f}"
