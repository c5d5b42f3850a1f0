"""Which text of a chunk a channel reads."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal, get_args

from engine.types import Chunk

SearchedField = Literal["title", "text", "summary", "number", "entities"]

BM25_FIELDS: tuple[SearchedField, ...] = ("title", "text", "number", "entities")
DENSE_FIELDS: tuple[SearchedField, ...] = ("title", "text")
SUMMARY_FIELDS: tuple[SearchedField, ...] = ("summary",)
ANY_FIELD: tuple[SearchedField, ...] = get_args(SearchedField)


def searched_text(chunk: Chunk, fields: Sequence[SearchedField]) -> str:
    """The chosen fields that are not empty, one a line, in the order given (entities separated by commas)."""
    return "\n".join(value for value in (_field(chunk, name) for name in fields) if value)


def is_blank(text: str) -> bool:
    """Whether a text has no letter and no digit, so that nothing can be searched in it."""
    return not any(unicodedata.category(character)[0] in "LN" for character in text)


def _field(chunk: Chunk, name: SearchedField) -> str:
    if name == "entities":
        return ", ".join(chunk.entities)
    if name == "number":
        return chunk.number or ""
    return str(getattr(chunk, name))
