"""What is searched and what is asked: chunks, where they stand, and queries."""

from __future__ import annotations

from types import MappingProxyType

from pydantic import Field

from engine.types.values import Metadata, Value


class ChunkLocation(Value):
    """Where a chunk stands in its document. `page` is 1-based."""

    document_id: str | None = None
    part: str | None = None
    chapter: str | None = None
    section: str | None = None
    article: str | None = None
    paragraph: str | None = None
    page: int | None = None


class Chunk(Value):
    """One searchable passage. `id` is its identity everywhere, kept exactly as text (`007`, `NA`, `1.0`)."""

    id: str = Field(min_length=1)
    text: str = ""
    title: str = ""
    summary: str = ""
    language: str | None = None
    location: ChunkLocation = ChunkLocation()
    domain: str | None = None
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    number: str | None = None
    metadata: Metadata = Field(default_factory=lambda: MappingProxyType({}))


class Query(Value):
    """A query of a query set. `kind` says what it demonstrates or tags it; `example` offers it on the Search page."""

    id: str = Field(min_length=1)
    text: str
    language: str | None = None
    kind: str | None = None
    example: bool = False
    metadata: Metadata = Field(default_factory=lambda: MappingProxyType({}))
