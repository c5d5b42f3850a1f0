"""What is opened once: models that are really loaded, memory that is given back, grades that name one thing."""

import gc
import weakref

import pytest

from engine.encoders.hashing import HashEncoder
from engine.store.collection import open_collection
from engine.store.workspace import Workspace
from pages.components import opening


class Knot:
    """An object that only the garbage collector can free, for it holds itself."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def warm(workspace_root, monkeypatch, tmp_path):
    """Opens `help` anew and loads its models; how many queries the encoder was then asked for."""
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "cache"))
    asked = []
    encode = HashEncoder.encode_query
    monkeypatch.setattr(HashEncoder, "encode_query", lambda self, text: asked.append(text) or encode(self, text))

    def load():
        asked.clear()
        warming = opening.Warming(open_collection(Workspace(workspace_root), "help"))
        warming.start()
        assert warming.done.wait(60)
        return len(asked)

    return load


def test_what_was_let_go_after_a_load_is_freed_by_the_next_one():
    knot = Knot()
    gone = weakref.ref(knot)
    opening.settle()
    del knot
    opening.settle()
    assert gone() is None
    assert gc.get_freeze_count() > 0


def test_every_start_loads_the_model_though_the_vector_of_its_query_is_kept(warm):
    assert warm() > 0
    assert warm() > 0


@pytest.fixture
def desk(build, tmp_path, monkeypatch):
    """Opens a collection of two chunks of the document `d1` and one of `d2`, with those judgments of `q1`."""

    def made(*grades):
        root = tmp_path / "workspace"
        monkeypatch.setenv("RANKSCOPE_HOME", str(root))
        monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "cache"))
        opening.st.cache_resource.clear()
        chunks = [{"id": each, "text": "red kite", "document_id": each[:2]} for each in ("d1-1", "d1-2", "d2-1")]
        build(root, "graded", chunks, "", [{"_id": "q1", "text": "kite"}], [("q1", *grade) for grade in grades])
        return opening.desk("graded")

    yield made
    opening.st.cache_resource.clear()


def test_a_graded_document_grades_its_chunks(desk):
    assert opening.grades(desk(("d1", 2), ("d2", 0)), "kite") == {"d1-1": 2, "d1-2": 2, "d2-1": 0}


def test_judgments_that_name_more_chunks_than_documents_grade_chunks_only(desk):
    # d1-2 and d2-1 are chunks, d1 alone is a document: the unit is the chunk, as in an evaluation.
    assert opening.grades(desk(("d1-2", 1), ("d2-1", 0), ("d1", 2)), "kite").get("d1-1") is None


def test_a_query_that_nobody_judged_has_no_grades(desk):
    assert opening.grades(desk(("d1", 2)), "another") is None
