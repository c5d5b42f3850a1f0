"""What is derived once is made again when what it hangs on has changed, and a failure is not kept."""

import os

import pytest

from engine.corpus.options import ImportOptions
from engine.encoders import registry
from engine.encoders.hashing import HashEncoder
from engine.errors import Unavailable
from pages.components import resources


@pytest.fixture(autouse=True)
def fresh(monkeypatch, workspace_root):
    monkeypatch.setenv("RANKSCOPE_HOME", str(workspace_root))
    resources.st.cache_resource.clear()
    yield
    resources.st.cache_resource.clear()
    registry._registered.cache_clear()


def test_titles_are_by_name():
    assert resources.titles() == {"help": "Help desk", "tiny": "Two <b>chunks</b>"}


def test_an_encoder_that_comes_back_makes_its_collections_up_to_date(monkeypatch):
    def missing(self):
        raise Unavailable("The model is away.", "Fetch it.")

    with monkeypatch.context() as away:
        away.setattr(HashEncoder, "fingerprint", property(missing))
        assert [each.reasons for each in resources.conditions()] == [
            ("Its encoder is not there: The model is away.",)
        ] * 2
    assert [each.state for each in resources.conditions()] == ["up to date"] * 2


def test_a_changed_file_of_a_folder_is_read_again(tmp_path):
    folder = tmp_path / "rows"
    folder.mkdir()
    rows = folder / "rows.jsonl"
    rows.write_text('{"id": "1", "text": "red"}\n', encoding="utf-8")
    before = os.stat(folder)
    first = resources.look(folder, ImportOptions())
    assert resources.look(folder, ImportOptions()) is first
    rows.write_text('{"id": "1", "text": "blue as well"}\n', encoding="utf-8")
    assert os.stat(folder).st_mtime_ns == before.st_mtime_ns
    assert resources.look(folder, ImportOptions()) is not first
