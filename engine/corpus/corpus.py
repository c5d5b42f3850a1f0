"""The immutable corpus: chunks in a fixed order, found by id, filtered by mask, known by a fingerprint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from engine.corpus.chunk_source import LOCATION_FIELDS, ChunkSource, InMemory
from engine.corpus.field_columns import FieldColumn, metadata_columns
from engine.corpus.fields import SearchedField, is_blank, searched_text
from engine.errors import BadInput, UnknownName
from engine.types import Chunk, Filter, Mask

FILTER_FIELDS: tuple[str, ...] = ("language", "domain", "number", *LOCATION_FIELDS)
MOST_FACETS = 100
_METADATA = "metadata."


class Corpus:
    """Chunks in the order in which they were read; a row is a position in that order.

    Ids are unique (`BadInput` otherwise). The corpus may be empty. Nothing in it changes after construction. A corpus
    from a file makes its chunks when they are asked for: `chunk`, `chunks[row]` and iteration give equal, not the same
    objects each time.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._source: ChunkSource = chunks if isinstance(chunks, ChunkSource) else InMemory(chunks)
        self.chunks: Sequence[Chunk] = self._source.chunks if isinstance(self._source, InMemory) else self._source
        self.ids: tuple[str, ...] = self._source.ids
        self._row_of: Mapping[str, int] = {chunk_id: row for row, chunk_id in enumerate(self.ids)}
        self._columns: dict[str, FieldColumn] = {}
        if len(self._row_of) != len(self.ids):
            repeated = [chunk_id for chunk_id, count in Counter(self.ids).items() if count > 1]
            raise BadInput(
                f"{len(repeated)} ids are repeated, the first is {repeated[0]!r}.", "Give each chunk its own."
            )

    def __len__(self) -> int:
        return len(self.ids)

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
        return self._source.fingerprint

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
        counts = Counter(None if value is None else str(value) for value in self._source.values("language"))
        return tuple(language for language, _ in counts.most_common())

    def texts(self, fields: Sequence[SearchedField]) -> list[str]:
        """What a channel reads of each chunk; an empty text where the chunk is blank in those fields."""
        texts = (searched_text(chunk, fields) for chunk in self.chunks)
        return ["" if is_blank(text) else text for text in texts]

    def facets(self, most: int = 50) -> dict[str, tuple[str, ...]]:
        """The fields that tell chunks apart, each with its values, most frequent first.

        Fields with one value in every chunk, or with more than `most` values, are left out. Of the metadata, the
        `MOST_FACETS` keys that most chunks have are looked at.
        """
        keys = islice(self._metadata_columns, MOST_FACETS)
        names = (*FILTER_FIELDS, *(f"{_METADATA}{key}" for key in keys))
        columns = {name: self._column(name) for name in names}
        return {
            name: column.by_frequency()
            for name, column in columns.items()
            if column.tells_apart and len(column.values) <= most
        }

    def mask(self, filters: Sequence[Filter]) -> Mask | None:
        """Which rows pass every filter; None where there is no filter. `BadInput` for a field that does not exist."""
        if not filters:
            return None
        for wanted in filters:
            if wanted.field not in FILTER_FIELDS and not wanted.field.startswith(_METADATA):
                raise BadInput(
                    f"Cannot filter by {wanted.field!r}.", f"Use one of {', '.join(FILTER_FIELDS)} or metadata.<key>."
                )
        passed = np.ones(len(self), dtype=np.bool_)
        for wanted in filters:
            passed &= self._column(wanted.field).among(frozenset(wanted.values))
        return passed

    @cached_property
    def _metadata_columns(self) -> dict[str, FieldColumn]:
        return metadata_columns(self._source.metadata(), len(self))

    def _column(self, name: str) -> FieldColumn:
        if name.startswith(_METADATA):
            found = self._metadata_columns.get(name.removeprefix(_METADATA))
            return found or FieldColumn.of(None for _ in self.ids)
        if name not in self._columns:
            self._columns[name] = FieldColumn.of(self._source.values(name))
        return self._columns[name]
