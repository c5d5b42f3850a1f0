import csv
import io
import json

from engine.corpus.corpus import Corpus
from engine.fusion.rrf import fuse_rrf
from engine.types import Chunk, Ranking, Setup, Trace
from pages.components.exports import as_csv, as_json

CORPUS = Corpus([Chunk(id="007", title="t,1", text='a "quoted"\nline'), Chunk(id="NA", text="b"), Chunk(id="1.0")])


def run():
    channels = {"bm25": Ranking.of("bm25", ["007", "NA"], [2.0, 1.0]), "dense": Ranking.of("dense", ["NA"], [0.5])}
    fused = fuse_rrf(channels, {"bm25": 1.0, "dense": 1.0}, 60)
    return Trace("q", Setup(), channels, fused, fused)


def test_csv_keeps_ids_as_text_and_absence_empty():
    rows = list(csv.DictReader(io.StringIO(as_csv(run(), CORPUS, {"NA": 1}).decode("utf-8-sig"))))
    assert [row["id"] for row in rows] == ["NA", "007"]
    assert rows[1]["dense_rank"] == ""
    assert rows[1]["grade"] == ""
    assert rows[1]["text"] == 'a "quoted"\nline'
    # NA: second in BM25, first in dense: 1/62 + 1/61.
    assert float(rows[0]["fused_score"]) == 1 / 62 + 1 / 61


def test_json_holds_null_and_the_setup():
    record = json.loads(as_json(run(), CORPUS, "demo"))
    assert record["results"][1]["dense_rank"] is None
    assert Setup.model_validate(record["setup"]) == Setup()
    assert record["fingerprint"] == CORPUS.fingerprint


def test_no_results_still_make_a_file():
    empty = Ranking.of("bm25", [], [])
    trace = Trace("q", Setup(), {"bm25": empty}, empty, empty)
    assert as_csv(trace, CORPUS).decode("utf-8-sig").strip() == "rank,id"
    assert json.loads(as_json(trace, CORPUS, "demo"))["results"] == []
