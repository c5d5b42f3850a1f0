import gzip
import os
import zipfile

import pytest

from engine.corpus import sources
from engine.corpus.sources import SourceFile, binary_kind, check_archive, check_file, ending, refusing
from engine.errors import BadInput


def test_what_is_no_file_with_content_is_refused(tmp_path, write):
    with pytest.raises(BadInput, match=r"x.csv does not exist. Check the path"):
        check_file(tmp_path / "x.csv", "x.csv")
    with pytest.raises(BadInput, match=r"is a folder, not a file"):
        check_file(tmp_path, tmp_path.name)
    with pytest.raises(BadInput, match=r"e.csv is empty"):
        check_file(write("e.csv", ""), "e.csv")
    with pytest.raises(BadInput, match="cannot be opened"):
        check_file(tmp_path / ("n" * 300), "long")
    with pytest.raises(BadInput, match="cannot be opened"):
        check_file(tmp_path / "a\0b", "nul")
    check_file(write("a.csv", "x"), "a.csv")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(BadInput, match="is a device or a pipe"):
        check_file(tmp_path / "pipe.csv", "pipe.csv")


@pytest.mark.parametrize(
    ("name", "found"), [("a.CSV", ".csv"), ("a.jsonl.gz", ".jsonl"), ("a.b.md", ".md"), ("a", ""), ("a.gz", "")]
)
def test_the_ending_is_that_before_gz(tmp_path, name, found):
    assert ending(tmp_path / name) == SourceFile(tmp_path / name, name).suffix == found


def test_gzip_is_unpacked_up_to_a_limit(write, monkeypatch):
    path = write("a.jsonl.gz", gzip.compress(b"x" * 1000))
    with SourceFile(path, "a.jsonl.gz").open_bytes() as stream:
        assert stream.read() == b"x" * 1000
    monkeypatch.setattr(sources, "MOST_BYTES", 999)
    with (
        pytest.raises(BadInput, match=r"a.jsonl.gz holds more than"),
        SourceFile(path, "a.jsonl.gz").open_bytes() as stream,
    ):
        stream.read()


def test_well_known_binary_files_are_named():
    assert binary_kind(b"%PDF-1.7") == "a PDF"
    assert binary_kind(b"PK\x03\x04...") == "a ZIP archive or an Office file"
    assert binary_kind(b"id,text") is None


def test_an_archive_that_would_unpack_to_a_great_multiple_is_refused(tmp_path, write, monkeypatch):
    monkeypatch.setattr(sources, "ALWAYS_UNPACKED", 1 << 20)
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sheet.xml", b"0" * (2 << 20))
    with pytest.raises(BadInput, match=r"bomb.xlsx would unpack from [\d,]+ to 2,097,152 bytes"):
        check_archive(SourceFile(path, "bomb.xlsx"))
    with pytest.raises(BadInput, match="cannot be read as an Office file: File is not a zip file"):
        check_archive(SourceFile(write("a.xlsx", "hello"), "a.xlsx"))


def test_faults_of_a_file_become_a_message_with_its_name(write):
    source = SourceFile(write("a.x", "x"), "a.x")
    with (
        pytest.raises(BadInput, match=r"^a.x cannot be read as a thing: broken. Open it"),
        refusing(source, "a thing", KeyError),
    ):
        raise OSError("broken.\nwith a trace")
    with pytest.raises(BadInput, match="as a thing: KeyError"), refusing(source, "a thing", KeyError, hint="Try."):
        raise KeyError
    with pytest.raises(ZeroDivisionError, match="mine"), refusing(source, "a thing", KeyError):
        raise ZeroDivisionError("mine")
