"""Which pages there are, and the guard that sends a page opened without `app.py` through it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.components import state

Section = Literal["Explore", "Measure", "Improve", "Apply", "Set up"]
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page of the menu; its file is `pages/<name>.py` and its address `/<name>`."""

    name: str
    section: Section
    title: str
    icon: str

    @property
    def file(self) -> str:
        """The file, relative to `app.py`."""
        return f"pages/{self.name}.py"


_ALL = (
    PageEntry("search", "Explore", "Search", ":material/search:"),
    PageEntry("fusion", "Explore", "Fusion", ":material/merge:"),
    PageEntry("provenance", "Explore", "Provenance", ":material/account_tree:"),
    PageEntry("chunks", "Explore", "Chunks", ":material/article:"),
    PageEntry("judge", "Measure", "Judge", ":material/gavel:"),
    PageEntry("evaluate", "Measure", "Evaluate", ":material/monitoring:"),
    PageEntry("tune", "Improve", "Tune", ":material/tune:"),
    PageEntry("diagnose", "Improve", "Diagnose", ":material/troubleshoot:"),
    PageEntry("answer", "Apply", "Answer", ":material/forum:"),
    PageEntry("coding", "Apply", "Medical coding", ":material/stethoscope:"),
    PageEntry("data", "Set up", "Data", ":material/database:"),
    PageEntry("engines", "Set up", "Engines", ":material/hub:"),
)

PAGES: tuple[PageEntry, ...] = tuple(entry for entry in _ALL if (_ROOT / entry.file).exists())
"""The pages that exist, in the order of the menu."""


def navigation() -> tuple[StreamlitPage, PageEntry]:
    """Draws the menu; the page to run and its entry. A link that arrived without `app.py` is sent on its way first."""
    cold = state.enter()
    pages = {entry.name: _page(entry) for entry in PAGES}
    sections: dict[str, list[StreamlitPage]] = {}
    for entry in PAGES:
        sections.setdefault(entry.section, []).append(pages[entry.name])
    chosen = st.navigation(sections)
    if cold is not None:
        page, params = cold
        st.switch_page(page, query_params=params)
    return chosen, next((entry for entry in PAGES if pages[entry.name].title == chosen.title), PAGES[0])


def through_app(page: str) -> None:
    """For the first line of a page: if Streamlit opened it without `app.py`, goes there and comes back.

    The first link into a fresh server does so, because a folder `pages/` also means Streamlit's older kind of menu.
    """
    if not state.entered():
        state.keep_cold_link(f"pages/{page}.py")
        st.switch_page("app.py")


def go(page: str) -> None:
    """Opens another page with the session as it is."""
    st.switch_page(f"pages/{page}.py", query_params={})


def _page(entry: PageEntry) -> StreamlitPage:
    return st.Page(entry.file, title=entry.title, icon=entry.icon, default=entry is PAGES[0])
