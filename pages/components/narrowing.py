"""What takes chunks out of the results: minimum scores per stage, the agreement rule, and filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import streamlit as st

from engine.fusion.highest import highest_score
from engine.fusion.registry import summary
from engine.types import Agreement, Filter, Ranking, Setup, Trace
from pages.components import state
from pages.components.knob import knob, with_fields
from pages.components.messages import plain
from pages.components.opening import Desk
from pages.components.session import Session

_AGREEMENTS = {"each": "Each", "both": "Both", "either": "Either"}


def has_threshold(setup: Setup) -> bool:
    """Whether anything but the filters can take a chunk out."""
    limits_set = [channel.threshold for channel in setup.channels] + [setup.fused_threshold]
    return setup.agreement != "each" or any(limit is not None for limit in limits_set)


def thresholds(setup: Setup, desk: Desk, trace: Trace | None) -> None:
    """A minimum score for every stage, with the scale and the scores of this query, and the agreement switch."""
    for name, label in desk.labels.items():
        ranking = None if trace is None else trace.channels.get(name)
        _threshold(
            f"{label}: minimum score",
            f"After {label}, before the fusion. Scale: {desk.scales.get(name, 'its own')}.",
            setup.channel(name).threshold,
            ranking,
            lambda old, new, name=name: old.with_channel(name, threshold=new),
        )
    _threshold(
        "Fused: minimum score",
        f"After the fusion, {summary(setup)}.{_highest(setup, trace)}",
        setup.fused_threshold,
        None if trace is None else trace.fused,
        lambda old, new: with_fields(old, fused_threshold=new),
    )
    st.segmented_control(
        "Agreement",
        get_args(Agreement),
        format_func=_AGREEMENTS.__getitem__,
        default=setup.agreement,
        required=True,
        help=Setup.model_fields["agreement"].description,
        **knob("knob.agreement", setup.agreement, lambda old, new: with_fields(old, agreement=new)),
    )


def _highest(setup: Setup, trace: Trace | None) -> str:
    return "" if trace is None else f" Highest possible: {highest_score(trace.channels, setup):.6g}."


def _threshold(
    label: str, stage: str, value: float | None, ranking: Ranking | None, change: Callable[[Setup, Any], Setup]
) -> None:
    """A minimum score that may be empty; switched off where every score is the same, so that it could only empty it."""
    point = ranking is not None and len(ranking) > 0 and ranking.scores[0] == ranking.scores[-1]

    def follow(now: Session, new: float | None) -> Session:
        return now.changed(setup=change(now.setup, new))

    st.number_input(
        plain(label),
        value=value,
        step=0.001 if ranking is not None and len(ranking) and abs(ranking.scores[0]) < 1 else 0.1,
        format="%g",
        placeholder="none",
        disabled=point and value is None,
        **state.bound(f"knob.{label}", value, follow),
    )
    st.caption(f"{plain(stage)} {_range(ranking, point)}")


def _range(ranking: Ranking | None, point: bool) -> str:
    if ranking is None or not len(ranking):
        return ""
    if point:
        return f"All scores of this query are {ranking.scores[0]:.6g}: nothing to part."
    return f"This query: {ranking.scores[-1]:.6g} to {ranking.scores[0]:.6g}."


def filters(setup: Setup, desk: Desk) -> None:
    """The fields that tell the chunks of a collection apart, each with its values to choose from."""
    chosen = {each.field: each.values for each in setup.filters}
    fields = {**desk.facets, **{name: values for name, values in chosen.items() if name not in desk.facets}}
    if not fields:
        st.caption("No field of this collection tells its chunks apart.")
    for name, values in fields.items():
        picked = list(chosen.get(name, ()))
        st.multiselect(
            plain(name.removeprefix("metadata.").replace("_", " ")),
            list(dict.fromkeys([*values, *picked])),
            default=picked,
            placeholder="any",
            **knob(f"knob.filter.{name}", picked, lambda old, new, name=name: _with_filter(old, name, tuple(new))),
        )


def _with_filter(setup: Setup, field: str, values: tuple[str, ...]) -> Setup:
    others = tuple(each for each in setup.filters if each.field != field)
    added = (Filter(field=field, values=values),) if values else ()
    return with_fields(setup, filters=(*others, *added))
