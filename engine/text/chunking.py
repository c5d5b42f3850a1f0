"""Stands in until the chunking of the text room arrives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from engine.types import ChunkLocation, Value


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document; `level` is its heading level, None for body text."""

    text: str
    level: int | None = None
    page: int | None = None


class ChunkingOptions(Value):
    """How long chunks may be."""

    max_tokens: int = Field(default=200, ge=1)
    overlap_tokens: int = Field(default=0, ge=0)


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a document before it has an id."""

    text: str
    title: str
    location: ChunkLocation


def chunk_blocks(
    blocks: Sequence[Block],
    document_id: str,
    options: ChunkingOptions,
    count_tokens: Callable[[Sequence[str]], list[int]],
    language: str | None,
) -> tuple[Passage, ...]:
    """One passage a body block under its last heading."""
    title, passages = "", []
    for block in blocks:
        if block.level is not None:
            title = block.text
        else:
            passages.append(Passage(block.text, title, ChunkLocation(document_id=document_id, page=block.page)))
    return tuple(passages)
