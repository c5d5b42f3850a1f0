import pytest

from engine.corpus.options import ImportOptions
from engine.corpus.parts import format_of, parts_of
from engine.errors import BadInput, UnknownName

AUTO = ImportOptions()


def names(parts):
    return [(part.stem, part.format) for part in parts]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.csv", "csv"),
        ("a.JSONL.gz", "jsonl"),
        ("a.HTM", "html"),
        ("a.xlsm", "xlsx"),
        ("a.tab", "tsv"),
        ("a", None),
        ("a.zip", None),
    ],
)
def test_the_ending_says_the_format(tmp_path, name, found):
    assert format_of(tmp_path / name) == found


def test_a_file_is_one_part(write):
    found, parts, left_out = parts_of(write("guide.v2.md", "x"), AUTO)
    assert (found, names(parts), left_out) == ("md", [("guide.v2", "md")], [])


def test_a_chosen_format_goes_before_the_ending(write):
    path = write("a.txt", "id,text\n")
    assert parts_of(path, ImportOptions(format="csv"))[0] == "csv"


def test_a_folder_is_read_in_the_order_of_names_hidden_files_left_out(write, tmp_path):
    for name in ("b.md", "a/z.txt", "a/y.csv", ".hidden.md", ".git/x.md", "~$open.docx"):
        write(name, "x")
    found, parts, left_out = parts_of(tmp_path, AUTO)
    assert (found, left_out) == ("folder", [])
    assert names(parts) == [("b", "md"), ("a/y", "csv"), ("a/z", "txt")]


def test_files_that_share_a_stem_are_told_apart_by_their_endings(write, tmp_path):
    for name in ("guide.md", "guide.txt", "other.md"):
        write(name, "x")
    assert [part.stem for part in parts_of(tmp_path, AUTO)[1]] == ["guide.md", "guide.txt", "other"]


def test_what_cannot_be_read_in_a_folder_is_reported(write, tmp_path):
    write("a.md", "x")
    write("empty.md", "")
    write("photo.jpg", "x")
    _, parts, left_out = parts_of(tmp_path, AUTO)
    assert names(parts) == [("a", "md")]
    assert [(problem.where, problem.kind) for problem in left_out] == [
        ("empty.md", "skipped file"),
        ("photo.jpg", "skipped file"),
    ]
    assert "is empty" in left_out[0].text
    assert "'.jpg' is of no format" in left_out[1].text


def test_a_folder_with_a_corpus_file_is_a_beir_folder(write, tmp_path):
    write("corpus.jsonl", "{}")
    write("queries.jsonl", "{}")
    found, parts, _ = parts_of(tmp_path, AUTO)
    assert (found, names(parts)) == ("beir", [(tmp_path.name, "beir")])
    assert parts_of(tmp_path, ImportOptions(format="folder"))[0] == "folder"


@pytest.mark.parametrize("name", ["ccam_2025_chunks.json", "ccam_2025_chunks.jsonl", "chunks.jsonl"])
def test_chunk_files_are_the_collection_and_what_lies_beside_them_is_about_it(write, tmp_path, name):
    for other in ("README.md", "queries.jsonl", "qrels.tsv", "collection.json", name, "a_2024_chunks.json"):
        write(other, "[]")
    found, parts, left_out = parts_of(tmp_path, AUTO)
    assert (found, left_out) == ("folder", [])
    assert [part.source.name for part in parts] == sorted(["a_2024_chunks.json", name])


def test_another_document_beside_chunk_files_is_not_passed_over_in_silence(write, tmp_path):
    for name in ("a_2024_chunks.json", "README.md", "notes.md", "sub/more.csv"):
        write(name, "[]")
    _, parts, (remark,) = parts_of(tmp_path, AUTO)
    assert names(parts) == [("a_2024_chunks", "json")]
    assert remark.kind == "guess"
    assert remark.text.endswith("left aside: notes.md, sub/more.csv.")


def test_what_cannot_be_read_at_all_is_refused(write, tmp_path):
    with pytest.raises(BadInput, match=r"the ending '.zip' is of no format known here.*json, jsonl, csv"):
        parts_of(write("a.zip", "x"), AUTO)
    with pytest.raises(BadInput, match="it is no folder"):
        parts_of(write("a.csv", "x"), ImportOptions(format="folder"))
    with pytest.raises(BadInput, match="is a folder, not a file"):
        parts_of(tmp_path, ImportOptions(format="csv"))
    with pytest.raises(UnknownName, match=r"no format 'xls'.*auto, json"):
        parts_of(tmp_path, ImportOptions(format="xls"))
    with pytest.raises(BadInput, match="does not exist"):
        parts_of(tmp_path / "nothing", AUTO)
    (tmp_path / "nil").mkdir()
    with pytest.raises(BadInput, match=r"nil holds no file that can be read.*\.csv"):
        parts_of(tmp_path / "nil", AUTO)


def test_a_link_in_a_circle_is_walked_once(write, tmp_path):
    write("a/b.md", "x")
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert names(parts_of(tmp_path, AUTO)[1]) == [("a/b", "md")]


def test_a_folder_of_too_many_files_is_refused(write, tmp_path, monkeypatch):
    monkeypatch.setattr("engine.corpus.parts.MOST_FILES", 2)
    for name in "abc":
        write(f"{name}.md", "x")
    with pytest.raises(BadInput, match="holds more than 2 files"):
        parts_of(tmp_path, AUTO)


@pytest.mark.parametrize("chosen", ["auto", "csv", "folder"])
def test_a_path_that_the_system_refuses_is_a_fault_of_the_input(tmp_path, chosen):
    with pytest.raises(BadInput, match=r"^a{260}… cannot be opened: File name too long\. Check the path"):
        parts_of(tmp_path / ("a" * 5_000), ImportOptions(format=chosen))
    with pytest.raises(BadInput, match="cannot be opened"):
        parts_of(tmp_path / "a\0b.csv", ImportOptions(format=chosen))
