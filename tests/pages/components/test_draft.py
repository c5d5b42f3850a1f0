"""What a draft hands to the command line."""

import json
from pathlib import Path

import pytest

from engine.cli.options import validated_json
from engine.errors import BadInput
from engine.store.manifest import BuildOptions
from pages.components.draft import arguments, name_from, new_draft, rebuild_arguments


@pytest.mark.parametrize(
    ("file", "name"),
    [("semi.csv", "semi"), ("Năm 2024 (mới).xlsx", "Năm 2024 -mới"), ("???.csv", "collection"), ("a.b.csv.gz", "a")],
)
def test_a_name_is_made_from_the_source(file, name):
    assert name_from(Path(file)) == name


def test_the_options_arrive_whole():
    draft = new_draft("t", Path("/tmp/semi.csv")).mapped("title", None).mapped("text", "corps").changed(encoder="hash")
    called = arguments(draft)
    assert called[:4] == ["index", "semi", "--from", "/tmp/semi.csv"]
    options = validated_json(BuildOptions, called[called.index("--options") + 1])
    assert options == draft.options
    assert dict(options.reading.mapping) == {"title": None, "text": "corps"}
    assert called[-3:] == ["--progress", "json", "--json"]


def test_other_columns_forget_the_mapping_and_a_language_does_not():
    draft = new_draft("t", Path("a.csv")).mapped("text", "corps")
    assert dict(draft.read_as(language="fr").reading.mapping) == {"text": "corps"}
    assert dict(draft.read_as(delimiter=";").reading.mapping) == {}


def test_queries_and_judgments_come_together():
    draft = new_draft("t", Path("a.csv"))
    both = arguments(type(draft)("t", draft.source, name="a", queries=Path("q.jsonl"), qrels=Path("r.tsv")))
    assert both[both.index("--queries") + 1 :][:3] == ["q.jsonl", "--qrels", "r.tsv"]
    with pytest.raises(BadInput, match="belong together"):
        arguments(type(draft)("t", draft.source, name="a", queries=Path("q.jsonl")))


@pytest.mark.parametrize("name", ["../up", "", " ", ".x", "a/b"])
def test_impossible_names_are_refused(name):
    with pytest.raises(BadInput, match="cannot be the name"):
        arguments(type(new_draft("t", Path("a.csv")))("t", Path("a.csv"), name=name))


def test_a_rebuild_names_its_encoder_or_keeps_it():
    assert rebuild_arguments("a", "hash")[:4] == ["rebuild", "a", "--encoder", "hash"]
    assert "--encoder" not in rebuild_arguments("a", None)
    assert json.dumps(rebuild_arguments("a", None))
