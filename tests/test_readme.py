"""The README names what there is."""

import json
import re
from pathlib import Path

import pytest

from engine.cli import app, main
from engine.encoders.registry import ENCODERS
from engine.store.demo import demo_collections

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [command.callback.__name__ for command in app.registered_commands]
ROOMS = sorted(path.name for path in (ROOT / "engine").iterdir() if (path / "__init__.py").exists())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_named(name):
    assert re.search(rf"\b{name}\b", README)


@pytest.mark.parametrize("name", [collection.name for collection, _ in demo_collections()])
def test_every_built_in_collection_is_named(name):
    assert f"`{name}`" in README


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_on_the_map(room):
    assert f"`engine/{room}/`" in README


@pytest.mark.parametrize("name", ["minilm", "e5-small"])
def test_the_packaged_encoders_are_named(name):
    assert name in ENCODERS
    assert f"`{name}`" in README


def test_the_lines_for_a_notebook_print_what_the_command_line_prints(demo_workspace, monkeypatch, capsys):
    lines = re.search(r"## In Python\n\n```python\n(.*?)```", README, re.DOTALL)[1]
    monkeypatch.setenv("RANKSCOPE_HOME", str(demo_workspace.root))
    exec(lines, {})
    ranks = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    main(
        [
            *(
                "search",
                "field-guide",
                "why do ties happen in rank fusion",
                "--k",
                "20",
                "--weight",
                "dense=0.5",
                "--json",
            )
        ]
    )
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert ranks == [[str(hit["rank"]), hit["chunk_id"], str(hit["score"])] for hit in hits]


def test_every_file_that_it_points_to_exists():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("target", ["run", "test", "bench"])
def test_the_commands_of_the_first_minute_exist(target):
    assert f"make {target}" in README
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
