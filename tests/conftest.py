"""What tests share: a workspace of their own, the built-in collections built once, the real collections if present."""

import os
from pathlib import Path
from uuid import uuid4

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
from hypothesis import settings

from engine.store.collection import open_collection
from engine.store.demo import build_demo
from engine.store.workspace import Workspace

# No test asserts a time, and compiled code may be compiled inside an example.
settings.register_profile("rankscope", deadline=None)
settings.load_profile("rankscope")

ROOT = Path(__file__).resolve().parents[1]
DATASETS = ROOT.parent / "shared" / "datasets"


FILLED_CACHE = os.environ.get("RANKSCOPE_CACHE")


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_the_user(tmp_path_factory):
    """No test reads or writes the user's own embedding cache; see `_own_cache`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKSCOPE_CACHE", str(tmp_path_factory.mktemp("vectors")))
        yield


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path_factory):
    """Each test has an embedding cache of its own, empty at first."""
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path_factory.getbasetemp() / f"vectors-{uuid4().hex}"))


@pytest.fixture(scope="session")
def demo_cache(request):
    """Where the vectors of the built-in collections are: the folder that RANKSCOPE_CACHE named, else pytest's own."""
    return FILLED_CACHE or str(request.config.cache.mkdir("vectors"))


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / "workspace")


@pytest.fixture(scope="session")
def demo_workspace(tmp_path_factory, demo_cache):
    """The built-in collections, built once per run with the packaged models."""
    workspace = Workspace(tmp_path_factory.mktemp("demo"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKSCOPE_CACHE", demo_cache)
        build_demo(workspace)
    return workspace


@pytest.fixture(scope="session")
def demo(demo_workspace, demo_cache):
    """Opens a built-in collection by name."""
    opened = {}

    def open_once(name):
        if name not in opened:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("RANKSCOPE_CACHE", demo_cache)
                opened[name] = open_collection(demo_workspace, name)
        return opened[name]

    return open_once


@pytest.fixture
def dataset():
    """The folder of a real collection; skips where it is not beside the project."""

    def folder(name):
        path = DATASETS / name
        if not path.is_dir():
            pytest.skip(f"the collection {name} is not beside the project")
        return path

    return folder
