import json

import numpy as np
import pytest

from engine.corpus.options import ImportOptions
from engine.corpus.previewing import LONGEST_CELL, ROWS, preview
from engine.corpus.reading import read_source
from engine.errors import BadInput


def test_a_preview_shows_rows_columns_and_the_guess(write):
    found = preview(write("a.csv", b"\xef\xbb\xbfid;titre;texte\r\n1;T;a, b\r\n2;U;c\r\n"))
    assert found.columns == ("id", "titre", "texte")
    assert found.rows == (("1", "T", "a, b"), ("2", "U", "c"))
    assert found.guessed == ImportOptions(
        format="csv",
        encoding="utf-8-sig",
        delimiter=";",
        mapping={"id": "id", "title": "titre", "text": "texte"},
    )
    assert found.problems == ()


def test_a_guessed_encoding_is_shown_with_its_text(write):
    found = preview(write("a.csv", b"id;text\n1;caf\xe9\n"))
    assert found.rows == (("1", "café"),)
    assert found.guessed.encoding == "cp1252"
    assert [problem.kind for problem in found.problems] == ["guess"]


def test_it_shows_twenty_rows_and_cuts_long_cells(write):
    lines = [json.dumps({"id": row, "text": "x" * 2_000, "tags": ["a"]}) for row in range(50)]
    found = preview(write("a.jsonl", "\n".join(lines)))
    assert len(found.rows) == ROWS
    assert found.rows[3] == ("3", "x" * LONGEST_CELL + "…", '["a"]')


def test_the_head_alone_is_read(write):
    found = preview(write("a.jsonl", '{"id": "a", "text": "x"}\n' * 200 + "broken\n"))
    assert found.problems == ()


def test_bad_rows_of_the_head_are_told(write):
    found = preview(write("a.jsonl", '{"id": "a", "text": "x"}\nbroken\n'))
    assert [problem.where for problem in found.problems] == ["line 2"]


def test_columns_of_vectors_and_files_of_vectors_are_found_not_shown(write, tmp_path):
    found = preview(write("a.jsonl", json.dumps({"id": "a", "text": "x", "emb": [0.5] * 8})))
    assert (found.columns, found.guessed.vectors) == (("id", "text"), "emb")
    np.save(tmp_path / "b.npy", np.zeros((1, 2)))
    assert preview(write("b.csv", "id,text\na,x\n")).guessed.vectors == "b.npy"


def test_a_document_is_shown_as_its_blocks(write):
    found = preview(write("a.md", "# Head\n\nText.\n"))
    assert (found.columns, found.rows) == (("level", "page", "text"), (("1", "", "Head"), ("", "", "Text.")))
    assert found.guessed == ImportOptions(format="md")


def test_a_folder_is_shown_by_its_first_table(write, tmp_path):
    write("a.md", "Text.")
    write("b.csv", "id,text\n1,x\n")
    write("c.xyz", "?")
    found = preview(tmp_path)
    assert (found.columns, found.rows) == (("id", "text"), (("1", "x"),))
    assert found.guessed.format == "folder"
    assert found.guessed.encoding is None
    assert [problem.kind for problem in found.problems] == ["guess", "skipped file"]
    assert found.problems[0].text == "files that can be read: 1 md, 1 csv; shown is b.csv."


def test_a_choice_is_kept(write):
    path = write("a.csv", "id,body,other\n1,x,y\n")
    found = preview(path, ImportOptions(mapping={"text": "other", "title": None}, on_repeated="last"))
    assert dict(found.guessed.mapping) == {"id": "id", "text": "other", "title": None}
    assert found.guessed.on_repeated == "last"


def test_what_cannot_be_read_is_refused_as_in_reading(write):
    with pytest.raises(BadInput, match=r"a.csv is empty"):
        preview(write("a.csv", ""))
    with pytest.raises(BadInput, match="has no column 'nope'"):
        preview(write("b.csv", "id\n1\n"), ImportOptions(mapping={"text": "nope"}))


SOURCES = {
    "a.csv": "id;text;lang\n1;été à Noël;fr\n,x,y\n1;z\n",
    "b.jsonl": '{"_id": "1", "text": "x", "n": 1.50}\nbroken\n{"_id": "2", "contents": [1]}\n',
    "c.json": '{"data": [{"content": "x", "page": 3}, {"content": "y"}]}',
    "d.tsv": "id\ttext\n1\tcaf\xe9\n".encode("cp1252"),
    "e.md": "# A\n\nText of it.\n",
    "f.csv": b"id,text\n" + (b"1," + b"plain " * 500 + b"\n") * 500 + "2,café\n".encode("cp1252"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_guessed_options_read_what_would_be_read_without_them(write, name):
    path = write(name, SOURCES[name])
    kept = ImportOptions(on_repeated="first")
    guessed = preview(path, kept).guessed
    by_itself, by_guess = read_source(path, kept), read_source(path, guessed)
    assert tuple(by_guess.corpus) == tuple(by_itself.corpus)
    assert by_guess.report.chunks == by_itself.report.chunks
