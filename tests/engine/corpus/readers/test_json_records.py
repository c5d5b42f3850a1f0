import json

import pytest

from engine.corpus.readers.json_records import open_json
from engine.corpus.records import Record
from engine.errors import BadInput


def rows(source):
    return [dict(row.values) if isinstance(row, Record) else (row.where, row.kind) for row in open_json(source).rows]


A, B = {"id": "a", "text": "x"}, {"id": "b", "text": "y"}


@pytest.mark.parametrize(
    "content",
    [
        [A, B],
        {"data": [A, B]},
        {"version": 1, "tags": ["x"], "documents": [A, B]},
        {"response": {"count": 2, "hits": [A, B]}},
        {"corpus": [A, B], "queries": [{"q": 1}]},
        {"anything": [A, B]},
    ],
)
def test_the_array_of_records_is_found(source, content):
    assert rows(source("a.json", json.dumps(content, indent=2))) == [A, B]


def test_a_single_object_is_one_record(source):
    single = {"content": "x", "entities": [], "relations": [{"to": "y"}], "n": 1}
    assert rows(source("a.json", json.dumps(single))) == [single]
    assert rows(source("b.json", '{"name": "x", "n": 1}')) == [{"name": "x", "n": 1}]


def test_an_empty_array_has_no_rows(source):
    assert rows(source("a.json", "[]")) == []
    assert rows(source("b.json", '{"chunks": []}')) == []


def test_json_lines_under_this_ending_are_read_as_such(source):
    assert rows(source("a.json", '{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n')) == [A, B]


def test_a_field_that_comes_twice_costs_no_other_row(source):
    first, second = open_json(source("a.json", '[{"id": 1, "id": 2}, {"id": 3}]')).rows
    assert (first.values, [kind for kind, _ in first.notes]) == ({"id": 2}, ["changed value"])
    assert second.notes == ()


def test_an_element_that_is_no_object_is_a_problem_of_its_own(source):
    assert rows(source("a.json", json.dumps([A, 5, None, B]))) == [
        A,
        ("row 2", "unreadable"),
        ("row 3", "unreadable"),
        B,
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('[{"id": 1}, {"id": ]', r"not valid JSON: Expecting value \(character 20\)"),
        ('[\n{"id": 1},\n{"id" 2}]', "line 3, character 7"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("5", "holds no array of records"),
        ('{"a": {"b": 1}}', "holds no array of records"),
        ('{"x": [{"a": 1}], "y": [{"a": 1}]}', "several arrays of records: x, y"),
    ],
)
def test_a_file_without_records_is_refused_with_the_reason(source, content, why):
    with pytest.raises(BadInput, match=why):
        rows(source("a.json", content))


def test_the_head_of_a_large_file_is_enough_for_a_preview(source):
    records = [{"id": str(row), "text": "x" * 5_000} for row in range(500)]
    for content in (records, {"version": 1, "data": records}):
        assert rows(source("a.json", json.dumps(content, indent=1), head_only=True)) == records[:100]


def test_a_head_in_which_no_record_is_found_is_read_whole(source):
    content = {"version": "[ {", "data": [{"id": "a", "text": "x" * (2 << 20)}]}
    assert rows(source("a.json", json.dumps(content), head_only=True)) == content["data"]


def test_a_first_record_longer_than_the_head_is_read_whole(source):
    record = {"id": "a", "text": "x" * (2 << 20)}
    assert rows(source("a.json", json.dumps([record]), head_only=True)) == [record]
