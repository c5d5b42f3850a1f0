"""Parquet: the rows of a table, a column of vectors kept as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.corpus.headers import named_columns
from engine.corpus.records import Record, Rows, Table, TableReader
from engine.corpus.sources import MOST_ROWS, PARSER_FAULTS, SourceFile, refusing, too_many_rows

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 1_000


def open_parquet(source: SourceFile) -> Table:
    """The rows of a Parquet file. Lists of floating-point numbers stay arrays, so that vectors are read fast."""
    import pyarrow.parquet as pq

    with refusing(source, "a Parquet file", *PARSER_FAULTS), pq.ParquetFile(source.path) as file:
        if file.metadata.num_rows > MOST_ROWS:
            raise too_many_rows(source.name)
        columns, problems = named_columns(file.schema_arrow.names, source.name)
    return Table(_rows(source, columns), columns, problems=problems)


def _rows(source: SourceFile, columns: tuple[str, ...]) -> Rows:
    import pyarrow.parquet as pq

    number = 0
    with refusing(source, "a Parquet file", *PARSER_FAULTS), pq.ParquetFile(source.path) as file:
        for batch in file.iter_batches(_BATCH):
            for values in zip(*(_cells(column) for column in batch.columns), strict=True):
                number += 1
                present = {name: value for name, value in zip(columns, values, strict=True) if value is not None}
                yield Record(number, f"row {number}", present)


def _cells(column: pa.Array) -> Sequence[Any]:
    import pyarrow as pa

    kind = column.type
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    if not is_list or not pa.types.is_floating(kind.value_type):
        return list(column.to_pylist())
    lists = column.cast(pa.large_list(kind.value_type))
    numbers = np.asarray(lists.values.to_numpy(zero_copy_only=False), dtype=np.float32)
    ends = lists.offsets.to_numpy()
    missing = column.is_null().to_numpy(zero_copy_only=False)
    return [None if missing[row] else numbers[ends[row] : ends[row + 1]] for row in range(len(column))]


PARQUET = TableReader("Parquet", "The rows of a table; it may hold a column of vectors.", (".parquet",), open_parquet)
