"""A small collection, built with the hash encoder: what is under test with it is never a model."""

import json

import pytest

from engine.corpus.options import ImportOptions
from engine.store.build import build_collection
from engine.store.collection import open_collection
from engine.store.manifest import BuildOptions

CHUNKS = (
    {"id": "007", "title": "Red kite", "text": "The red kite soars.", "metadata": {"year": 2021}, "domain": "birds"},
    {"id": "7", "title": "Blue kite", "text": "A toy of paper and string.", "metadata": {"year": 2024}},
    {"id": "lamp", "title": "=Lamp", "text": "Light for the desk, I21.9."},
)
OPTIONS = BuildOptions(encoder="hash", title="Kites and lamps", reading=ImportOptions(language="en"))


@pytest.fixture
def kites_source(tmp_path):
    folder = tmp_path / "kites"
    folder.mkdir()
    (folder / "chunks.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in CHUNKS))
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "kite", "kind": "plain", "example": true}\n')
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t007\t3\nq1\t7\t1\n")
    return folder


@pytest.fixture
def kites(workspace, kites_source):
    build_collection(workspace, "kites", kites_source, OPTIONS)
    return open_collection(workspace, "kites")
