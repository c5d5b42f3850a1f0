"""Uploaded files keep inside their folder, whatever they are called."""

import os
from dataclasses import dataclass

import pytest

from pages.components import uploads


@dataclass
class Sent:
    name: str
    content: bytes = b"x"

    def getbuffer(self):
        return memoryview(self.content)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("guide.csv", "guide.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\a.csv", "a.csv"),
        ("..", "file"),
        (".hidden.csv", "hidden.csv"),
        ("a\0b<c>.csv", "a_b_c_.csv"),
        ("e\u0301t\u00e9.csv", "\u00e9t\u00e9.csv"),
        ("x" * 300 + ".csv", "x" * 120 + ".csv"),
    ],
)
def test_names_are_made_safe(name, safe):
    assert uploads.safe_name(name) == safe


def test_one_file_is_itself_and_several_are_a_folder(tmp_path):
    one = uploads.store(tmp_path, "t1", [Sent("../a.csv", b"id")])
    assert one == tmp_path / "uploads" / "t1" / "source" / "a.csv"
    assert one.read_bytes() == b"id"
    several = uploads.store(tmp_path, "t2", [Sent("a.md"), Sent("a.md"), Sent("b.md")])
    assert sorted(path.name for path in several.iterdir()) == ["a (2).md", "a.md", "b.md"]


def test_another_upload_takes_the_place_of_the_former(tmp_path):
    uploads.store(tmp_path, "t", [Sent("a.csv")])
    uploads.store(tmp_path, "t", [Sent("b.csv")])
    assert [path.name for path in (tmp_path / "uploads" / "t" / "source").iterdir()] == ["b.csv"]


def test_old_uploads_are_swept_and_new_ones_stay(tmp_path):
    for token in ("old", "new"):
        uploads.store(tmp_path, token, [Sent("a.csv")])
    os.utime(tmp_path / "uploads" / "old", (0, 0))
    uploads.sweep(tmp_path)
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == ["new"]
    uploads.remove(tmp_path, "new")
    uploads.remove(tmp_path, "../..")
    assert tmp_path.exists()
    assert not any((tmp_path / "uploads").iterdir())
