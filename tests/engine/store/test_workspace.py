import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import BadInput, Busy, RankScopeError, StaleIndex, UnknownName
from engine.store.workspace import Workspace, checked_name, default_root


def publish(workspace, name, build, text="x"):
    with workspace.changing(name):
        folder = workspace.new_build(name, build)
        (folder / "file").write_text(text)
        workspace.publish(name, folder)


@pytest.mark.parametrize(
    "name", ["../x", "..", "a/b", "a\\b", "", "  ", ".hidden", "a..b", "a" * 64, "a\0b", "x.partial", "a."]
)
def test_names_that_could_leave_the_workspace_are_refused(name):
    with pytest.raises(BadInput, match="cannot be the name of a collection"):
        checked_name(name)


def test_names_in_any_script_are_composed():
    assert checked_name("luật") == checked_name("lua\u0323\u0302t".replace("a\u0323\u0302", "ậ"))
    assert checked_name(" 007 ") == "007"


def test_the_root_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_HOME", str(tmp_path))
    assert default_root() == tmp_path
    monkeypatch.delenv("RANKSCOPE_HOME")
    assert default_root().parts[-2:] == ("data", "workspace")


def test_a_build_is_seen_only_when_it_is_published(workspace):
    folder = workspace.new_build("red", "b1")
    assert workspace.names() == ()
    with pytest.raises(UnknownName, match="no collection 'red'"):
        workspace.current("red")
    workspace.publish("red", folder)
    assert workspace.names() == ("red",)
    assert workspace.current("red").name == "b1"


def test_a_new_build_replaces_the_old_one_and_readers_keep_what_they_opened(workspace):
    publish(workspace, "red", "b1", "one")
    with (workspace.current("red") / "file").open() as reader:
        publish(workspace, "red", "b2", "two")
        assert reader.read() == "one"
    assert (workspace.current("red") / "file").read_text() == "two"
    assert sorted(path.name for path in workspace.folder("red").iterdir()) == ["b2", "current"]


def test_what_a_killed_build_left_goes_with_the_next_one(workspace):
    publish(workspace, "red", "b1")
    left = workspace.new_build("red", "b2")
    (left / "half").write_text("…")
    assert workspace.current("red").name == "b1"
    publish(workspace, "red", "b3")
    assert not left.exists()


def test_discarding_keeps_the_build_in_use(workspace):
    publish(workspace, "red", "b1")
    workspace.discard("red", workspace.new_build("red", "b2"))
    assert workspace.current("red").name == "b1"
    workspace.discard("blue", workspace.new_build("blue", "b1"))
    assert not workspace.folder("blue").exists()


def test_two_processes_cannot_change_one_collection_at_once(workspace):
    code = (
        "import sys; from pathlib import Path; from engine.store.workspace import Workspace\n"
        "from engine.errors import Busy\n"
        "try:\n"
        "    with Workspace(Path(sys.argv[1])).changing('red'): print('free')\n"
        "except Busy as error: print(error)\n"
    )
    call = [sys.executable, "-c", code, str(workspace.root)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    with workspace.changing("red"):
        busy = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
    assert "is being built or changed by another process" in busy.stdout
    free = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
    assert free.stdout == "free\n"
    with workspace.changing("red"), pytest.raises(Busy, match="another process"), workspace.changing("red"):
        pass


def test_rename_and_delete(workspace):
    publish(workspace, "red", "b1")
    publish(workspace, "blue", "b1")
    with pytest.raises(BadInput, match="'blue' already"):
        workspace.rename("red", "blue")
    with pytest.raises(BadInput, match="'red' already"):
        workspace.rename("red", " red ")
    workspace.rename("red", " green ")
    assert workspace.names() == ("blue", "green")
    workspace.delete("green")
    assert workspace.names() == ("blue",)
    with pytest.raises(UnknownName, match="no collection 'green'"):
        workspace.delete("green")
    with pytest.raises(BadInput, match="cannot be the name"):
        workspace.rename("blue", "../out")
    assert Workspace(workspace.root).names() == ("blue",)


@pytest.mark.parametrize("content", [b"", b"../../x", b"\xff", b"a/b", b".."])
def test_a_damaged_pointer_is_said(workspace, content):
    publish(workspace, "red", "b1")
    (workspace.folder("red") / "current").write_bytes(content)
    with pytest.raises(StaleIndex, match="names the build of 'red' is damaged"):
        workspace.current("red")


def test_a_damaged_pointer_hinders_neither_rename_nor_delete(workspace):
    publish(workspace, "red", "b1")
    publish(workspace, "blue", "b1")
    (workspace.folder("red") / "current").write_text("")
    (workspace.folder("blue") / "current").unlink()
    (workspace.folder("blue") / "current").mkdir()
    with pytest.raises(StaleIndex, match="names the build of 'blue' cannot be read"):
        workspace.current("blue")
    workspace.rename("red", "green")
    assert workspace.names() == ("blue", "green")
    workspace.delete("green")
    workspace.delete("blue")
    assert workspace.names() == ()
    assert list((workspace.root / "collections").iterdir()) == []


@pytest.mark.parametrize("stray", [".trash", "a..b"])
def test_a_folder_whose_name_no_collection_can_have_is_none(workspace, stray):
    publish(workspace, "red", "b1")
    (workspace.root / "collections" / stray).mkdir()
    (workspace.root / "collections" / stray / "current").write_text("b1")
    assert workspace.names() == ("red",)


def test_what_a_killed_build_left_does_not_keep_its_name(workspace):
    publish(workspace, "red", "b1")
    (workspace.new_build("blue", "b1") / "half").write_text("…")
    workspace.rename("red", "blue")
    assert workspace.names() == ("blue",)
    assert sorted(path.name for path in workspace.folder("blue").iterdir()) == ["b1", "current"]


def test_what_goes_while_its_lock_is_waited_for_is_unknown(workspace, monkeypatch):
    changing = Workspace.changing

    def first(self, name):
        monkeypatch.setattr(Workspace, "changing", changing)
        Workspace(self.root).delete("red")
        return changing(self, name)

    for change in (lambda: workspace.delete("red"), lambda: workspace.rename("red", "blue")):
        publish(workspace, "red", "b1")
        monkeypatch.setattr(Workspace, "changing", first)
        with pytest.raises(UnknownName, match="no collection 'red'"):
            change()


@pytest.mark.skipif(sys.platform != "linux", reason="/sys is where nobody may write on Linux, root neither")
def test_a_root_that_nobody_may_write_to_is_said():
    with (
        pytest.raises(RankScopeError, match="cannot be written to, so 'red' could not be changed"),
        Workspace(Path("/sys/rankscope")).changing("red"),
    ):
        pass


def test_a_root_that_is_no_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is no folder"):
        Workspace(tmp_path / "file").names()
