"""Where a corpus has its chunks from: from memory, or from a store that makes them when they are asked for."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import overload

from pydantic_core import PydanticSerializationError

from engine.errors import BadInput
from engine.types import Chunk, ChunkLocation, Scalar

LOCATION_FIELDS: tuple[str, ...] = tuple(ChunkLocation.model_fields)


class ChunkSource(Sequence[Chunk]):
    """Chunks in a fixed order, and single fields of all of them without making the chunks."""

    @property
    @abstractmethod
    def ids(self) -> tuple[str, ...]:
        """The id of every chunk."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 over every chunk, in order, as 64 hexadecimal digits."""

    @abstractmethod
    def values(self, field: str) -> Iterable[str | int | None]:
        """A field of `Chunk` that holds one value, or a field of its location by its own name, for every chunk."""

    @abstractmethod
    def metadata(self) -> Iterator[Mapping[str, Scalar]]:
        """The metadata of every chunk."""


class InMemory(ChunkSource):
    """Chunks that are all there."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self.chunks = tuple(chunks)

    def __len__(self) -> int:
        return len(self.chunks)

    @overload
    def __getitem__(self, place: int) -> Chunk: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, place: int | slice) -> Chunk | Sequence[Chunk]:
        return self.chunks[place]

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of every chunk."""
        return tuple(chunk.id for chunk in self.chunks)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over every chunk as JSON, one a line."""
        return fingerprint_of(self.chunks)

    def values(self, field: str) -> Iterable[str | int | None]:
        """A field of every chunk or of its location."""
        if field in LOCATION_FIELDS:
            return (getattr(chunk.location, field) for chunk in self.chunks)
        return (getattr(chunk, field) for chunk in self.chunks)

    def metadata(self) -> Iterator[Mapping[str, Scalar]]:
        """The metadata of every chunk."""
        return (chunk.metadata for chunk in self.chunks)


def fingerprint_of(chunks: Iterable[Chunk]) -> str:
    """SHA-256 over every chunk as JSON, one a line, as 64 hexadecimal digits. `BadInput` for lone surrogates."""
    digest = hashlib.sha256()
    for chunk in chunks:
        try:
            digest.update(chunk.model_dump_json().encode())
        except PydanticSerializationError as error:
            message = f"The chunk {chunk.id!r} holds characters that are no Unicode text."
            raise BadInput(message, "Remove its lone surrogates.") from error
        digest.update(b"\n")
    return digest.hexdigest()
