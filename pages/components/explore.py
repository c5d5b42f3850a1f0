"""What every Explore page stands on: the open collection, the run on screen and the knobs above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from engine.errors import RankScopeError
from engine.types import Query, Setup, Trace
from pages.components import controls, frame, messages, resources, state
from pages.components.resources import Desk
from pages.components.session import Session

_EXAMPLES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """One run as a page draws it. `setup` is the session's, fitted to the collection.

    `trace` is None where there is no query, or where `fault` says why the run failed. `pinned` is the same query under
    the pinned setup, where one is pinned.
    """

    session: Session
    desk: Desk
    setup: Setup
    trace: Trace | None = None
    pinned: Trace | None = None
    fault: RankScopeError | None = None


def screen(names: Sequence[str]) -> Screen | RankScopeError | None:
    """The run that the session asks for; None where there is no collection, the fault where it cannot be opened."""
    session = state.current()
    name = session.collection or (names[0] if names else None)
    if name is None:
        return None
    try:
        desk = resources.desk(name)
    except RankScopeError as error:
        return error
    setup = controls.fitted(session.setup, desk)
    if not session.query.strip():
        return Screen(session, desk, setup)
    try:
        pinned = None if session.pinned is None else controls.fitted(session.pinned, desk)
        return Screen(
            session,
            desk,
            setup,
            resources.run(desk, session.query, setup),
            None if pinned is None else resources.run(desk, session.query, pinned),
        )
    except RankScopeError as error:
        return Screen(session, desk, setup, fault=error)


def examples(desk: Desk) -> tuple[Query, ...]:
    """The queries that a collection offers: those marked as examples, else its first ones."""
    marked = tuple(query for query in desk.queries if query.example)
    return (marked or desk.queries)[:_EXAMPLES]


def head(shown: Screen) -> None:
    """The query box and the row of knobs."""
    controls.query_box(shown.session, examples(shown.desk))
    controls.knobs(shown.session, shown.desk, shown.trace)


def ready(shown: Screen | RankScopeError | None) -> Screen:
    """The screen, where there is a collection and a query; otherwise says what is missing and ends the run."""
    if shown is None:
        messages.nothing("No collection yet", "Load a spreadsheet, a folder of documents or a demo, and index it.")
        if any(entry.name == "data" for entry in frame.PAGES) and st.button("Open Data", type="primary"):
            frame.go("data")
        st.stop()
    if isinstance(shown, RankScopeError):
        messages.fault(shown)
        st.stop()
    if shown.fault is not None:
        messages.fault(shown.fault)
        st.stop()
    return shown


def wait_for(desk: Desk) -> None:
    """Runs the page again as soon as the models of a collection are there."""
    if desk.loading:
        _wait(desk.name)


@st.fragment(run_every=0.4)
def _wait(name: str) -> None:
    if not resources.desk(name).loading:
        state.keep()
        st.rerun()
