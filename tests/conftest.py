"""What tests share: a workspace of their own, the built-in collections built once, the real collections if present."""

import os
from pathlib import Path

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


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path / "workspace")


@pytest.fixture(scope="session")
def demo_workspace(tmp_path_factory):
    """The built-in collections, built once per run with the packaged models."""
    workspace = Workspace(tmp_path_factory.mktemp("demo"))
    build_demo(workspace)
    return workspace


@pytest.fixture(scope="session")
def demo(demo_workspace):
    """Opens a built-in collection by name."""
    opened = {}

    def open_once(name):
        if name not in opened:
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
