"""A corpus on disk: one Parquet file from which exactly the same corpus is read again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from engine.corpus.chunk_source import LOCATION_FIELDS, ChunkSource
from engine.corpus.corpus import Corpus
from engine.errors import BadInput
from engine.types import Chunk, ChunkLocation, Scalar

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = b"1"
_VERSION_KEY = b"rankscope.chunks"
_FINGERPRINT_KEY = b"rankscope.fingerprint"
_BATCH = 10_000
_REMEMBERED = 4_096
_TEXTS = ("id", "text", "title", "summary", "language", "domain", "number")
_LISTS = ("entities", "relations", "references")
_LOCATED = {name: f"location.{name}" for name in LOCATION_FIELDS}
_NOWHERE = ChunkLocation()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def save_chunks(corpus: Corpus, path: Path) -> None:
    """Write every chunk of a corpus, in order, to a Parquet file (zstd). `BadInput` for lone surrogates.

    Columns are the fields of `Chunk`, those of its location as `location.<name>`; metadata is JSON text, so that whole
    numbers of any size, truth values and nulls come back as they were. The file holds the fingerprint of the corpus.
    """
    import pyarrow.parquet as pq

    schema = _schema().with_metadata({_VERSION_KEY: VERSION, _FINGERPRINT_KEY: corpus.fingerprint.encode()})
    chunks = iter(corpus)
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        while batch := list(islice(chunks, _BATCH)):
            writer.write_table(_as_table(batch, schema))


def load_chunks(path: Path) -> Corpus:
    """The corpus that `save_chunks` wrote there. `BadInput` for a missing, damaged or foreign file.

    The texts stay in the columns of the file; a chunk is made when it is asked for.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"{path.name} cannot be read: {error}.", "Build the collection again.") from error
    kept = table.schema.metadata or {}
    if kept.get(_VERSION_KEY) != VERSION or _FINGERPRINT_KEY not in kept:
        raise BadInput(f"{path.name} was not written by this version of RankScope.", "Build the collection again.")
    return Corpus(StoredChunks(table))


class StoredChunks(ChunkSource):
    """The chunks in a table that `save_chunks` wrote; those looked at last are remembered."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table.combine_chunks()
        self._chunk: Callable[[int], Chunk] = lru_cache(_REMEMBERED)(self._made)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, place: int) -> Chunk: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, place: int | slice) -> Chunk | Sequence[Chunk]:
        rows = range(len(self))[place]
        if isinstance(rows, range):
            return tuple(self[row] for row in rows)
        return self._chunk(rows)

    def __iter__(self) -> Iterator[Chunk]:
        for start in range(0, len(self), _BATCH):
            yield from _as_chunks(self._table.slice(start, _BATCH))

    def _made(self, row: int) -> Chunk:
        return next(_as_chunks(self._table.slice(row, 1)))

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of every chunk."""
        return tuple(self._table.column("id").to_pylist())

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the corpus that was saved."""
        return str(self._table.schema.metadata[_FINGERPRINT_KEY].decode())

    def values(self, field: str) -> Iterable[str | int | None]:
        """A field of every chunk or of its location."""
        values: list[str | int | None] = self._table.column(_LOCATED.get(field, field)).to_pylist()
        return values

    def metadata(self) -> Iterator[Mapping[str, Scalar]]:
        """The metadata of every chunk."""
        return map(_metadata, self._table.column("metadata").to_pylist())


def _schema() -> pa.Schema:
    import pyarrow as pa

    fields = [pa.field(name, pa.large_string()) for name in _TEXTS]
    fields += [pa.field(name, pa.list_(pa.large_string())) for name in _LISTS]
    fields += [
        pa.field(f"location.{name}", pa.int64() if name == "page" else pa.large_string()) for name in LOCATION_FIELDS
    ]
    return pa.schema([*fields, pa.field("metadata", pa.large_string())])


def _as_table(chunks: Sequence[Chunk], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [getattr(chunk, name) for chunk in chunks] for name in (*_TEXTS, *_LISTS)}
    columns |= {f"location.{name}": [getattr(chunk.location, name) for chunk in chunks] for name in LOCATION_FIELDS}
    columns["metadata"] = [json.dumps(dict(chunk.metadata)) if chunk.metadata else None for chunk in chunks]
    try:
        return pa.table(columns, schema=schema)
    except UnicodeEncodeError as error:
        raise BadInput(
            f"A chunk holds text that is no Unicode: {error.reason}.", "Clean it with engine.text."
        ) from error


def _as_chunks(table: pa.Table) -> Iterator[Chunk]:
    """The chunks of a piece of the table. They were validated when they were made, and are not again."""
    texts = [table.column(name).to_pylist() for name in _TEXTS]
    lists = [[tuple(values) for values in table.column(name).to_pylist()] for name in _LISTS]
    places = zip(*(table.column(f"location.{name}").to_pylist() for name in LOCATION_FIELDS), strict=True)
    metadata = map(_metadata, table.column("metadata").to_pylist())
    names = (*_TEXTS, *_LISTS, "location", "metadata")
    for values in zip(*texts, *lists, map(_location, places), metadata, strict=True):
        fields: dict[str, Any] = dict(zip(names, values, strict=True))
        yield Chunk.model_construct(**fields)


def _metadata(stored: str | None) -> Mapping[str, Scalar]:
    return MappingProxyType(json.loads(stored)) if stored else _NOTHING


def _location(place: tuple[Any, ...]) -> ChunkLocation:
    if not any(value is not None for value in place):
        return _NOWHERE
    return ChunkLocation.model_construct(**dict(zip(LOCATION_FIELDS, place, strict=True)))
