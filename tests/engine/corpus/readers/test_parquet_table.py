from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.corpus.corpus import Corpus
from engine.corpus.options import ImportOptions
from engine.corpus.parquet import save_chunks
from engine.corpus.readers import parquet_table
from engine.corpus.readers.parquet_table import open_parquet
from engine.corpus.reading import read_source
from engine.corpus.sources import SourceFile
from engine.errors import BadInput
from engine.types import Chunk, ChunkLocation


@pytest.fixture
def stored(tmp_path):
    def made(table, name="a.parquet"):
        pq.write_table(pa.table(table) if isinstance(table, dict) else table, tmp_path / name)
        return tmp_path / name

    return made


def rows(path):
    return list(open_parquet(SourceFile(path, path.name)).rows)


def test_values_keep_their_type_and_nulls_are_absent(stored):
    path = stored(
        {
            "id": [1, None],
            "text": ["x", "y"],
            "f": [1.5, 2.0],
            "when": [datetime(2024, 1, 2)] * 2,
            "s": [{"a": 1}, None],
        }
    )
    first, second = rows(path)
    assert first.values == {"id": 1, "text": "x", "f": 1.5, "when": datetime(2024, 1, 2), "s": {"a": 1}}
    assert second.values == {"text": "y", "f": 2.0, "when": datetime(2024, 1, 2)}
    assert (first.where, second.where) == ("row 1", "row 2")


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.float32()), pa.large_list(pa.float64()), pa.list_(pa.float32(), 8), pa.list_(pa.float16())]
)
def test_lists_of_floats_become_arrays(stored, kind):
    vectors = [
        [float(number) for number in range(row % 99, row % 99 + 8)] if row != 1 else None for row in range(2_500)
    ]
    path = stored({"id": [str(row) for row in range(2_500)], "v": pa.array(vectors, kind)})
    found = rows(path)
    assert "v" not in found[1].values
    assert found[2_400].values["v"].tolist() == vectors[2_400]
    assert found[2_400].values["v"].dtype == np.float32


def test_lists_of_different_lengths_keep_theirs(stored):
    lists = [[1.0], [], [1.5, 2.5, 3.5]]
    found = rows(stored({"id": list("abc"), "v": pa.array(lists, pa.list_(pa.float64()))}))
    assert [row.values["v"].tolist() for row in found] == lists


def test_a_column_of_vectors_comes_with_the_corpus(stored):
    vectors = np.arange(24, dtype=np.float32).reshape(3, 8)
    path = stored(
        {"id": ["a", "b", "a"], "text": ["x", "", "z"], "emb": pa.array(vectors.tolist(), pa.list_(pa.float32()))}
    )
    reading = read_source(path, ImportOptions(on_repeated="last"))
    assert reading.corpus.ids == ("b", "a")
    assert reading.vectors.tolist() == vectors[1:].tolist()
    assert reading.report.vector_dimension == 8
    without = read_source(path, ImportOptions(on_repeated="last", vectors=""))
    assert without.vectors is None
    assert dict(without.corpus.chunk("a").metadata) == {}


def test_a_slice_of_vectors_keeps_its_rows(stored):
    table = pa.table(
        {"id": list("abcdef"), "v": pa.array([[float(row)] * 8 for row in range(6)], pa.list_(pa.float32(), 8))}
    )
    assert [row.values["v"][0] for row in rows(stored(table.slice(2, 3)))] == [2.0, 3.0, 4.0]


def test_a_stored_corpus_is_read_as_it_was(tmp_path):
    chunks = (
        Chunk(
            id="007",
            text="x",
            title="t",
            summary="s",
            language="fr",
            domain="d",
            number="5",
            entities=("a;b", "c"),
            relations=("r",),
            references=("q",),
            location=ChunkLocation(document_id="doc", article="5", page=3),
            metadata={"k": 1, "f": 0.5, "b": True},
        ),
        Chunk(id="NA", text="y", language="vi"),
    )
    save_chunks(Corpus(chunks), tmp_path / "c.parquet")
    assert tuple(read_source(tmp_path / "c.parquet").corpus) == chunks


def test_columns_of_one_name_are_told_apart(stored):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["id", "id"])
    assert rows(stored(table))[0].values == {"id": "a", "id (2)": "b"}


def test_too_many_rows_are_refused_unread(stored, monkeypatch):
    monkeypatch.setattr(parquet_table, "MOST_ROWS", 2)
    with pytest.raises(BadInput, match=r"a.parquet has more than"):
        open_parquet(SourceFile(stored({"id": ["a", "b", "c"]}), "a.parquet"))


def test_damage_is_a_message_wherever_it_is(stored, tmp_path):
    path = stored({"id": [f"id {row}" for row in range(5_000)], "text": [f"text {row}" for row in range(5_000)]})
    content = path.read_bytes()
    for damaged in (b"PAR1", content[:200], content[:-9] + b"\xff" * 9, content[4:]):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=r"a.parquet cannot be read as a Parquet file"):
            rows(path)
    broken = bytearray(content)
    broken[40:400] = bytes(360)
    path.write_bytes(broken)
    with pytest.raises(BadInput, match=r"a.parquet cannot be read as a Parquet file"):
        rows(path)
