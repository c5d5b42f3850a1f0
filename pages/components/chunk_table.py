"""The table of a collection's chunks: found, filtered, ordered and paged on the server; selection by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.export.results import rows_as_csv
from engine.types import Mask
from pages.components import messages, state
from pages.components.chunk_rows import export_rows, table_rows
from pages.components.explore import Screen
from pages.components.inventory import MARKS, ORDERS, Inventory, Mark, Order, Wanted
from pages.components.session import Session

if TYPE_CHECKING:
    import pandas as pd

PAGE = 20
"""Rows of a page, so that the whole page is in view."""

_ROW = 30
_KEY = "chunks.table"
_BADGES = {
    "same text": "orange",
    "near-identical": "yellow",
    "truncated": "red",
    "windowed": "blue",
    "blank": "gray",
    "no terms": "gray",
}


def wanted(session: Session, inventory: Inventory) -> Wanted:
    """What the page is asked to show. Marks that no chunk here has, and values that do not exist, are passed over."""
    asked, order = session.mark("chunks.marks").split("|"), session.mark("chunks.order")
    chosen = tuple(mark for mark in inventory.counts if mark in asked)
    known: Order = next((each for each in ORDERS if each == order), "document")
    return Wanted(session.mark("chunks.find"), chosen, known)


def bar(shown: Screen, inventory: Inventory, rows: Sequence[int]) -> None:
    """The row above the table: words to find, marks, order, and the file."""
    asked = wanted(shown.session, inventory)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="chunks_bar"):
        _box()
        if inventory.counts:
            _marks(asked, inventory.counts)
        _order(asked)
        st.download_button(
            "CSV",
            lambda: rows_as_csv(export_rows(shown.desk.corpus, inventory, rows)).encode("utf-8-sig"),
            "chunks.csv",
            "text/csv",
            key="chunks.csv",
            icon=":material/download:",
            help="The rows that are left, with everything known of each chunk.",
            on_click="ignore",
            disabled=not rows,
        )


def _box() -> None:
    key = "knob.chunks.find"
    st.text_input(
        "Find in the chunks",
        type="search",
        key=state.seed(key, state.current().mark("chunks.find")),
        placeholder="Find in id, number, title, text or place",
        label_visibility="collapsed",
        width=330,
        on_change=state.follow,
        args=(key, lambda now, text: _anew(now).with_mark("chunks.find", (text or "").strip())),
    )


def _marks(asked: Wanted, counts: Mapping[Mark, int]) -> None:
    labels = {mark: f"{mark} ({count:,})" for mark, count in counts.items()}
    key = state.of_labels("knob.chunks.marks", labels.values())
    st.multiselect(
        "Marks",
        list(counts),
        format_func=labels.__getitem__,
        key=state.seed(key, list(asked.marks)),
        placeholder="Any marks",
        label_visibility="collapsed",
        width=250,
        help="\n\n".join(f"{mark}: {MARKS[mark]}" for mark in counts),
        on_change=state.follow,
        args=(key, lambda now, picked: _anew(now).with_mark("chunks.marks", "|".join(picked))),
    )


def _order(asked: Wanted) -> None:
    key = "knob.chunks.order"
    st.selectbox(
        "Order",
        list(ORDERS),
        format_func=ORDERS.__getitem__,
        key=state.seed(key, asked.order),
        label_visibility="collapsed",
        width=170,
        on_change=state.follow,
        args=(key, lambda now, order: _anew(now).with_mark("chunks.order", "" if order == "document" else order)),
    )


def chunk_table(shown: Screen, inventory: Inventory, rows: Sequence[int]) -> None:
    """One page of the rows; the page of the opened chunk, unless the reader went to another one since."""
    if not rows:
        messages.nothing("No chunk is left", "Loosen what you look for, the marks, or the filters above.")
        return
    ids = [inventory.ids[row] for row in rows]
    pages = -(-len(rows) // PAGE)
    page = page_of(shown.session, ids, pages)
    start = (page - 1) * PAGE
    _show(shown, inventory, rows[start : start + PAGE], ids[start : start + PAGE])
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="chunks_foot"
    ):
        st.html(f'<p class="rs-quiet">{start + 1:,} to {min(start + PAGE, len(rows)):,} of {len(rows):,}</p>')
        if pages > 1:
            # A new key where anything else decides the page anew, since a pagination cannot be set from outside.
            key = f"knob.chunks.page.{wanted(shown.session, inventory)}.{shown.setup.filters}.{shown.session.selected}"
            st.pagination(pages, default=page, key=key, on_change=state.follow, args=(key, _with_page))


def page_of(session: Session, ids: Sequence[str], pages: int) -> int:
    """The page to show, 1-based: the one gone to while the opened chunk was the same, else that of the chunk."""
    number, _, opened = session.mark("chunks.page").partition("~")
    if number.isdecimal() and opened == (session.selected or ""):
        return min(max(int(number), 1), pages)
    return ids.index(session.selected) // PAGE + 1 if session.selected in ids else 1


def _anew(session: Session) -> Session:
    return session.with_mark("chunks.page", "")


def _with_page(session: Session, page: int) -> Session:
    return session.with_mark("chunks.page", f"{page}~{session.selected or ''}")


def _show(shown: Screen, inventory: Inventory, rows: Sequence[int], ids: list[str]) -> None:
    selected = shown.session.selected
    state.seed_selection(_KEY, [ids.index(selected)] if selected in ids else [])
    cells = table_rows(shown.desk.corpus, inventory, rows)
    st.dataframe(
        _frame(cells),
        key=_KEY,
        hide_index=True,
        column_config=_config(),
        on_select=_follow,
        selection_mode="single-row",
        height=_ROW * (len(rows) + 1) + 4,
        row_height=_ROW,
        placeholder="",
        alt="Chunks of the collection",
    )
    state.remember(_KEY, ids)


def _frame(cells: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame.from_records(cells)
    return frame.astype({"Page": "Int64"}) if "Page" in frame else frame


def _config() -> dict[str, Any]:
    column = st.column_config
    return {
        "Id": column.TextColumn(width=130, pinned=True),
        "Chunk": column.TextColumn(width=230),
        "Text": column.TextColumn(width=260),
        "Marks": column.MultiselectColumn(width=150, options=list(MARKS), color=[_BADGES[mark] for mark in MARKS]),
        "Terms": column.NumberColumn(
            width=64, help="The length that BM25 uses: terms of every field that it reads, repeats counted."
        ),
        "Language": column.TextColumn(width=72),
        "Page": column.NumberColumn(width=56),
    }


def _follow() -> None:
    rows, ids = state.widget(_KEY)["selection"]["rows"], state.remembered(_KEY)
    state.change(selected=ids[rows[0]] if rows and rows[0] < len(ids) else None)


def passed(shown: Screen) -> Mask | None:
    """Which chunks the filters of the knobs let through; None where there are none."""
    return shown.desk.search.mask(shown.setup.filters)
