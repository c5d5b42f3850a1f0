"""Field case 43 is here, with its values."""

import pytest

from engine.errors import BadInput
from engine.evaluation.judgments import Qrels, qrels_as_text, queries_as_text, read_beside, read_qrels, read_queries
from engine.types import Query


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_both_layouts_load_with_the_right_grade(tmp_path):
    trec = write(tmp_path, "trec.txt", "q1 0\t007  1\r\nq1\t0 7 0\n")
    beir = write(tmp_path, "beir.tsv", "query-id\tcorpus-id\tscore\nq1\t007\t1.0\nq1\t7\t0\n")
    comma = write(tmp_path, "beir.csv", 'query-id,corpus-id,score\nq1,"a,b",2\n')
    assert dict(read_qrels(trec).of("q1")) == {"007": 1, "7": 0}
    assert dict(read_qrels(beir).of("q1")) == {"007": 1, "7": 0}
    assert dict(read_qrels(comma).of("q1")) == {"a,b": 2}
    assert dict(read_qrels(beir).of("q2")) == {}


@pytest.mark.parametrize(
    "text",
    ["q1\t0 d1\t1\nq1\t0 d2\t0\n", "q1 0\td1\t1\nq1 0\td2\t0\n", "q1\tQ0\td1\t1\nq1\tQ0\td2\t0\n"],
)
def test_mixed_tabs_and_spaces_never_become_part_of_an_id(tmp_path, text):
    # field case 43: as many tabs on every line, and spaces beside them
    assert {query: dict(of) for query, of in read_qrels(write(tmp_path, "q.txt", text)).grades.items()} == {
        "q1": {"d1": 1, "d2": 0}
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("q1 0 d 1.5\n", "line 1: the grade '1.5' is not a whole number"),
        ("q1 d 1\nq1 d high\n", "line 2: the grade 'high'"),
        ("q1 d\nq1 e\n", "holds no judgment|line 2: 2 columns"),
        ("q1 d 1\nq1 d 2\n", "line 2: 'd' has two grades"),
        ("", "holds no judgment"),
    ],
)
def test_what_is_no_judgment_is_refused_with_its_line(tmp_path, text, reason):
    with pytest.raises(BadInput, match=reason):
        read_qrels(write(tmp_path, "qrels.txt", text))


def test_queries_keep_ids_and_put_other_keys_in_the_metadata(tmp_path):
    path = write(tmp_path, "queries.jsonl", '{"_id": "007", "text": "a\u2028b", "kind": "plain", "target": "d1"}\n\n')
    (query,) = read_queries(path)
    assert (query.id, query.text, query.kind, query.metadata["target"]) == ("007", "a\u2028b", "plain", "d1")
    numbers = write(tmp_path, "numbers.jsonl", '{"_id": 1.10, "text": "a", "weight": 0.50}\n{"id": 7, "text": "b"}\n')
    first, second = read_queries(numbers)
    assert (first.id, dict(first.metadata), second.id) == ("1.10", {"weight": 0.5}, "7")
    (tabbed,) = read_queries(write(tmp_path, "queries.tsv", "\ufeff7\tred kite\r\n"))
    assert (tabbed.id, tabbed.text) == ("7", "red kite")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("q.jsonl", '{"_id": "1", "text": "a"}\n{"text": "b"}\n', "line 2 is not a query"),
        ("q.jsonl", "[1]\n", "line 1 is not a query"),
        ("q.jsonl", '{"_id": null, "text": "a"}\n', "line 1 is not a query: its id is empty"),
        ("q.jsonl", '{"_id": " ", "text": "a"}\n', "line 1 is not a query: its id is empty"),
        ("q.jsonl", "[" * 100_000, "line 1 is not a query: nested too deeply"),
        ("q.jsonl", "", "holds no query"),
        ("q.tsv", "no tab\n", "line 1 is not a query"),
        ("q.jsonl", '{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}\n', "'1' comes twice"),
    ],
)
def test_what_is_no_query_is_refused_with_its_line(tmp_path, name, text, reason):
    with pytest.raises(BadInput, match=reason):
        read_queries(write(tmp_path, name, text))


def test_missing_and_undecodable_files_are_said(tmp_path):
    with pytest.raises(BadInput, match="Cannot read"):
        read_qrels(tmp_path / "absent.tsv")
    (tmp_path / "latin.tsv").write_bytes("1\tcafé".encode("latin-1"))
    with pytest.raises(BadInput, match="not UTF-8"):
        read_queries(tmp_path / "latin.tsv")


def test_judgments_and_queries_read_back_as_they_were_written(tmp_path):
    qrels = Qrels({"q 1": {"my file#0001": 2, "my  file#0002": 0}, "q2": {"007": 1}})
    queries = (Query(id="q 1", text="red\tkite", example=True, metadata={"note": "n"}), Query(id="q2", text="x"))
    (tmp_path / "qrels.tsv").write_text(qrels_as_text(qrels), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(queries_as_text(queries), encoding="utf-8")
    kept, grades = read_beside(tmp_path)
    assert kept == queries
    assert {query: dict(of) for query, of in grades.grades.items()} == qrels.grades
    assert read_beside(tmp_path / "absent") == ((), Qrels())


def test_nested_values_of_a_query_are_kept_as_json_text(tmp_path):
    path = write(tmp_path, "q.jsonl", '{"_id": 1, "text": "a", "metadata": {"137": [{"label": "SUPPORT"}], "n": 2}}\n')
    (query,) = read_queries(path)
    assert (query.id, dict(query.metadata)) == ("1", {"137": '[{"label": "SUPPORT"}]', "n": 2})
