"""The parts of which knobs are made: the registry's limits, number boxes, and the step from a widget to a setup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from pydantic import BaseModel

from engine.types import Setup
from pages.components import state
from pages.components.messages import plain
from pages.components.session import Session

NARROW, WIDE = 80, 112
"""Pixels of a number box: with a short and with a long label, the row fits 1280 with the menu open."""


def limits(model: type[BaseModel], field: str) -> dict[str, Any]:
    """The smallest and largest value that a number box may offer for a field, and its help, from the registry."""
    info = model.model_fields[field]
    bounds = {name: getattr(rule, name) for rule in info.metadata for name in ("ge", "gt", "le") if hasattr(rule, name)}
    smallest = bounds.get("ge", bounds["gt"] + 0.01 if "gt" in bounds else None)
    return {"min_value": smallest, "max_value": bounds.get("le"), "help": info.description}


def with_fields(setup: Setup, **changes: object) -> Setup:
    """The setup with those fields changed, validated: the limits of a widget hold in the browser only."""
    return Setup.model_validate({**dict(setup), **changes})


def knob(name: str, value: object, step: Callable[[Setup, Any], Setup]) -> dict[str, Any]:
    """What lets a widget show a value of the setup and change it; an emptied one changes nothing.

    Steps of 0.1 are kept free of the dust of binary fractions.
    """

    def follow(now: Session, value: object) -> Session:
        clean = round(value, 9) if isinstance(value, float) else value
        return now if value is None else now.changed(setup=step(now.setup, clean))

    return state.bound(name, value, follow)


def number(
    label: str,
    value: float,
    allowed: Mapping[str, Any],
    change: Callable[[Setup, Any], Setup],
    *,
    step: float,
    idle: bool = False,
) -> None:
    """A number box for one field, with the limits and the help that `allowed` holds (see `limits`).

    `idle`: nothing reads the field now, and so it cannot be moved.
    """
    kind = type(step)
    bounds = {name: None if allowed[name] is None else kind(allowed[name]) for name in ("min_value", "max_value")}
    if bounds["min_value"] is not None:  # a link may hold a value nearer to an open limit than the box goes
        bounds["min_value"] = min(bounds["min_value"], kind(value))
    st.number_input(
        plain(label),
        **bounds,
        value=kind(value),
        step=step,
        format="%d" if kind is int else "%g",
        help=allowed["help"],
        width=WIDE if len(label) > 8 else NARROW,
        disabled=idle or bounds["min_value"] == bounds["max_value"],
        **knob(f"knob.{label}", kind(value), change),
    )
