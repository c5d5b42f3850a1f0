"""What the built-in collections promise, proved with the shipped models."""

import json
import re
import unicodedata
from itertools import combinations

import pytest

from engine.store.demo import demo_collections
from engine.types import Setup

SIZES = {"field-guide": 120, "codage-pmsi": 150, "maternidad": 80, "luat-lao-dong": 80}
KINDS = ("bm25-only", "dense-only", "fusion-only")

pytestmark = pytest.mark.model


@pytest.fixture(params=SIZES)
def collection(request, demo):
    return demo(request.param)


def words(chunk):
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFC", f"{chunk.title} {chunk.text}").lower()))


def test_every_promised_collection_is_there():
    assert {collection.name for collection, _ in demo_collections()} == set(SIZES)


def test_it_is_large_enough_and_judged_enough(collection):
    assert len(collection.corpus) >= SIZES[collection.name]
    assert len(collection.queries) >= 25
    assert {query.id for query in collection.queries} == set(collection.qrels.grades)
    assert collection.qrels.judged_ids() <= set(collection.corpus.ids)
    assert {grade for grades in collection.qrels.grades.values() for grade in grades.values()} <= {0, 1, 2, 3}


def test_no_two_chunks_share_more_than_four_fifths_of_their_words(collection):
    bags = [(chunk.id, words(chunk)) for chunk in collection.corpus]
    alike = [(one, other) for (one, a), (other, b) in combinations(bags, 2) if len(a & b) > 0.8 * min(len(a), len(b))]
    assert alike == []


def test_the_top_ten_of_both_channels_are_judged(collection):
    unjudged = {}
    for query in collection.queries:
        trace = collection.search.run(query.text, Setup())
        shown = {i for ranking in trace.channels.values() for i in ranking.ids[:10]}
        if missing := shown - set(collection.qrels.of(query.id)):
            unjudged[query.id] = sorted(missing)
    assert unjudged == {}


@pytest.mark.parametrize("kind", KINDS)
def test_at_least_three_queries_show_each_kind(collection, kind):
    shown = [query for query in collection.queries if query.kind == kind]
    assert len(shown) >= 3
    assert [query.id for query in shown if not is_of_kind(collection, query, kind)] == []


def is_of_kind(collection, query, kind):
    target = query.metadata["target"]
    assert collection.qrels.of(query.id)[target] >= 2
    trace = collection.search.run(query.text, Setup())
    places = {name: collection.search.place(query.text, target, name, Setup())[0] for name in ("bm25", "dense")}
    bm25, dense = (place.rank if place else float("inf") for place in places.values())
    fused = trace.final.rank(target) or float("inf")
    return {
        "bm25-only": bm25 <= 3 and dense > 20,
        "dense-only": dense <= 3 and bm25 > 20,
        "fusion-only": bm25 > 3 and dense > 3 and fused <= 3,
    }[kind]


def test_examples_show_each_kind_and_the_readme_names_those_that_do(collection):
    folder = next(folder for one, folder in demo_collections() if one.name == collection.name)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "demonstration" in readme
    examples = [query for query in collection.queries if query.example]
    assert set(KINDS) <= {query.kind for query in examples}
    for query in examples:
        assert query.kind not in KINDS or query.text in readme


def test_the_coding_files_have_the_layout_of_a_referential():
    folder = next(folder for one, folder in demo_collections() if one.name == "codage-pmsi")
    names = sorted(path.name for path in folder.glob("*_chunks.json"))
    assert names == ["ccam_2025_chunks.json", "cim10_2026_chunks.json", "guide_mco_2026_chunks.json"]
    assert all(isinstance(json.loads((folder / name).read_text(encoding="utf-8")), list) for name in names)
