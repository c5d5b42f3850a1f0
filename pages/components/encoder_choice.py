"""The choice of an encoder: those that come along, none, or any model by its folder or hub name."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from engine.encoders.registry import ENCODERS, load_encoder
from engine.errors import RankScopeError
from engine.store.manifest import NO_ENCODER
from pages.components import messages, state

DEFAULT = ""
"""The choice that leaves the encoder to the language."""

_LABELS = {
    DEFAULT: "By language (English: MiniLM, else E5 small)",
    NO_ENCODER: "None: search by words only",
}
_HELPS = {
    DEFAULT: "The packaged encoder that fits the main language.",
    NO_ENCODER: "BM25 alone: quick to build, and no search by meaning.",
}


def label(name: str) -> str:
    """What an encoder is called on screen."""
    return ENCODERS[name].label if name in ENCODERS else _LABELS.get(name, name)


def encoder_box(
    key: str, value: str, *, with_default: bool = True, on_change: Callable[[str], None] | None = None
) -> str | None:
    """The chosen encoder; None, with the reason on screen, where a typed one is not on this machine.

    With `on_change` the value is the caller's, and follows what `on_change` makes of a choice.
    """
    names = [*([DEFAULT] if with_default else []), *ENCODERS, NO_ENCODER]
    if on_change is not None or state.widget(key) is None:
        state.seed(key, value)
    chosen = st.selectbox(
        "Encoder",
        list(dict.fromkeys([*names, value])),
        format_func=label,
        key=key,
        accept_new_options=True,
        help="Makes the vectors of the dense channel. A model's folder, or a hub name on this machine, can be typed.",
        on_change=None if on_change is None else _follow,
        args=None if on_change is None else (key, on_change),
    )
    chosen = (chosen or "").strip()
    if chosen in ENCODERS or chosen in _HELPS:
        said = ENCODERS[chosen].help if chosen in ENCODERS else _HELPS[chosen]
        st.html(f'<p class="rs-quiet">{escape(said)}</p>')
        return chosen
    try:
        load_encoder(chosen)
    except RankScopeError as error:
        messages.fault(error)
        return None
    return chosen


def _follow(key: str, on_change: Callable[[str], None]) -> None:
    on_change((state.widget(key) or "").strip())
