"""The panel beside the results: one chunk whole, with its place, its metadata and what every list says of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from engine.errors import RankScopeError
from engine.pipelines.path import path_of
from engine.types import Trace
from pages.components import frame, messages, opening, state
from pages.components.explore import Screen
from pages.components.path import as_html
from pages.components.ranks import grade_of
from pages.components.results import (
    chunk_facts,
    facts,
    heading,
    marked,
    spans_of,
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
        st.button(
            "Chunks",
            icon=":material/article:",
            key="panel.chunks",
            type="tertiary",
            help="Its neighbours in the document, its nearest chunks and its true places.",
            on_click=frame.go,
            args=("chunks",),
        )
        st.button("Close", icon=":material/close:", key="panel.close", type="tertiary", on_click=_close)
    grades = opening.grades(shown.desk, shown.session.query)
    if grades is not None:
        grade = grade_of(chunk_id, grades)
        st.html(f'<p class="rs-grade">{grade.sign} {escape(grade.word)}</p>')
    st.html(as_html(path_of(shown.desk.whole, trace, chunk_id), trace, shown.desk.labels))
    st.html(f'<div class="rs-full">{marked(chunk.text, spans_of(chunk, trace.query))}</div>')
    st.html(facts(chunk_facts(chunk)))


def _close() -> None:
    state.change(selected=None)
