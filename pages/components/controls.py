"""Widgets to a frozen `Setup`: the knobs above the Explore pages, built from the setup's own field registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

import streamlit as st
from pydantic import BaseModel

from engine.types import Agreement, Bm25Setup, ChannelSetup, Filter, Query, Ranking, Setup, Trace, Variant
from pages.components import state
from pages.components.messages import plain
from pages.components.resources import Desk
from pages.components.session import Session

NARROW = 92
"""Pixels of a number box: the row then fits 1280 with the menu open."""

_DEPTH_STEP = 10
_AGREEMENTS: Mapping[Agreement, str] = {"each": "Each", "both": "Both", "either": "Either"}
_VARIANTS: Mapping[Variant, str] = {"okapi": "Okapi", "plus": "Plus", "lucene": "Lucene"}


def fitted(setup: Setup, desk: Desk) -> Setup:
    """The setup as it can run on a collection: its channels, and no more chunks asked for than there are."""
    most = max(len(desk.corpus), 1)
    channels = []
    for name in desk.labels:
        channel = setup.channel(name)
        channels.append(channel.model_copy(update={"depth": min(channel.depth, most)}))
    return setup.model_copy(update={"channels": tuple(channels), "shown": min(setup.shown, most)})


def limits(model: type[BaseModel], field: str) -> dict[str, Any]:
    """The smallest and largest value that a number box may offer for a field, and its help, from the registry."""
    info = model.model_fields[field]
    bounds = {name: getattr(rule, name) for rule in info.metadata for name in ("ge", "gt", "le") if hasattr(rule, name)}
    smallest = bounds.get("ge", bounds["gt"] + 0.01 if "gt" in bounds else None)
    return {"min_value": smallest, "max_value": bounds.get("le"), "help": info.description}


def _with(setup: Setup, **changes: object) -> Setup:
    """The setup with those fields changed, validated: the limits of a widget hold in the browser only."""
    return Setup.model_validate({**dict(setup), **changes})


def collection_chooser(session: Session, titles: Mapping[str, str]) -> None:
    """The collection that all pages work on. Another one starts without the filters and the selection of this one."""
    if not titles:
        return
    name = session.collection or next(iter(titles))
    st.selectbox(
        "Collection",
        list(titles),
        index=None,
        format_func=lambda each: titles.get(each, each),
        key=state.seed("knob.collection", name if name in titles else None),
        placeholder="Choose a collection",
        on_change=state.follow,
        args=("knob.collection", _with_collection),
    )


def _with_collection(session: Session, name: str | None) -> Session:
    if name is None:
        return session
    return session.changed(collection=name, selected=None, setup=_with(session.setup, filters=()))


def query_box(session: Session, examples: Iterable[Query]) -> None:
    """The query, and beside it the collection's example queries."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key="query_row"):
        st.text_input(
            "Query",
            type="search",
            key=state.seed("knob.q", session.query),
            placeholder="Type a query and press Enter",
            label_visibility="collapsed",
            on_change=state.follow,
            args=("knob.q", lambda now, text: now.changed(query=text or "", selected=None)),
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
        _number("k", setup.k, limits(Setup, "k"), lambda old, new: _with(old, k=new), step=1.0)
        for name, label in desk.labels.items():
            _weight(setup, name, label, alone=len(desk.labels) == 1)
        _depth(setup, most)
        _number(
            "Shown",
            setup.shown,
            {**limits(Setup, "shown"), "max_value": min(limits(Setup, "shown")["max_value"], most)},
            lambda old, new: _with(old, shown=new),
            step=1,
        )
        with st.popover("Thresholds", icon=":material/vertical_align_bottom:", type=_emphasis(_has_threshold(setup))):
            _thresholds(setup, desk, trace)
        with st.popover("Filters", icon=":material/filter_alt:", type=_emphasis(bool(setup.filters))):
            _filters(setup, desk)
        if "bm25" in desk.labels:
            with st.popover("BM25", icon=":material/function:", type=_emphasis(setup.bm25 != Bm25Setup())):
                _bm25(setup)
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            key="knob.reset",
            help="Every knob, threshold and filter back to its default.",
            disabled=session.setup == Setup(),
            on_click=lambda: state.change(setup=Setup()),
        )
        _pin(session, setup)


def _emphasis(used: bool) -> str:
    return "primary" if used else "secondary"


def _has_threshold(setup: Setup) -> bool:
    limits_set = [channel.threshold for channel in setup.channels] + [setup.fused_threshold]
    return setup.agreement != "each" or any(limit is not None for limit in limits_set)


def _knob(key: str, step: Callable[[Setup, Any], Setup]) -> dict[str, Any]:
    """What lets a widget change the setup. Steps of 0.1 are kept free of the dust of binary fractions."""

    def follow(now: Session, value: object) -> Session:
        clean = round(value, 9) if isinstance(value, float) else value
        return now if value is None else now.changed(setup=step(now.setup, clean))

    return {"on_change": state.follow, "args": (key, follow)}


def _number(
    label: str, value: float, allowed: Mapping[str, Any], change: Callable[[Setup, Any], Setup], *, step: float
) -> None:
    key = f"knob.{label}"
    kind = type(step)
    bounds = {name: None if allowed[name] is None else kind(allowed[name]) for name in ("min_value", "max_value")}
    st.number_input(
        plain(label),
        **bounds,
        step=step,
        format="%d" if kind is int else "%g",
        help=allowed["help"],
        key=state.seed(key, kind(value)),
        width=NARROW,
        required=True,
        disabled=bounds["min_value"] == bounds["max_value"],
        **_knob(key, change),
    )


