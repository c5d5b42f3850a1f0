"""The collection chooser, the query box and the row of knobs above the Explore pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st

from engine.fusion.registry import FUSIONS
from engine.types import ChannelSetup, Query, Setup, Trace
from pages.components import methods, state
from pages.components.knob import limits, number, with_fields
from pages.components.messages import plain
from pages.components.narrowing import filters, has_threshold, thresholds
from pages.components.opening import Desk
from pages.components.session import Session

_POPOVER = 340
_DEPTH_STEP = 10


def fitted(setup: Setup, desk: Desk) -> Setup:
    """The setup as it runs on a collection, with no more chunks asked for than there are, as its boxes show it.

    A depth beyond the last chunk finds what the last one finds, so that no rank and no score hangs on that.
    """
    most = max(len(desk.corpus), 1)
    own = desk.fitted(setup)
    channels = tuple(each.model_copy(update={"depth": min(each.depth, most)}) for each in own.channels)
    return own.model_copy(update={"channels": channels, "shown": min(own.shown, most)})


def collection_chooser(session: Session, titles: Mapping[str, str]) -> None:
    """The collection that all pages work on. Another one starts without the filters and the selection of this one."""
    if not titles:
        return
    name = session.collection or next(iter(titles))
    shown = name if name in titles else None
    often = Counter(titles.values())
    labels = {each: title if often[title] == 1 else f"{title} ({each})" for each, title in titles.items()}
    st.selectbox(
        "Collection",
        list(titles),
        index=None if shown is None else list(titles).index(shown),
        format_func=lambda each: labels.get(each, each),
        placeholder="Choose a collection",
        **state.bound(state.of_labels("knob.collection", labels.values()), shown, _with_collection),
    )


def _with_collection(session: Session, name: str | None) -> Session:
    return session if name is None else session.in_collection(name)


def query_box(session: Session, examples: Iterable[Query]) -> None:
    """The query, and beside it the collection's example queries."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="query_row"):
        st.text_input(
            "Query",
            type="search",
            value=session.query,
            placeholder="Type a query and press Enter",
            label_visibility="collapsed",
            **state.bound("knob.q", session.query, lambda now, text: now.changed(query=text or "", selected=None)),
        )
        offered = tuple(examples)
        if offered:
            st.menu_button(
                "Examples",
                [query.text for query in offered],
                format_func=plain,
                key="knob.example",
                icon=":material/lightbulb:",
                help="Queries that make a point in this collection.",
                on_click=state.follow,
                args=("knob.example", lambda now, text: now.changed(query=text or now.query, selected=None)),
            )


def knobs(session: Session, desk: Desk, trace: Trace | None) -> None:
    """The row of knobs. `trace` is the run on screen, for the ranges of its scores."""
    setup = fitted(session.setup, desk)
    most = max(len(desk.corpus), 1)
    _mark(Thresholds=has_threshold(setup), Filters=bool(setup.filters), Methods=methods.is_moved(setup))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="knobs"):
        number(
            "RRF k",
            setup.k,
            limits(Setup, "k"),
            lambda old, new: with_fields(old, k=new),
            step=1.0,
            idle="k" not in FUSIONS[setup.fusion].knobs,
        )
        for name, label in desk.labels.items():
            _weight(setup, name, label)
        _depth(setup, most)
        number(
            "Results shown",
            setup.shown,
            {**limits(Setup, "shown"), "max_value": min(limits(Setup, "shown")["max_value"], most)},
            lambda old, new: with_fields(old, shown=new),
            step=1,
        )
        with _sheet("Thresholds") as opened:
            if opened:
                thresholds(setup, desk, trace)
        with _sheet("Filters") as opened:
            if opened:
                filters(setup, desk)
        with _sheet("Methods") as opened:
            if opened:
                methods.fusion_choice(setup, desk)
                if "bm25" in desk.labels:
                    methods.bm25_choice(setup)
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            key="knob.reset",
            help="Every knob, threshold and filter back to its default.",
            disabled=session.setup == Setup(),
            on_click=lambda: state.change(setup=Setup()),
        )
        _pin(session)


@contextmanager
def _sheet(label: str) -> Iterator[bool]:
    """A popover of the row. What is in it costs nothing while it is closed."""
    sheet = st.popover(label, key=f"sheet.{label}", on_change="rerun")
    with sheet, st.container(width=_POPOVER):
        yield bool(sheet.open)


def _mark(**used: bool) -> None:
    """Marks the popovers of the row in which anything is used. By style: one drawn as another type would close."""
    marked = ", ".join(f".st-key-sheet-{label} button" for label, is_used in used.items() if is_used)
    rule = "{ border-color: var(--st-primary-color); color: var(--st-primary-color); font-weight: 600 }"
    st.html(f"<style>{marked or '.none'} {rule}</style>")


def _emphasis(used: bool) -> str:
    return "primary" if used else "secondary"


def _weight(setup: Setup, name: str, label: str) -> None:
    number(
        f"{label} weight",
        setup.channel(name).weight,
        limits(ChannelSetup, "weight"),
        lambda old, new: old.with_channel(name, weight=new),
        step=0.1,
    )


def _depth(setup: Setup, most: int) -> None:
    """One box for the depth of every channel; it shows the deepest where they differ."""
    depths = [channel.depth for channel in setup.channels]
    allowed = limits(ChannelSetup, "depth")
    if len(set(depths)) > 1:
        allowed["help"] += f" Now {', '.join(f'{channel.name} {channel.depth}' for channel in setup.channels)}."

    def change(old: Setup, new: int) -> Setup:
        for channel in setup.channels:
            old = old.with_channel(channel.name, depth=int(new))
        return old

    capped = {**allowed, "max_value": min(allowed["max_value"], most)}
    number("Depth", max(depths, default=1), capped, change, step=_DEPTH_STEP)


def _pin(session: Session) -> None:
    pinned = session.pinned is not None
    st.button(
        "Unpin" if pinned else "Pin",
        icon=":material/keep_off:" if pinned else ":material/keep:",
        key="knob.pin",
        type=_emphasis(pinned),
        help="Stop comparing." if pinned else "Keep this setup, and show how ranks move against it.",
        on_click=lambda: state.change(pinned=None if pinned else session.setup),
    )
