"""The results as cards: the text around its highlights, with the rank and score that each list gives."""

from __future__ import annotations

import streamlit as st

from engine.types import Trace
from pages.components import opening, state
from pages.components.explore import Screen
from pages.components.ranks import grade_of, removals
from pages.components.results import card, snippet, spans_of, standings

MOST = 50
"""More cards than anybody reads; the table holds more."""


def result_cards(shown: Screen, trace: Trace) -> None:
    """A card a shown result, each with a button that opens the whole chunk."""
    grades = opening.grades(shown.desk, trace.query)
    hits = trace.final.hits(min(trace.setup.shown, MOST))
    removed = removals(trace.dropped, {hit.chunk_id for hit in hits})
    for hit in hits:
        chunk = shown.desk.corpus.chunk(hit.chunk_id)
        body = snippet(chunk.text, spans_of(chunk, trace.query))
        grade = None if grades is None else grade_of(chunk.id, grades)
        places = standings(trace, shown.desk.labels, chunk.id, removed)
        with st.container(horizontal=True, wrap=False, gap="xsmall"):
            st.html(card(chunk, body, places, grade, chosen=chunk.id == shown.session.selected))
            st.button(
                "Open",
                key=f"cards.{hit.rank}.{hit.chunk_id}",
                icon=":material/open_in_full:",
                type="tertiary",
                on_click=_open,
                args=(hit.chunk_id,),
            )
    if trace.setup.shown > MOST:
        st.caption(f"The first {MOST}; the table holds them all.")


def _open(chunk_id: str) -> None:
    state.change(selected=chunk_id)
