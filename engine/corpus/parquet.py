"""A corpus on disk: one Parquet file from which exactly the same corpus is read again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.corpus.corpus import Corpus
from engine.errors import BadInput
from engine.types import Chunk, ChunkLocation

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = b"1"
_KEY = b"rankscope.chunks"
_BATCH = 10_000
_TEXTS = ("id", "text", "title", "summary", "language", "domain", "number")
_LISTS = ("entities", "relations", "references")
_PLACES = tuple(ChunkLocation.model_fields)
_NOWHERE = ChunkLocation()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def save_chunks(corpus: Corpus, path: Path) -> None:
    """Write every chunk of a corpus, in order, to a Parquet file (zstd). `BadInput` for text that is no Unicode.

    Columns are the fields of `Chunk`, those of its location as `location.<name>`; metadata is JSON text, so that whole
    numbers of any size, truth values and nulls come back as they were.
    """
    import pyarrow.parquet as pq

    schema = _schema()
    chunks = iter(corpus)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(chunks, _BATCH)):
            writer.write_table(_as_table(batch, schema))


def load_chunks(path: Path) -> Corpus:
    """The corpus that `save_chunks` wrote there. `BadInput` for a missing, damaged or foreign file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            if (file.schema_arrow.metadata or {}).get(_KEY) != VERSION:
                raise BadInput(
                    f"{path.name} was not written by this version of RankScope.", "Build the collection again."
                )
            return Corpus(chunk for batch in file.iter_batches(_BATCH) for chunk in _as_chunks(batch))
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"{path.name} cannot be read: {error}.", "Build the collection again.") from error


def _schema() -> pa.Schema:
    import pyarrow as pa

    fields = [pa.field(name, pa.large_string()) for name in _TEXTS]
    fields += [pa.field(name, pa.list_(pa.large_string())) for name in _LISTS]
    fields += [pa.field(f"location.{name}", pa.int64() if name == "page" else pa.large_string()) for name in _PLACES]
    return pa.schema([*fields, pa.field("metadata", pa.large_string())], metadata={_KEY: VERSION})


def _as_table(chunks: Sequence[Chunk], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [getattr(chunk, name) for chunk in chunks] for name in (*_TEXTS, *_LISTS)}
    columns |= {f"location.{name}": [getattr(chunk.location, name) for chunk in chunks] for name in _PLACES}
    columns["metadata"] = [json.dumps(dict(chunk.metadata)) if chunk.metadata else None for chunk in chunks]
    try:
        return pa.table(columns, schema=schema)
    except UnicodeEncodeError as error:
        raise BadInput(
            f"A chunk holds text that is no Unicode: {error.reason}.", "Clean it with engine.text."
        ) from error


def _as_chunks(batch: pa.RecordBatch) -> Iterator[Chunk]:
    """The chunks of a batch. They were validated when they were made; that again would take most of the time."""
    texts = [batch.column(name).to_pylist() for name in _TEXTS]
    lists = [[tuple(values) for values in batch.column(name).to_pylist()] for name in _LISTS]
    places = zip(*(batch.column(f"location.{name}").to_pylist() for name in _PLACES), strict=True)
    metadata = [
        MappingProxyType(json.loads(data)) if data else _NOTHING for data in batch.column("metadata").to_pylist()
    ]
    names = (*_TEXTS, *_LISTS, "location", "metadata")
    for values in zip(*texts, *lists, map(_location, places), metadata, strict=True):
        fields: dict[str, Any] = dict(zip(names, values, strict=True))
        yield Chunk.model_construct(**fields)


def _location(place: tuple[Any, ...]) -> ChunkLocation:
    if not any(value is not None for value in place):
        return _NOWHERE
    return ChunkLocation.model_construct(**dict(zip(_PLACES, place, strict=True)))