def _weight(setup: Setup, name: str, label: str, *, alone: bool) -> None:
    allowed = limits(ChannelSetup, "weight")
    if alone:
        allowed = {**allowed, "help": f"{allowed['help']} This collection has one channel only."}
    _number(
        f"{label} weight",
        setup.channel(name).weight,
        allowed,
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
    _number("Depth", max(depths, default=1), capped, change, step=_DEPTH_STEP)


def _thresholds(setup: Setup, desk: Desk, trace: Trace | None) -> None:
    for name, label in desk.labels.items():
        ranking = None if trace is None else trace.channels.get(name)
        _threshold(
            f"{label}: minimum score",
            f"After {label}, before the fusion. Scale: {desk.scales.get(name, 'its own')}.",
            setup.channel(name).threshold,
            ranking,
            lambda old, new, name=name: old.with_channel(name, threshold=new),
        )
    highest = sum(channel.weight for channel in setup.channels) / (setup.k + 1)
    _threshold(
        "Fused: minimum score",
        f"After the fusion. Scale: 0 to {highest:.6f}, the sum of the weights / (k + 1).",
        setup.fused_threshold,
        None if trace is None else trace.fused,
        lambda old, new: _with(old, fused_threshold=new),
    )
    key = "knob.agreement"
    st.segmented_control(
        "Agreement",
        get_args(Agreement),
        format_func=_AGREEMENTS.__getitem__,
        key=state.seed(key, setup.agreement),
        required=True,
        help=Setup.model_fields["agreement"].description,
        **_knob(key, lambda old, new: _with(old, agreement=new)),
    )


def _threshold(
    label: str, stage: str, value: float | None, ranking: Ranking | None, change: Callable[[Setup, Any], Setup]
) -> None:
    """A minimum score that may be empty; switched off where every score is the same, so that it could only empty it."""
    key = f"knob.{label}"
    point = ranking is not None and len(ranking) > 0 and ranking.scores[0] == ranking.scores[-1]

    def follow(now: Session, new: float | None) -> Session:
        return now.changed(setup=change(now.setup, new))

    st.number_input(
        plain(label),
        value=None,
        step=0.001 if ranking is not None and len(ranking) and abs(ranking.scores[0]) < 1 else 0.1,
        format="%g",
        placeholder="none",
        key=state.seed(key, value),
        disabled=point and value is None,
        on_change=state.follow,
        args=(key, follow),
    )
    st.caption(f"{plain(stage)} {_range(ranking, point)}")


def _range(ranking: Ranking | None, point: bool) -> str:
    if ranking is None or not len(ranking):
        return ""
    if point:
        return f"All scores of this query are {ranking.scores[0]:.6g}: nothing to part."
    return f"This query: {ranking.scores[-1]:.6g} to {ranking.scores[0]:.6g}."


def _filters(setup: Setup, desk: Desk) -> None:
    chosen = {each.field: each.values for each in setup.filters}
    fields = {**desk.facets, **{name: values for name, values in chosen.items() if name not in desk.facets}}
    if not fields:
        st.caption("No field of this collection tells its chunks apart.")
    for name, values in fields.items():
        key = f"knob.filter.{name}"
        st.multiselect(
            plain(name.removeprefix("metadata.").replace("_", " ")),
            list(dict.fromkeys([*values, *chosen.get(name, ())])),
            key=state.seed(key, list(chosen.get(name, ()))),
            placeholder="any",
            **_knob(key, lambda old, new, name=name: _with_filter(old, name, tuple(new))),
        )


def _with_filter(setup: Setup, field: str, values: tuple[str, ...]) -> Setup:
    others = tuple(each for each in setup.filters if each.field != field)
    added = (Filter(field=field, values=values),) if values else ()
    return _with(setup, filters=(*others, *added))


def _bm25(setup: Setup) -> None:
    def change(field: str) -> Callable[[Setup, Any], Setup]:
        return lambda old, new: _with(old, bm25={**old.bm25.model_dump(), field: new})

    key = "knob.variant"
    st.segmented_control(
        "BM25 variant",
        get_args(Variant),
        format_func=_VARIANTS.__getitem__,
        key=state.seed(key, setup.bm25.variant),
        required=True,
        help=Bm25Setup.model_fields["variant"].description,
        **_knob(key, change("variant")),
    )
    with st.container(horizontal=True, gap="xsmall"):
        _number("k1", setup.bm25.k1, limits(Bm25Setup, "k1"), change("k1"), step=0.1)
        _number("b", setup.bm25.b, limits(Bm25Setup, "b"), change("b"), step=0.05)


def _pin(session: Session, setup: Setup) -> None:
    pinned = session.pinned is not None
    st.button(
        "Unpin" if pinned else "Pin",
        icon=":material/keep_off:" if pinned else ":material/keep:",
        key="knob.pin",
        type=_emphasis(pinned),
        help="Stop comparing." if pinned else "Keep this setup, and show how ranks move against it.",
        on_click=lambda: state.change(pinned=None if pinned else setup),
    )
