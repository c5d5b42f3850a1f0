import csv
import io
import json

import numpy as np
import pytest

from engine.export.results import hits_as_rows, rows_as_csv, trace_as_data
from engine.pipelines.hybrid import HybridSearch
from engine.types import Filter, RerankSetup, Setup


class Short:
    """A reranker that prefers short texts."""

    name, fingerprint, languages, gives = "short", "short 1", None, "logit"

    def scores(self, query, texts):
        return np.array([5.0 - len(text) / 10 for text in texts])


def reranked(kites, **knobs):
    search = HybridSearch(kites.corpus, kites.search.channels, load_reranker=lambda name: Short())
    return search.run("kite", Setup(rerank=RerankSetup(model="short", **knobs)))


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


def test_a_rerank_is_told_with_the_ranks_before_and_after(kites):
    trace = reranked(kites, depth=2)
    data = json.loads(json.dumps(trace_as_data(trace, kites.corpus), allow_nan=False))
    assert len(data["reranked"]) == 2
    for row, hit in zip(data["reranked"], data["hits"], strict=True):
        told = hit["rerank"]
        assert row == {"chunk_id": hit["chunk_id"], "score": hit["score"], **told}
        assert told["rank"] == hit["rank"]
        assert told["rank_before"] == trace.before_rerank.rank(hit["chunk_id"]) == hit["fused"]["rank"]
        assert told["probability"] == pytest.approx(1 / (1 + np.exp(-told["logit"])))
        assert hit["score"] == told["probability"]
        added = sum(channel["contribution"] for channel in hit["channels"].values())
        assert added == pytest.approx(hit["fused"]["score"])
    (drop,) = (each for each in data["dropped"] if each["stage"] == "rerank depth")
    assert (drop["value"], drop["limit"]) == (3.0, 2.0)


def test_without_a_rerank_there_is_none(kites):
    data = trace_as_data(kites.search.run("kite", Setup()), kites.corpus)
    assert data["reranked"] is None
    assert {hit["rerank"] for hit in data["hits"]} == {None}
    assert not any(
        key.startswith(("rerank", "fused")) for key in hits_as_rows(kites.search.run("kite", Setup()), kites.corpus)[0]
    )


def test_a_rerank_has_columns_of_its_own(kites):
    rows = hits_as_rows(reranked(kites, blend=0.5), kites.corpus)
    for row in rows:
        assert row["bm25_contribution"] + row["dense_contribution"] == pytest.approx(row["fused_score"])
        assert row["score"] == pytest.approx(0.5 / (60 + row["rerank_rank_before"]) + 0.5 / (60 + by_logit(rows, row)))
        assert list(row)[-1] == "text"


def by_logit(rows, row):
    return 1 + sum(other["rerank_logit"] > row["rerank_logit"] for other in rows)
