import gzip

import pytest

from engine.corpus.readers import json_lines
from engine.corpus.readers.json_lines import open_json_lines
from engine.corpus.records import Record
from engine.errors import BadInput


def rows(source):
    return [
        (row.where, dict(row.values)) if isinstance(row, Record) else (row.where, row.kind)
        for row in open_json_lines(source).rows
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", ["", "end"])
def test_only_a_line_feed_ends_a_record(source, end, final):
    text = end.join(['{"id": "1", "text": "one\u2028two\u2029three\x85four"}', '{"id": "2"}']) + (end if final else "")
    assert rows(source("a.jsonl", text)) == [
        ("line 1", {"id": "1", "text": "one\u2028two\u2029three\x85four"}),
        ("line 2", {"id": "2"}),
    ]


def test_a_carriage_return_alone_ends_nothing(source):
    assert rows(source("a.jsonl", '{"id": "1",\r"text": "x"}\n{"id": "2"}')) == [
        ("line 1", {"id": "1", "text": "x"}),
        ("line 2", {"id": "2"}),
    ]


def test_a_bad_line_is_reported_by_its_true_number_and_the_rest_loads(source):
    text = '{"id": 1}\n\n\n{"id": 2\n[1]\n"x"\n{"id": 5}'
    assert rows(source("a.jsonl", text)) == [
        ("line 1", {"id": 1}),
        ("line 4", "unreadable"),
        ("line 5", "unreadable"),
        ("line 6", "unreadable"),
        ("line 7", {"id": 5}),
    ]


def test_a_field_that_comes_twice_has_its_last_value_and_is_noted(source):
    (row,) = open_json_lines(source("a.jsonl", '{"id": 3, "id": 4}')).rows
    assert (row.values, row.notes) == ({"id": 4}, (("changed value", "the field 'id' comes again; the last is used"),))


def test_the_reason_is_given(source):
    problems = [row.text for row in open_json_lines(source("a.jsonl", '{"id": 2\n[1]\n')).rows]
    assert problems == [
        "not valid JSON: Expecting ',' delimiter (line 2, character 1)",
        "a JSON list, not an object with fields",
    ]


def test_a_line_with_undecodable_bytes_is_left_out_or_marked(source):
    content = b'{"id": "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"}\n{"id": "a\xff"}\n'
    assert rows(source("a.jsonl", content)) == [("line 1", {"id": "éééé"}), ("line 2", "undecodable")]
    _, second = open_json_lines(source("a.jsonl", content, errors="replace")).rows
    assert second.values == {"id": "a\ufffd"}
    assert second.notes == (("undecodable", "byte 0xFF is no text; marked with U+FFFD"),)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig"])
def test_other_encodings_are_read(source, encoding):
    text = '{"id": "é", "text": "l\'été à Noël"}\n{"id": "ê"}\n'
    assert [row[1]["id"] for row in rows(source("a.jsonl", text.encode(encoding)))] == ["é", "ê"]


def test_gzip_is_read_and_a_broken_one_refused(source):
    packed = gzip.compress(b'{"id": "a"}\n' * 3)
    assert len(rows(source("a.jsonl.gz", packed))) == 3
    with pytest.raises(BadInput, match=r"a.jsonl.gz cannot be read as text"):
        rows(source("a.jsonl.gz", packed[:-6]))
    with pytest.raises(BadInput, match=r"b.jsonl.gz cannot be read as text: Not a gzipped file"):
        rows(source("b.jsonl.gz", b"hello"))


def test_a_line_without_end_is_refused(source, monkeypatch):
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 100)
    with pytest.raises(BadInput, match="line 2 is longer than 100 characters"):
        rows(source("a.jsonl", '{"id": 1}\n{"id": "' + "x" * 200 + '"}'))


def test_nesting_without_end_costs_one_line(source):
    text = '{"id": 1}\n' + "[" * 100_000 + '\n{"id": 2}'
    assert rows(source("a.jsonl", text)) == [("line 1", {"id": 1}), ("line 2", "unreadable"), ("line 3", {"id": 2})]
