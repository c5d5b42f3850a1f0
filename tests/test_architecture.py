"""The house rules that a machine can hold: the order of the rooms, the fences, the twin files, the light import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "engine"
PAGES = ROOT / "pages"
ROOMS = (
    "errors",
    "types",
    "text",
    "corpus",
    "encoders",
    "channels",
    "fusion",
    "rerank",
    "pipelines",
    "explain",
    "sensitivity",
    "evaluation",
    "store",
    "export",
    "cli",
    "__main__",
)
HEAVY = ("torch", "faiss", "pandas", "sentence_transformers", "transformers", "onnxruntime", "streamlit", "plotly")
ENGINE_FILES = sorted(ENGINE.rglob("*.py"))
PAGE_FILES = sorted(PAGES.glob("*.py"))
COMPONENT_FILES = sorted((PAGES / "components").glob("*.py"))


def name_of(path):
    return str(path.relative_to(ROOT))


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree, *, everywhere=True):
    """The dotted names that a file imports; only those of its top level unless `everywhere`."""
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "engine":  # the rooms themselves
                yield from (f"engine.{alias.name}" for alias in node.names)


def room_of(dotted):
    return dotted.split(".")[1] if dotted.startswith("engine.") else None


@pytest.mark.parametrize("path", ENGINE_FILES, ids=name_of)
def test_a_room_imports_only_from_rooms_above_it(path):
    parts = path.relative_to(ENGINE).parts
    if parts == ("__init__.py",):
        return
    own = ROOMS.index(parts[0].removesuffix(".py"))
    below = [
        name for name in imported(tree_of(path)) if (room := room_of(name)) is not None and ROOMS.index(room) > own
    ]
    assert below == []


@pytest.mark.parametrize("path", ENGINE_FILES, ids=name_of)
def test_the_engine_knows_no_screen(path):
    strangers = {"streamlit", "plotly", "pages", "app"}
    assert not {name.split(".")[0] for name in imported(tree_of(path))} & strangers


@pytest.mark.parametrize("path", ENGINE_FILES, ids=name_of)
def test_heavy_packages_are_imported_where_they_are_needed(path):
    assert not {name.split(".")[0] for name in imported(tree_of(path), everywhere=False)} & set(HEAVY)


def test_importing_the_engine_is_light():
    code = (
        "import sys, engine, engine.store.collection, engine.pipelines.hybrid, engine.cli;"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "path", [path for path in ENGINE_FILES if path.name not in ("__init__.py", "__main__.py")], ids=name_of
)
def test_every_engine_file_has_its_test(path):
    twin = ROOT / "tests" / path.relative_to(ROOT).parent / f"test_{path.name}"
    assert twin.exists(), f"write {twin.relative_to(ROOT)}"


@pytest.mark.parametrize("path", [*PAGE_FILES, *COMPONENT_FILES, ROOT / "app.py"], ids=name_of)
def test_one_component_keeps_state_and_only_two_cache(path):
    names = {node.attr for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    if path.name != "state.py":
        assert not names & {"session_state", "query_params"}
    if path.name not in ("opening.py", "resources.py"):
        assert not names & {"cache_data", "cache_resource"}


@pytest.mark.parametrize("path", PAGE_FILES, ids=name_of)
def test_a_page_is_thin(path):
    tree = tree_of(path)
    assert not [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not {name.split(".")[0] for name in imported(tree)} & {"numpy", "faiss", "torch", "pandas"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 120


def test_the_frame_is_short():
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) <= 80


def caught(tree):
    """The names of the faults that a file catches; None where it catches all without a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            yield from (None if kind is None else ast.unparse(kind) for kind in kinds)


def test_what_is_caught_and_imported_is_seen():
    tree = ast.parse(
        "from engine import store\ntry: pass\nexcept (KeyError, Exception): pass\ntry: pass\nexcept: pass\n"
    )
    assert list(caught(tree)) == ["KeyError", "Exception", None]
    assert [room_of(name) for name in imported(tree)] == [None, "store"]


@pytest.mark.parametrize("path", [*ENGINE_FILES, *PAGE_FILES, *COMPONENT_FILES, ROOT / "app.py"], ids=name_of)
def test_no_pickle_and_no_catch_all(path):
    tree = tree_of(path)
    assert not {name.split(".")[0] for name in imported(tree)} & {"pickle", "joblib", "shelve", "dill"}
    assert not {None, "Exception", "BaseException"} & set(caught(tree))
