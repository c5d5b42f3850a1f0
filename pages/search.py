"""Search: one query, every list, and each chunk's place in all of them, as a board, as cards or as a table."""

import json
from collections.abc import Mapping

import streamlit as st

from engine.export.results import hits_as_rows, rows_as_csv, trace_as_data
from engine.types import Trace
from pages.components import explore, frame, opening, state
from pages.components.board import BoardView, rank_board
from pages.components.cards import result_cards
from pages.components.panel import chunk_panel
from pages.components.results import heading
from pages.components.table import column_chooser, result_table

VIEWS = {"board": "Board", "cards": "Cards", "table": "Table"}


def page() -> None:
    shown = explore.ready()
    if shown.trace is None:
        explore.invite(shown.desk)
    else:
        results(shown, shown.trace)
    explore.fill_in(shown.desk)


def results(shown: explore.Screen, trace: Trace) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="bar"):
        view_switch(shown)
        explore.quiet_line(shown, trace)
        if shown.session.view == "table" and trace.hits:
            column_chooser(shown, trace)
        export_menu(shown, trace)
    explore.warnings(shown, trace)
    with st.container(horizontal=True, vertical_alignment="top", key="workbench"):
        with st.container(key="results"):
            {"board": board, "cards": result_cards, "table": result_table}[shown.session.view](shown, trace)
        if shown.session.selected is not None:
            with st.container(border=True, key="panel"):
                chunk_panel(shown, trace, shown.session.selected)


def view_switch(shown: explore.Screen) -> None:
    st.segmented_control(
        "View",
        list(VIEWS),
        format_func=VIEWS.__getitem__,
        default=shown.session.view,
        required=True,
        label_visibility="collapsed",
        **state.bound("knob.view", shown.session.view, lambda now, view: now.changed(view=view)),
    )


def board(shown: explore.Screen, trace: Trace) -> None:
    view = BoardView(
        trace,
        shown.desk.labels,
        title=lambda chunk_id: heading(shown.desk.corpus.chunk(chunk_id)),
        grades=opening.grades(shown.desk, trace.query),
        selected=shown.session.selected if shown.session.selected in shown.desk.corpus else None,
        pinned=None if shown.pinned is None else shown.pinned.final,
        loading=shown.desk.loading,
    )
    rank_board(view, key="board", on_select=select)


def select() -> None:
    state.change(selected=state.widget("board").select["id"])


def export_menu(shown: explore.Screen, trace: Trace) -> None:
    corpus, grades = shown.desk.corpus, opening.grades(shown.desk, trace.query)
    with st.popover("Export", icon=":material/download:"):
        st.download_button(
            "CSV: ranks, scores and texts",
            lambda: rows_as_csv(hits_as_rows(trace, corpus, grades)).encode("utf-8-sig"),
            "rankscope.csv",
            "text/csv",
            key="export.csv",
            on_click="ignore",
        )
        st.download_button(
            "JSON: the run with its setup",
            lambda: as_json(shown, trace, grades),
            "rankscope.json",
            "application/json",
            key="export.json",
            on_click="ignore",
        )


def as_json(shown: explore.Screen, trace: Trace, grades: Mapping[str, int] | None) -> bytes:
    corpus = shown.desk.corpus
    source = {"collection": shown.desk.name, "fingerprint": corpus.fingerprint}
    record = {**source, **trace_as_data(trace, corpus, grades=grades)}
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False).encode()


frame.through_app("search")
page()
