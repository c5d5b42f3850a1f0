import multiprocessing
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from engine.encoders.vector_file import VectorFile

UNIT = np.array([0.6, 0.8], dtype=np.float32)


def test_what_is_written_is_read_to_the_last_bit(tmp_path):
    file = VectorFile(tmp_path / "vectors.sqlite")
    file.write({b"a": UNIT, b"b": -UNIT})
    kept = VectorFile(tmp_path / "vectors.sqlite").read([b"a", b"b", b"c"])
    assert set(kept) == {b"a", b"b"}
    assert np.array_equal(kept[b"a"], UNIT)
    assert kept[b"a"].dtype == np.float32


def test_the_first_vector_of_a_key_stays(tmp_path):
    file = VectorFile(tmp_path / "vectors.sqlite")
    file.write({b"a": UNIT})
    file.write({b"a": -UNIT})
    assert np.array_equal(file.read([b"a"])[b"a"], UNIT)


def test_many_keys_are_read_at_once(tmp_path):
    file = VectorFile(tmp_path / "vectors.sqlite")
    keys = [str(number).encode() for number in range(1201)]
    file.write(dict.fromkeys(keys, UNIT))
    assert len(file.read(keys)) == 1201


def test_reading_what_was_never_written_makes_no_file(tmp_path):
    assert VectorFile(tmp_path / "vectors.sqlite").read([b"a"]) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_moved_aside_and_rebuilt(tmp_path):
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"no database at all, but long enough to be read as one" * 100)
    file = VectorFile(path)
    assert file.read([b"a"]) == {}
    file.write({b"a": UNIT})
    assert np.array_equal(file.read([b"a"])[b"a"], UNIT)
    assert (tmp_path / "vectors.sqlite.broken-1").read_bytes().startswith(b"no database")


def test_a_damaged_page_is_found_when_writing_too(tmp_path):
    path = tmp_path / "vectors.sqlite"
    file = VectorFile(path)
    file.write({str(number).encode(): UNIT for number in range(2000)})
    damaged = bytearray(path.read_bytes())
    damaged[4096:] = b"\xff" * (len(damaged) - 4096)
    path.write_bytes(damaged)
    file.write({b"new": UNIT})
    assert set(file.read([b"new", b"5"])) == {b"new"}
    assert (tmp_path / "vectors.sqlite.broken-1").exists()


@pytest.mark.parametrize("blob", [np.zeros(2, dtype="<f4").tobytes(), b"\x01", np.full(2, np.nan, "<f4").tobytes()])
def test_a_vector_that_is_not_of_length_1_counts_as_missing_and_is_replaced(tmp_path, blob):
    path = tmp_path / "vectors.sqlite"
    file = VectorFile(path)
    file.write({b"a": UNIT, b"b": UNIT})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", (blob, b"a"))
    assert set(file.read([b"a", b"b"])) == {b"b"}
    file.write({b"a": -UNIT, b"b": -UNIT})
    mended = file.read([b"a", b"b"])
    assert (mended[b"a"].tolist(), mended[b"b"].tolist()) == ((-UNIT).tolist(), UNIT.tolist())


def write_some(path, first):
    file = VectorFile(path)
    for number in range(first, first + 40):
        file.write({str(number).encode(): UNIT})


def test_several_processes_write_at_once(tmp_path):
    path = tmp_path / "vectors.sqlite"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_some, args=(path, first)) for first in (0, 20, 60)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert len(VectorFile(path).read([str(number).encode() for number in range(100)])) == 100


def test_beyond_most_the_oldest_go(tmp_path):
    file = VectorFile(tmp_path / "vectors.sqlite", most=2)
    for key in (b"a", b"b", b"c", b"c"):
        file.write({key: UNIT})
    assert set(file.read([b"a", b"b", b"c"])) == {b"b", b"c"}
