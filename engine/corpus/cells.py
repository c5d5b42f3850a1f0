"""Values of any format as the text, the scalar or the list that a chunk holds, without loss."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time

import numpy as np

from engine.types import Scalar

Cell = object
"""A value as its format holds it: text, number, truth value, date, list, mapping or None."""


class ExactFloat(float):
    """A number that remembers how it was written, so that an id `1.10` stays `1.10`."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, written: str) -> ExactFloat:
        """The number that a text writes."""
        number = super().__new__(cls, written)
        number.written = written
        return number


def as_text(value: Cell) -> str:
    """The value as text: as written where that is known, dates in ISO form, lists and mappings as JSON, None empty."""
    match value:
        case str():
            return value
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case ExactFloat():
            return value.written
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8", "backslashreplace")
        case list() | tuple() | Mapping() | np.ndarray():
            return as_json(value)
    return str(value)


def as_json(value: Cell) -> str:
    """A nested value as JSON text."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def as_scalar(value: Cell) -> tuple[Scalar, str | None]:
    """The value as metadata holds it, and what was changed in it, if anything."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None, f"{value} is no number that can be stored; left empty"
        return float(value), None
    if value is None or isinstance(value, (str, bool, int)):
        return value, None
    if isinstance(value, (list, tuple, Mapping, np.ndarray)):
        return as_json(value), "nested value kept as JSON text"
    return as_text(value), f"{type(value).__name__} kept as text"


def as_texts(value: Cell) -> tuple[str, ...]:
    """The value as a list of texts. A text is split at `;` and `|`, or read as JSON where it is a JSON list."""
    if value is None:
        return ()
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, (list, tuple)):
        value = (value,)
    return tuple(text for text in (as_text(item) for item in value) if text.strip())


def _listed(text: str) -> list[Cell]:
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return [text]
        if isinstance(found, list):
            return found
    return [part.strip() for part in text.replace("|", ";").split(";")]


def _plain(value: Cell) -> Cell:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return dict(value) if isinstance(value, Mapping) else as_text(value)
