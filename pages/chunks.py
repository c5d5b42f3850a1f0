"""Chunks: everything in the collection as a table, and one chunk whole with its neighbours and its path."""

from pathlib import Path

import streamlit as st

from pages.components import explore, frame, messages, opening
from pages.components.chunk_table import bar, chunk_table, passed, wanted
from pages.components.chunk_view import chunk_view


def page() -> None:
    st.html(Path(__file__).parent / "components" / "data.css")
    shown = explore.ready()
    if not len(shown.desk.corpus):
        messages.nothing("This collection is empty", "Its source had no rows. Build it again from another one on Data.")
        return
    inventory = opening.inventory(shown.desk)
    rows = inventory.rows(wanted(shown.session, inventory), passed(shown))
    bar(shown, inventory, rows)
    remark(shown, len(rows))
    with st.container(horizontal=True, vertical_alignment="top", key="chunks_split"):
        with st.container(key="chunks_rows"):
            chunk_table(shown, inventory, rows)
        if shown.session.selected is not None:
            with st.container(border=True, key="chunk_panel"):
                chunk_view(shown, inventory, shown.session.selected)
    explore.fill_in(shown.desk)


def remark(shown: explore.Screen, left: int) -> None:
    if shown.setup.filters:
        whole = len(shown.desk.corpus)
        messages.remarks([f"The filters above hold here too: {left:,} of {whole:,} chunks are left."])


frame.through_app("chunks")
page()
