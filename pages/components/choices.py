"""How a source is read, and which of its columns is what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import streamlit as st

from engine.corpus.options import ImportOptions
from engine.corpus.previewing import Preview
from engine.corpus.readers import READERS
from pages.components import resources, state
from pages.components.draft import MAIN_FIELDS, MORE_FIELDS, Draft, is_text
from pages.components.intake import edit
from pages.components.messages import plain

_ENCODINGS = ("utf-8", "cp1252", "latin-1", "cp1258", "cp1250", "mac-roman", "utf-16", "utf-8-sig")
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |"}
_FAULTY = {"strict": "Leave such rows out", "replace": "Show them as �"}
_NO_COLUMN = ""
_GUESS = ""


def step(title: str) -> None:
    """The heading of a group of choices."""
    st.html(f'<h3 class="rs-step">{title}</h3>')


def reading_choices(now: Draft, preview: Preview | None) -> None:
    """Format, encoding, delimiter and sheet; each shows what was guessed until it is chosen."""
    step("Read as")
    guessed = preview.guessed if preview is not None else now.reading
    kind = guessed.format
    places = cycle(st.columns(2, gap="xsmall"))
    with next(places):
        _select("Format", "format", now, ["auto", *READERS], lambda name: _format_label(name, kind))
    if is_text(kind) or (preview is None and kind == "auto"):
        with next(places):
            _select("Encoding", "encoding", now, [_GUESS, *_ENCODINGS], lambda name: name or _guess(guessed.encoding))
    if kind == "xlsx" and (sheets := resources.sheets(now.source)):
        with next(places):
            _select("Sheet", "sheet", now, [_GUESS, *sheets], lambda name: name or _guess(guessed.sheet))
    if kind in ("csv", "tsv"):
        found = _DELIMITERS.get(guessed.delimiter or "", guessed.delimiter)
        signs = [_GUESS, *_DELIMITERS]
        with next(places):
            _select("Delimiter", "delimiter", now, signs, lambda sign: _DELIMITERS.get(sign) or _guess(found))
    if is_text(kind):
        with next(places):
            _faulty_bytes(now)


def _faulty_bytes(now: Draft) -> None:
    """What happens to bytes that are no text: nothing is replaced unless it is asked for."""
    key = "knob.data.errors"
    st.selectbox(
        "Unreadable bytes",
        list(_FAULTY),
        format_func=_FAULTY.__getitem__,
        key=state.seed(key, now.reading.errors),
        help="Rows with bytes that are no text in the encoding are left out and reported, or kept with a � for each.",
        **edit(key, lambda draft, errors: draft.read_as(errors=errors, mapping=draft.reading.mapping)),
    )


def _format_label(name: str, kind: str) -> str:
    if name == "auto":
        return _guess(READERS[kind].label if kind in READERS else None)
    return READERS[name].label


def _guess(found: str | None) -> str:
    return f"{found} (guessed)" if found else "by itself"


def _select(label: str, name: str, now: Draft, options: Sequence[Any], shown: Any) -> None:  # noqa: ANN401
    value = getattr(now.reading, name) or _GUESS
    offered = list(dict.fromkeys([*options, value]))
    key = state.of_labels(f"knob.data.{name}", map(shown, offered))
    st.selectbox(
        label,
        offered,
        format_func=shown,
        key=state.seed(key, value),
        help=ImportOptions.model_fields[name].description,
        **edit(key, lambda draft, new: draft.read_as(**{name: new or None})),
    )


def column_choices(preview: Preview) -> None:
    """Which column is which field of a chunk; what is not used stays with each chunk as metadata."""
    step("Columns")
    _columns(MAIN_FIELDS, preview)
    used = [name for name in MORE_FIELDS if name in preview.guessed.mapping]
    with st.expander(f"More fields ({len(used)} used)" if used else "More fields"):
        _columns(MORE_FIELDS, preview)
    taken = set(preview.guessed.mapping.values())
    rest = [name for name in preview.columns if name not in taken]
    if rest:
        st.caption(f"Kept as metadata: {plain(', '.join(rest[:12]))}{' …' if len(rest) > 12 else ''}")


def _columns(fields: Mapping[str, str], preview: Preview) -> None:
    columns = st.columns(4, gap="xsmall")
    for number, (name, label) in enumerate(fields.items()):
        column = preview.guessed.mapping.get(name)
        key = f"knob.data.map.{name}"
        with columns[number % 4]:
            st.selectbox(
                label,
                list(dict.fromkeys([_NO_COLUMN, *preview.columns, column or _NO_COLUMN])),
                format_func=lambda each: each or "–",
                key=state.seed(key, column or _NO_COLUMN),
                **edit(key, lambda draft, new, name=name: draft.mapped(name, new or None)),
            )
