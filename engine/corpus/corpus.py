"""The immutable corpus: chunks in a fixed order, found by id, filtered by mask, known by a fingerprint."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from engine.corpus.fields import SearchedField, is_blank, searched_text
from engine.errors import BadInput, UnknownName
from engine.types import Chunk, ChunkLocation, Filter, Mask

FILTER_FIELDS: tuple[str, ...] = ("language", "domain", "number", *ChunkLocation.model_fields)


class Corpus:
    """Chunks in the order in which they were read; a row is a position in that order.

    Ids are unique (`BadInput` otherwise). The corpus may be empty. Nothing in it changes after construction.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self.chunks: tuple[Chunk, ...] = tuple(chunks)
        self.ids: tuple[str, ...] = tuple(chunk.id for chunk in self.chunks)
        self._row_of: Mapping[str, int] = {chunk_id: row for row, chunk_id in enumerate(self.ids)}
        if len(self._row_of) != len(self.ids):
            repeated = [chunk_id for chunk_id, count in Counter(self.ids).items() if count > 1]
            raise BadInput(
                f"{len(repeated)} ids are repeated, the first is {repeated[0]!r}.", "Give each chunk its own."
            )

    def __len__(self) -> int:
        return len(self.chunks)

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.chunks)

    def __contains__(self, chunk_id: object) -> bool:
        return chunk_id in self._row_of

    def row(self, chunk_id: str) -> int:
        """The position of a chunk; `UnknownName` where there is none of that id."""
        try:
            return self._row_of[chunk_id]
        except KeyError:
            raise UnknownName(f"No chunk has the id {chunk_id!r}.", "Look it up on the Chunks page.") from None

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk of that id; `UnknownName` where there is none."""
        return self.chunks[self.row(chunk_id)]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over every chunk, in order, as 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for chunk in self.chunks:
            digest.update(chunk.model_dump_json().encode())
            digest.update(b"\n")
        return digest.hexdigest()

    @cached_property
    def id_order(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """For each row, the place of its id in the sorted ids (int64): the tie order, as a number."""
        order = np.empty(len(self.ids), dtype=np.int64)
        order[sorted(range(len(self.ids)), key=self.ids.__getitem__)] = np.arange(len(self.ids))
        order.setflags(write=False)
        return order

    @cached_property
    def languages(self) -> tuple[str | None, ...]:
        """The languages present, most frequent first."""
        return tuple(language for language, _ in Counter(chunk.language for chunk in self.chunks).most_common())

    def texts(self, fields: Sequence[SearchedField]) -> list[str]:
        """What a channel reads of each chunk; an empty text where the chunk is blank in those fields."""
        texts = (searched_text(chunk, fields) for chunk in self.chunks)
        return ["" if is_blank(text) else text for text in texts]

    def facets(self, most: int = 50) -> dict[str, tuple[str, ...]]:
        """The fields that tell chunks apart, each with its values, most frequent first.

        Fields with one value, or with more than `most`, are left out.
        """
        counts: dict[str, Counter[str]] = {}
        for chunk in self.chunks:
            for name, value in _filterable(chunk):
                counts.setdefault(name, Counter())[value] += 1
        return {
            name: tuple(value for value, _ in counter.most_common())
            for name, counter in counts.items()
            if 1 < len(counter) <= most or (len(counter) == 1 and counter.total() < len(self))
        }

    def mask(self, filters: Sequence[Filter]) -> Mask | None:
        """Which rows pass every filter; None where there is no filter. `BadInput` for a field that does not exist."""
        if not filters:
            return None
        for wanted in filters:
            if wanted.field not in FILTER_FIELDS and not wanted.field.startswith("metadata."):
                raise BadInput(
                    f"Cannot filter by {wanted.field!r}.", f"Use one of {', '.join(FILTER_FIELDS)} or metadata.<key>."
                )
        wanted_values = [(wanted.field, frozenset(wanted.values)) for wanted in filters]
        return np.fromiter(
            (all(field_value(chunk, name) in values for name, values in wanted_values) for chunk in self.chunks),
            dtype=np.bool_,
            count=len(self),
        )


def field_value(chunk: Chunk, name: str) -> str | None:
    """The value of a filterable field as text, None where the chunk has none. Whole numbers have no decimals."""
    if name.startswith("metadata."):
        value = chunk.metadata.get(name.removeprefix("metadata."))
    elif name in ChunkLocation.model_fields:
        value = getattr(chunk.location, name)
    else:
        value = getattr(chunk, name)
    return None if value is None else str(value)


def _filterable(chunk: Chunk) -> Iterator[tuple[str, str]]:
    for name in (*FILTER_FIELDS, *(f"metadata.{key}" for key in chunk.metadata)):
        value = field_value(chunk, name)
        if value is not None:
            yield name, value
