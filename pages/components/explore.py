"""What every Explore page stands on: the open collection, the run on screen and the knobs above it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

import streamlit as st

from engine.errors import RankScopeError
from engine.types import Note, Query, Setup, Trace
from pages.components import controls, frame, messages, opening, resources, state
from pages.components.opening import Desk
from pages.components.session import Session

_EXAMPLES = 8
_BUILD = "explore.build"
"""The collection last on screen and its build."""

_POINTS = {
    "bm25-only": "Only BM25 finds it",
    "dense-only": "Only the dense channel finds it",
    "fusion-only": "Only the fusion brings it up",
}
"""What the queries of a kind show, for those who are offered them."""


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


def screen() -> Screen | RankScopeError | None:
    """The run that the session asks for; None where there is no collection, the fault where it cannot be opened."""
    return state.once("screen", _screen)


def _screen() -> Screen | RankScopeError | None:
    session = state.current()
    name = session.collection or next(iter(resources.titles()), None)
    if name is None:
        return None
    try:
        desk = opening.desk(name)
    except RankScopeError as error:
        return error
    setup = controls.fitted(session.setup, desk)
    if not session.query.strip():
        return Screen(session, desk, setup)
    pinned = None if session.pinned is None else controls.fitted(session.pinned, desk)
    try:
        trace = opening.run(desk, session.query, setup)
        before = None if pinned is None else opening.run(desk, session.query, pinned)
    except RankScopeError as error:
        return Screen(session, desk, setup, fault=error)
    return Screen(session, desk, setup, trace, before)


def examples(desk: Desk) -> tuple[Query, ...]:
    """The queries that a collection offers: those marked as examples, else its first ones."""
    marked = tuple(query for query in desk.queries if query.example)
    return (marked or desk.queries)[:_EXAMPLES]


def notice_new_build() -> None:
    """Notes that the collection on screen was built anew since this reader last saw results of it."""
    shown = screen()
    if not isinstance(shown, Screen):
        return
    name, build = state.kept(_BUILD) or ("", "")
    state.keep(_BUILD, (shown.desk.name, shown.desk.build))
    if name == shown.desk.name and build != shown.desk.build:
        state.note(f"{shown.desk.title} was built anew since you last looked: what you see now is of the new build.")


def head() -> None:
    """The query box and the row of knobs, where there is a collection to search."""
    shown = screen()
    if isinstance(shown, Screen):
        controls.query_box(shown.session, examples(shown.desk))
        controls.knobs(shown.session, shown.desk, shown.trace)


def ready() -> Screen:
    """The screen, where there is a collection that can be opened; otherwise says what is missing and ends the run."""
    shown = screen()
    if shown is None:
        messages.nothing("No collection yet", "Load a spreadsheet, a folder of documents or a demo, and index it.")
        if any(entry.name == "data" for entry in frame.PAGES):
            st.button("Open Data", type="primary", key="open.data", on_click=frame.go, args=("data",))
        st.stop()
    fault = shown if isinstance(shown, RankScopeError) else shown.fault
    if isinstance(shown, Screen) and fault is not None and shown.desk.loading:
        messages.nothing(
            "The encoder is loading", "This collection has no other channel; results appear by themselves."
        )
        opening.warm_up(shown.desk)
        fill_in(shown.desk)
        st.stop()
    if fault is not None:
        messages.fault(fault)
        st.stop()
    return shown


def invite(desk: Desk) -> None:
    """Where there is no query yet: what to do, and the collection's examples to click."""
    messages.nothing(
        f"Search {desk.title}", f"{len(desk.corpus):,} chunks. Type a query above, or start from one of these."
    )
    groups: dict[str, list[str]] = {}
    for query in examples(desk):
        groups.setdefault(_POINTS.get(query.kind or "", "Others"), []).append(query.text)
    for number, (point, texts) in enumerate(groups.items()):
        messages.offers(
            point if len(groups) > 1 else "",
            texts,
            key=f"offers.{number}",
            on_click=lambda text: state.change(query=text, selected=None),
        )


def why_nothing(shown: Screen, trace: Trace) -> str:
    """Where no result is left: which stage took them, and what to loosen; empty where there are results."""
    if len(trace.final):
        return ""
    stages = Counter(drop.stage for drop in trace.dropped)
    if not stages and not any(len(ranking) for ranking in trace.channels.values()):
        return "No chunk matches. Try other words, or fewer of them."
    taken = ", ".join(f"{count:,} by the {stage}" for stage, count in stages.most_common())
    weights = "" if any(channel.weight for channel in shown.setup.channels) else "Every weight is 0. "
    return f"Nothing is left to show. {f'Taken out: {taken}. ' if taken else ''}{weights}Loosen these, or reset."


def quiet_line(shown: Screen, trace: Trace) -> None:
    """One line of how many results there are and how long each stage took."""
    labels = {**shown.desk.labels, "fusion": "fusion", "total": "total"}
    times = " · ".join(f"{labels.get(name, name)} {value:.1f} ms" for name, value in trace.timings_ms.items())
    listed = min(len(trace.final), trace.setup.shown)
    count = f"{listed:,} of {len(trace.final):,} results in {len(shown.desk.corpus):,} chunks"
    st.html(f'<p class="rs-quiet">{escape(f"{count} · {times}")}</p>')


def warnings(shown: Screen, trace: Trace) -> None:
    """What the reader should know of this run, one remark a line."""
    texts = [why_nothing(shown, trace), *(note.text for note in (*trace.warnings, *clamped(shown)))]
    messages.remarks([text for text in texts if text])
    if shown.desk.whole.unavailable:
        st.button("Rebuild it on Data", icon=":material/database:", key="open.data", on_click=frame.go, args=("data",))


def clamped(shown: Screen) -> tuple[Note, ...]:
    """A note where the collection has fewer chunks than the knobs ask for."""
    asked, fits = shown.session.setup.shown, shown.setup.shown
    if asked == fits:
        return ()
    return (Note("clamped", f"{asked} results are asked for; this collection has {fits} chunks, so {fits} is used."),)


def fill_in(desk: Desk) -> None:
    """Runs the page again as soon as the models of a collection are there, so that their columns fill in."""
    if desk.loading:
        _wait(desk.name)


def warm_up() -> None:
    """Lets the models of the open collection load, now that the screen is drawn."""
    shown = screen()
    if isinstance(shown, Screen):
        opening.warm_up(shown.desk)


@st.fragment(run_every=0.4)
def _wait(name: str) -> None:
    try:
        loading = bool(opening.desk(name).loading)
    except RankScopeError:  # deleted or damaged since: the page says so, and waits no more
        loading = False
    if not loading:
        st.rerun()
