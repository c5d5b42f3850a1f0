"""A record becomes the draft of a chunk: each mapped column in its field, the rest as metadata, changes noted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from engine.corpus.cells import Cell, as_scalar, as_text, as_texts
from engine.corpus.records import Record
from engine.corpus.report import ProblemKind
from engine.text.language_codes import language_code
from engine.text.normalise import clean
from engine.types import Chunk, ChunkLocation, Scalar, Vectors

_WHOLE_NUMBER = re.compile(r"\s*(\d{1,9})(?:\.0*)?\s*")
_LISTS = frozenset({"entities", "relations", "references"})


@dataclass(slots=True)
class Draft:
    """A chunk in the making, before its id and its language are settled. `position` is its record's place, from 0."""

    where: str
    position: int
    chunk_id: str
    substitute_id: str
    fields: dict[str, Any]
    notes: list[tuple[ProblemKind, str]] = field(default_factory=list)
    vector: Vectors | None = None

    def chunk(self) -> Chunk:
        """The chunk, validated."""
        return Chunk(id=self.chunk_id, **self.fields)


def draft_record(record: Record, mapping: Mapping[str, str], substitute_id: str) -> Draft:
    """The draft that a record makes under a field → column mapping."""
    draft = Draft(record.where, record.number - 1, "", substitute_id, {}, list(record.notes), record.vector)
    location: dict[str, Cell] = {}
    metadata: dict[str, Cell] = {}
    columns = set(mapping.values())
    for name, value in record.values.items():
        if name not in columns and not _is_empty(value):
            metadata[name] = value
    for name, column in mapping.items():
        value = record.values.get(column)
        if isinstance(value, float) and math.isnan(value):
            draft.notes.append(("changed value", f"{column}: nan is read as an empty cell"))
            continue
        if value is None or _is_empty(value):
            continue
        if name.startswith("location."):
            location[name.removeprefix("location.")] = value
        elif name in ("location", "metadata"):
            _unpack(name, column, value, location, metadata)
        else:
            _set(draft, name, value)
    _place(draft, location, metadata)
    if draft.fields.get("title") and not draft.fields.get("text"):
        draft.notes.append(("title only", "a title and no text; the title is searched"))
    draft.fields["metadata"] = {
        _clean(draft, key, "a name"): _scalar(draft, key, value) for key, value in metadata.items()
    }
    return draft


def _is_empty(value: Cell) -> bool:
    return isinstance(value, str) and not value


def _set(draft: Draft, name: str, value: Cell) -> None:
    if name == "id":
        draft.chunk_id = _clean(draft, as_text(value), "id")
    elif name in _LISTS:
        texts = as_texts(value)
        if not isinstance(value, str) and any(not isinstance(text, str) for text in _items(value)):
            draft.notes.append(("changed value", f"{name}: values kept as text"))
        draft.fields[name] = tuple(_clean(draft, text, name) for text in texts)
    elif name == "language":
        given = _clean(draft, as_text(value), name)
        code = language_code(given)
        if code != given:
            draft.notes.append(("changed value", f"language {given!r} read as {code!r}"))
        draft.fields[name] = code or None
    else:
        if isinstance(value, (list, dict)):
            draft.notes.append(("changed value", f"{name}: nested value kept as JSON text"))
        draft.fields[name] = _clean(draft, as_text(value), name)


def _items(value: Cell) -> tuple[Cell, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _unpack(name: str, column: str, value: Cell, location: dict[str, Cell], metadata: dict[str, Cell]) -> None:
    """A column that holds a whole location or a whole set of metadata, as a mapping or as its JSON text."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):  # a text that only looks like JSON is kept as it is
            value = json.loads(value)
    if not isinstance(value, dict):
        metadata[column] = value
        return
    for key, inner in value.items():
        if name == "location" and key in ChunkLocation.model_fields:
            location.setdefault(key, inner)
        else:
            wanted = str(key) if name == "metadata" else f"location.{key}"
            metadata[wanted if wanted not in metadata else f"{column}.{key}"] = inner


def _place(draft: Draft, location: dict[str, Cell], metadata: dict[str, Cell]) -> None:
    found: dict[str, str | int | None] = {}
    for name, value in location.items():
        if value is None or _is_empty(value):
            continue
        if name != "page":
            found[name] = _clean(draft, as_text(value), f"location.{name}")
        elif number := _WHOLE_NUMBER.fullmatch(as_text(value)):
            found[name] = int(number[1])
        else:
            metadata[name if name not in metadata else "location.page"] = value
            draft.notes.append(("changed value", f"page {as_text(value)!r} is no whole number; kept as metadata"))
    if found:
        draft.fields["location"] = ChunkLocation.model_validate(found)


def _scalar(draft: Draft, key: str, value: Cell) -> Scalar:
    scalar, change = as_scalar(value)
    if change:
        draft.notes.append(("changed value", f"{key}: {change}"))
    return _clean(draft, scalar, key) if isinstance(scalar, str) else scalar


def _clean(draft: Draft, text: str, name: str) -> str:
    cleaned = clean(text)
    if cleaned.removed:
        plural = "" if cleaned.removed == 1 else "s"
        draft.notes.append(
            ("removed characters", f"{name}: {cleaned.removed} NUL or surrogate character{plural} removed")
        )
    return cleaned.text
