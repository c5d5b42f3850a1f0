"""How scores come about: the variant of BM25, and the fusion with what it reads. All choices are the engine's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import streamlit as st

from engine.fusion.registry import FUSIONS, NORMALISERS, PRESETS
from engine.types import Absence, Bm25Setup, ChannelSetup, Setup, Variant
from pages.components.knob import knob, limits, number, with_fields
from pages.components.opening import Desk

_VARIANTS = {"okapi": "Okapi", "plus": "Plus", "lucene": "Lucene"}
_ABSENCES = {"auto": "As the normaliser says", "zero": "0", "lowest": "The list's lowest", "true": "Their true score"}
_OTHER = "Other"


def is_moved(setup: Setup) -> bool:
    """Whether anything here is not at its default."""
    plain = Setup()
    floors = any(channel.floor is not None for channel in setup.channels)
    return floors or any(
        getattr(setup, name) != getattr(plain, name) for name in ("bm25", "fusion", "normaliser", "absence")
    )


def fusion_choice(setup: Setup, desk: Desk) -> None:
    """The presets first; under Advanced every fusion, its normaliser and what it gives to absent chunks."""
    preset = next((each.label for each in PRESETS if each.holds(setup)), _OTHER)
    offered = [each.label for each in PRESETS]
    by_label = {each.label: each for each in PRESETS}
    st.segmented_control(
        "Fusion",
        offered if preset in offered else [*offered, _OTHER],
        default=preset,
        required=True,
        help=Setup.model_fields["fusion"].description,
        **knob("knob.preset", preset, lambda old, new: by_label[new].applied(old) if new in by_label else old),
    )
    method = FUSIONS[setup.fusion]
    st.caption(f"{method.help} {method.formula}.")
    with st.expander("Advanced", key="methods.advanced", expanded=preset == _OTHER):
        _select("Method", "fusion", setup, {name: each.label for name, each in FUSIONS.items()})
        if method.of_scores:
            _select("Normaliser", "normaliser", setup, {name: each.label for name, each in NORMALISERS.items()})
            st.caption(NORMALISERS[setup.normaliser].help)
            _select("Absent chunks", "absence", setup, _absences(setup))
            if "floor" in NORMALISERS[setup.normaliser].knobs:
                _floors(setup, desk)


def bm25_choice(setup: Setup) -> None:
    """The variant of BM25 with its k1 and b."""

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


def _select(label: str, field: str, setup: Setup, offered: dict[Any, str]) -> None:
    value = getattr(setup, field)
    st.selectbox(
        label,
        list(offered),
        index=list(offered).index(value),
        format_func=offered.__getitem__,
        help=Setup.model_fields[field].description,
        **knob(f"knob.{field}", value, lambda old, new: _changed(old, field, new)),
    )


def _changed(setup: Setup, field: str, value: object) -> Setup:
    """The setup with that choice; an absence that another normaliser does not offer goes back to its default."""
    absence = value if field == "absence" else setup.absence
    normaliser = value if field == "normaliser" else setup.normaliser
    refused = absence == "zero" and normaliser in ("z-score", "three-sigma")
    return with_fields(setup, **{field: value}, **({"absence": "auto"} if refused else {}))


def _absences(setup: Setup) -> dict[Any, str]:
    average = setup.normaliser in ("z-score", "three-sigma")
    return {name: _ABSENCES[name] for name in get_args(Absence) if not (average and name == "zero")}


def _floors(setup: Setup, desk: Desk) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for name, label in desk.labels.items():
            st.number_input(
                f"{label} floor",
                value=setup.channel(name).floor,
                step=0.1,
                format="%g",
                placeholder="lowest of its scale",
                help=ChannelSetup.model_fields["floor"].description,
                **knob(f"knob.floor.{name}", setup.channel(name).floor, _with_floor(name)),
            )


def _with_floor(name: str) -> Callable[[Setup, Any], Setup]:
    return lambda old, new: old.with_channel(name, floor=new)
