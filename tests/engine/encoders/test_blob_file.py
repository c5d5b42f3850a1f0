import pytest

from engine.encoders.blob_file import BlobFile


@pytest.fixture
def file(tmp_path):
    return BlobFile(tmp_path / "values.sqlite", "score", lambda blob: blob != b"bad")


def test_what_is_written_is_read(file):
    file.write({b"a": b"1", b"b": b""})
    assert file.read([b"a", b"b", b"c"]) == {b"a": b"1", b"b": b""}


def test_the_first_sound_value_stays_and_an_unsound_one_is_missing_and_replaced(file):
    file.write({b"a": b"1", b"b": b"bad"})
    assert file.read([b"a", b"b"]) == {b"a": b"1"}
    file.write({b"a": b"2", b"b": b"3"})
    assert file.read([b"a", b"b"]) == {b"a": b"1", b"b": b"3"}


def test_reading_what_was_never_written_makes_no_file(file, tmp_path):
    assert file.read([b"a"]) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_moved_aside(file, tmp_path):
    path = tmp_path / "values.sqlite"
    path.write_bytes(b"no database at all" * 300)
    file.write({b"a": b"1"})
    assert file.read([b"a"]) == {b"a": b"1"}
    assert (tmp_path / "values.sqlite.broken-1").read_bytes().startswith(b"no database")
