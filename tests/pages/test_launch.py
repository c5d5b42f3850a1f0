"""Every page of the menu is drawn: without a collection, with one, and with one whose files are damaged."""

import shutil

import pytest

from engine.store.workspace import Workspace
from pages.components.frame import PAGES

VIEWS = {"data": ("collections", "new", "analyser")}
SCREENS = [(entry.file, view) for entry in PAGES for view in VIEWS.get(entry.name, ("",))]


@pytest.fixture
def launch(app):
    def launch(file, view, **params):
        if view:
            params["data__view"] = view
        session = app(**params).run()
        assert not session.exception
        session.switch_page(file).run()
        assert not session.exception
        return "\n".join(element.proto.body for element in session.get("html"))

    return launch


@pytest.mark.parametrize(("file", "view"), SCREENS)
def test_without_a_collection_every_page_says_what_to_do(launch, tmp_path, file, view):
    assert 'class="rs-nothing"' in launch(file, view, root=tmp_path / "empty")


@pytest.mark.parametrize(("file", "view"), SCREENS)
def test_with_a_collection_no_page_complains(launch, file, view):
    assert 'role="alert"' not in launch(file, view, c="help", q="reset my password", at="d00")


@pytest.mark.parametrize(("file", "view"), SCREENS)
def test_a_damaged_collection_is_told_where_it_is_used(launch, workspace_root, tmp_path, file, view):
    root = tmp_path / "workspace"
    shutil.copytree(workspace_root, root)
    (Workspace(root).current("help") / "manifest.json").write_text("{}", "utf-8")
    shown = launch(file, view, root=root, c="help", q="reset my password")
    if view in ("", "collections"):
        assert "The manifest of &#x27;help&#x27; cannot be read" in shown
