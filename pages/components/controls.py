"""The collection chooser, the query box and the row of knobs above the Explore pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, get_args

import streamlit as st

from engine.types import Bm25Setup, ChannelSetup, Query, Setup, Trace, Variant
from pages.components import state
from pages.components.knob import knob, limits, number, with_fields
from pages.components.messages import plain
from pages.components.narrowing import filters, has_threshold, thresholds
from pages.components.opening import Desk
from pages.components.session import Session

_POPOVER = 340
_DEPTH_STEP = 10
_VARIANTS: Mapping[Variant, str] = {"okapi": "Okapi", "plus": "Plus", "lucene": "Lucene"}


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
    st.selectbox(
        "Collection",
        list(titles),
        index=None if shown is None else list(titles).index(shown),
        format_func=lambda each: titles.get(each, each),
        placeholder="Choose a collection",
        **state.bound("knob.collection", shown, _with_collection),
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
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="knobs"):
        number("RRF k", setup.k, limits(Setup, "k"), lambda old, new: with_fields(old, k=new), step=1.0)
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
        with _sheet("Thresholds", used=has_threshold(setup)) as opened:
            if opened:
                thresholds(setup, desk, trace)
        with _sheet("Filters", used=bool(setup.filters)) as opened:
            if opened:
                filters(setup, desk)
        if "bm25" in desk.labels:
            with _sheet("BM25", used=setup.bm25 != Bm25Setup()) as opened:
                if opened:
                    _bm25(setup)
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
def _sheet(label: str, *, used: bool) -> Iterator[bool]:
    """A popover of the row, marked where anything in it is used. What is in it costs nothing while it is closed."""
    sheet = st.popover(label, type=_emphasis(used), key=f"sheet.{label}", on_change="rerun")
    with sheet, st.container(width=_POPOVER):
        yield bool(sheet.open)


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


def _bm25(setup: Setup) -> None:
    def change(field: str) -> Callable[[Setup, Any], Setup]:
        return lambda old, new: with_fields(old, bm25={**old.bm25.model_dump(), field: new})

    st.segmented_control(
        "BM25 variant",
        get_args(Variant),
        format_func=_VARIANTS.__getitem__,
        default=setup.bm25.variant,
        required=True,
        help=Bm25Setup.model_fields["variant"].description,
        **knob("knob.variant", setup.bm25.variant, change("variant")),
    )
    with st.container(horizontal=True, gap="xsmall"):
        number("k1", setup.bm25.k1, limits(Bm25Setup, "k1"), change("k1"), step=0.1)
        number("b", setup.bm25.b, limits(Bm25Setup, "b"), change("b"), step=0.05)


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
