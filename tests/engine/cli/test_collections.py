import json
import zipfile

import pytest

from engine.store.collection import open_collection


def test_index_reads_builds_and_reports(call, workspace, tmp_path):
    source = tmp_path / "semi.csv"
    source.write_bytes(b"\xef\xbb\xbfid;body\r\n007;a, b\r\n007;again\r\n;none\r\n")
    code, out, err = call(
        *("index", "semi", "--from", str(source), "--encoder", "hash", "--language", "en", "--on-repeated", "first"),
        *("--map", "text=body", "--title", "Semicolons"),
    )
    assert (code, err) == (0, "")
    assert "3 rows read, 1 repeated id: 007" in out
    assert "row 3" in out
    collection = open_collection(workspace, "semi")
    assert collection.title == "Semicolons"
    assert collection.corpus.chunk("007").text == "a, b"


def test_progress_as_json_ends_with_the_result(call, tmp_path):
    source = tmp_path / "one.jsonl"
    source.write_text('{"id": "a", "text": "red"}')
    code, out, _ = call("index", "one", "--from", str(source), "--encoder", "hash", "--progress", "json", "--json")
    *steps, result = map(json.loads, out.splitlines())
    assert code == 0
    assert {"read", "bm25", "embedding", "write"} <= {step["stage"] for step in steps}
    assert result["manifest"]["chunks"] == 1
    assert result["report"]["rows"] == 1


def test_all_options_come_as_json_and_are_checked(call, workspace, tmp_path):
    source = tmp_path / "one.jsonl"
    source.write_text('{"id": "a", "text": "rouge"}')
    options = {"encoder": "hash", "description": "one", "reading": {"language": "fr"}}
    assert call("index", "one", "--from", str(source), "--options", json.dumps(options), "--language", "es")[0] == 0
    made = open_collection(workspace, "one").manifest.options
    assert (made.encoder, made.description, made.reading.language) == ("hash", "one", "es")
    code, _, err = call("index", "one", "--from", str(source), "--options", '{"encodr": "hash"}')
    assert (code, "encodr" in err) == (2, True)


def test_collections_are_listed(data, call):
    (row,) = data("collections")["collections"]
    assert (row["name"], row["title"], row["chunks"], row["encoder"]) == ("kites", "Kites and lamps", 3, "hash")
    assert "kites" in call("collections")[1]


def test_rename_rebuild_export_delete(call, data, tmp_path):
    assert call("rename", "kites", "drachen")[1] == "kites is now drachen.\n"
    assert data("rebuild", "drachen", "--encoder", "none")["manifest"]["encoder"] == "none"
    target = tmp_path / "drachen.zip"
    assert call("export", "drachen", str(target))[0] == 0
    assert "chunks.jsonl" in zipfile.ZipFile(target).namelist()
    assert call("delete", "drachen")[1] == "drachen is deleted.\n"
    assert data("collections") == {"collections": []}
    assert "There is no collection yet" in call("collections")[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("index", "../x", "--from", "README.md"), "cannot be the name"),
        (("index", "x", "--from", "absent.csv"), "absent.csv"),
        (("index", "x", "--from", "README.md", "--on-repeated", "maybe"), "on_repeated"),
        (("index", "x", "--from", "README.md", "--queries", "q.tsv"), "belong together"),
        (("index", "x", "--from", "README.md", "--encoder", "no/such-model"), "no/such-model"),
        (("index", "x", "--from", ""), "--from is empty"),
        (("index", "x", "--from", "README.md", "--language", "zz"), "no analyser"),
        (("index", "x", "--from", "README.md", "--options", "[" * 5000), "options"),
        (("search", "x" * 5000, "kite"), "x…"),
        (("delete", "nix"), "no collection 'nix'"),
        (("rename", "kites", "a/b"), "cannot be the name"),
        (("export", "kites", "kites.tar"), "Cannot write kites.tar"),
        (("rebuild", "nix"), "no collection 'nix'"),
    ],
)
def test_faults_are_one_line_and_exit_code_two(call, arguments, reason):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert reason in err


def test_one_damaged_collection_hides_no_other(call, data, workspace):
    (workspace.folder("lost") / "b1").mkdir(parents=True)
    (workspace.folder("lost") / "current").write_text("b1")
    rows = {row["name"]: row for row in data("collections")["collections"]}
    assert rows["kites"]["chunks"] == 3
    assert rows["lost"]["chunks"] is None
    assert "cannot be read" in rows["lost"]["title"]
    assert "lost" in call("collections")[1]
    (workspace.folder("lost") / "current").write_text("")
    (workspace.root / "collections" / ".trash").mkdir()
    (workspace.root / "collections" / ".trash" / "current").write_text("b1")
    rows = {row["name"]: row for row in data("collections")["collections"]}
    assert set(rows) == {"kites", "lost"}
    assert "names the build of 'lost' is damaged" in rows["lost"]["title"]
    assert call("delete", "lost")[0] == 0


def test_what_is_done_is_told_as_data_too(data, tmp_path):
    assert data("rename", "kites", "drachen") == {"renamed": "kites", "name": "drachen"}
    target = str(tmp_path / "drachen.zip")
    assert data("export", "drachen", target) == {"name": "drachen", "written": target}
    assert data("delete", "drachen") == {"deleted": "drachen"}
