import csv
import io
import json

from engine.export.results import hits_as_rows, rows_as_csv, trace_as_data
from engine.types import Filter, Setup


def test_a_trace_is_plain_data_with_what_does_not_exist_as_none(kites):
    trace = kites.search.run("lamp", Setup())
    data = json.loads(json.dumps(trace_as_data(trace, kites.corpus), allow_nan=False))
    assert data["query"] == "lamp"
    assert Setup.model_validate(data["setup"]) == Setup()
    assert [hit["rank"] for hit in data["hits"]] == [1, 2, 3]
    first, *others = data["hits"]
    assert first["chunk_id"] == "lamp"
    assert first["channels"]["bm25"]["rank"] == 1
    assert {hit["channels"]["bm25"]["score"] for hit in others} == {None}
    assert {hit["channels"]["bm25"]["contribution"] for hit in others} == {0.0}
    for hit in data["hits"]:
        assert abs(sum(channel["contribution"] for channel in hit["channels"].values()) - hit["score"]) < 1e-12
    assert [row["chunk_id"] for row in data["channels"]["bm25"]] == ["lamp"]
    assert {"total", "bm25", "dense", "fusion"} <= set(data["timings_ms"])


def test_what_a_stage_took_out_is_listed(kites):
    trace = kites.search.run("kite", Setup(filters=(Filter(field="metadata.year", values=("2021",)),)))
    dropped = trace_as_data(trace, kites.corpus)["dropped"]
    assert {"chunk_id": "7", "stage": "filter", "channel": "bm25"}.items() <= dropped[0].items()


def test_terms_stand_beside_the_bm25_score_and_add_up(kites):
    trace = kites.search.run("red kite", Setup())
    data = trace_as_data(trace, kites.corpus, kites.terms(trace))
    first = data["hits"][0]["channels"]["bm25"]
    assert [term["term"] for term in first["terms"]] == ["red", "kite"]
    assert abs(sum(term["contribution"] for term in first["terms"]) - first["score"]) < 1e-9
    assert "terms" not in data["hits"][0]["channels"]["dense"]


def test_csv_keeps_ids_exactly_and_defuses_formulas(kites):
    rows = hits_as_rows(kites.search.run("kite lamp", Setup()), kites.corpus)
    read = list(csv.DictReader(io.StringIO(rows_as_csv(rows), newline="")))
    assert {row["chunk_id"] for row in read} == {"007", "7", "lamp"}
    assert {row["title"] for row in read} == {"Red kite", "Blue kite", "'=Lamp"}
    assert list(read[0])[:4] == ["rank", "chunk_id", "title", "score"]
    assert rows_as_csv([]) == ""


def test_one_rule_holds_for_ids_and_texts_and_none_where_programs_read():
    told = {
        "=cmd|x": "'=cmd|x",
        "-5": "-5",
        "+1.5": "+1.5",
        "-2+3": "'-2+3",
        "- item": "'- item",
        "@x": "'@x",
        "007": "007",
    }
    rows = [{"chunk_id": text, "document_id": text, "text": text} for text in told]
    read = list(csv.DictReader(io.StringIO(rows_as_csv(rows), newline="")))
    assert [list(row.values()) for row in read] == [[harmless] * 3 for harmless in told.values()]
    assert list(csv.DictReader(io.StringIO(rows_as_csv(rows, exact=True), newline=""))) == rows


def test_a_grade_stands_beside_each_result_and_is_none_where_nobody_judged(kites):
    trace = kites.search.run("kite", Setup())
    grades = {"007": 3, "7": 0}
    assert {row["chunk_id"]: row["grade"] for row in hits_as_rows(trace, kites.corpus, grades)} == {
        "007": 3,
        "7": 0,
        "lamp": None,
    }
    hits = trace_as_data(trace, kites.corpus, grades=grades)["hits"]
    assert {hit["chunk_id"]: hit["grade"] for hit in hits} == {"007": 3, "7": 0, "lamp": None}
    assert "grade" not in hits_as_rows(trace, kites.corpus)[0]
    assert list(hits_as_rows(trace, kites.corpus, grades)[0])[-2:] == ["grade", "text"]
