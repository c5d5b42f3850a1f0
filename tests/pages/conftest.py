"""Two small collections, built once with the encoder that needs no model, and the app over them."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
import streamlit as st
import streamlit.testing.v1.app_test as app_test
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from engine.store.build import build_collection
from engine.store.manifest import BuildOptions
from engine.store.workspace import Workspace

APP = Path(__file__).resolve().parents[2] / "app.py"
TITLES = (
    "Reset a forgotten password",
    "Account lockout after failed logins",
    "Password policy and rotation",
    "Single sign-on troubleshooting",
    "Two-factor recovery codes",
    "Browser password managers",
    "Session timeout settings",
    "Invite users in bulk",
    "Audit log of credential changes",
    "Change the e-mail address",
    "Service account secrets",
    "Rate limits on login",
    "Replace part HBQK389-02",
    "Passwordless login with passkeys",
)
EVIL = "<img src=x onerror=\"document.title='owned'\"> ![x](http://example.invalid/x.png) $5 *star* <b>tag</b>"
QUERY = "reset my password"


def documents():
    for number, title in enumerate(TITLES):
        text = f"{title}: what to do, step by step, with the password of the account {number}."
        yield {
            "_id": f"d{number:02}",
            "title": title,
            "text": text,
            "metadata": {"area": "login" if number % 2 else "admin"},
        }


def write_source(folder, chunks, queries=(), grades=()):
    folder.mkdir(parents=True)
    lines = {"corpus.jsonl": chunks, "queries.jsonl": queries}
    for name, values in lines.items():
        if values:
            (folder / name).write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    if grades:
        (folder / "qrels").mkdir()
        rows = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, grade)) for grade in grades)]
        (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def build():
    """Builds a collection: root of the workspace, name, chunks as BEIR records, then title, queries and grades."""

    def build(root, name, chunks, title="", queries=(), grades=()):
        source = write_source(root.parent / f"{name}-{uuid4().hex}", chunks, queries, grades)
        options = BuildOptions(title=title, encoder="hash", reading={"language": "en"})
        build_collection(Workspace(root), name, source, options)

    return build


@pytest.fixture(scope="session")
def workspace_root(tmp_path_factory, build):
    """A workspace with `help` (14 chunks, judged) and `tiny` (2 chunks, one of them hostile)."""
    root = tmp_path_factory.mktemp("screens") / "workspace"
    queries = [{"_id": "q1", "text": QUERY, "example": True}, {"_id": "q2", "text": "HBQK389-02", "example": True}]
    grades = [("q1", "d00", 2), ("q1", "d02", 1), ("q1", "d03", 0)]
    build(root, "help", list(documents()), "Help desk", queries, grades)
    build(
        root,
        "tiny",
        [{"_id": "a<b>1</b>", "title": EVIL, "text": EVIL}, {"_id": "b", "title": "Plain", "text": "A second star"}],
        "Two <b>chunks</b>",
    )
    return root


@pytest.fixture
def app(workspace_root, monkeypatch, tmp_path):
    """Makes fresh sessions of the app over those collections, or over another root; nothing has run in them yet."""
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(app_test, "PagesManager", FramedPages)

    def fresh(root=workspace_root, **params):
        monkeypatch.setenv("RANKSCOPE_HOME", str(root))
        st.cache_resource.clear()
        st.cache_data.clear()
        session = AppTest.from_file(APP, default_timeout=60)
        for name, value in params.items():
            session.query_params[name.replace("__", ".")] = value
        return session

    return fresh


class FramedPages(PagesManager):
    """Lets the test harness run `app.py` every time, as a server does from the second run on."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        PagesManager.uses_pages_directory = False
