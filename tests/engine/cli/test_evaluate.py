import json
import math

import numpy as np
import pytest

from engine.encoders.hashing import HashEncoder


def test_it_prints_measures_queries_and_the_judged_share(data, tmp_path):
    printed = data("evaluate", "kites", "--measures", "nDCG@10 RR@10", "--channel", "bm25")
    # Grades: 007 has 3, 7 has 1. "kite" stands once in the title of 7 and in title and text of 007: 007 comes first,
    # the ideal order. Where 7 came first it would be (1/log2(2) + 3/log2(3)) / (3/log2(2) + 1/log2(3)) = 0.796708.
    assert [row["chunk_id"] for row in data("search", "kites", "kite")["channels"]["bm25"]] == ["007", "7"]
    assert printed["measures"]["nDCG@10"] == 1.0
    (tmp_path / "qrels.txt").write_text("q1 0 007 1\nq1 0 7 3\n")
    turned = data(
        "evaluate", "kites", "--measures", "nDCG@10", "--channel", "bm25", "--qrels", str(tmp_path / "qrels.txt")
    )
    by_hand = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert turned["measures"]["nDCG@10"] == pytest.approx(by_hand, abs=1e-12)
    assert printed["measures"]["RR@10"] == 1.0
    assert (printed["queries"], printed["judged"]["nDCG@10"], printed["unit"]) == (1, 1.0, "chunks")


def test_files_take_the_place_of_the_kept_judgments(data, tmp_path):
    (tmp_path / "q.tsv").write_text("a\tlamp\nb\tnothing like it\n")
    (tmp_path / "qrels.txt").write_text("a 0 lamp 1\n")
    printed = data(
        *("evaluate", "kites", "--queries", str(tmp_path / "q.tsv"), "--qrels", str(tmp_path / "qrels.txt")),
        *("--measures", "RR@10"),
    )
    assert printed["measures"] == {"RR@10": 1.0}
    assert printed["unjudged_queries"] == 1


def test_the_options_of_a_setup_are_those_of_search(data):
    printed = data("evaluate", "kites", "--fusion", "combmnz", "--normaliser", "rank", "--floor", "bm25=1")
    setup = printed["setup"]
    assert (setup["fusion"], setup["normaliser"], setup["channels"][0]["floor"]) == ("combmnz", "rank", 1.0)


def test_the_text_form_shows_four_decimals(call):
    code, out, _ = call("evaluate", "kites", "--measures", "RR@10")
    assert code == 0
    assert "1.0000" in out
    assert "1 judged queries" in out


def test_faults_are_said(call, tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 ghost 1\n")
    for arguments, reason in (
        (("--channel", "splade"), "no channel 'splade'"),
        (("--channel", "reranked"), "No reranker is named. Name one, such as --rerank english"),
        (("--rerank", "no-such-model"), "The query 'kite': Not reranked"),
        (("--measures", "nDCG@ten"), "Unknown measure 'nDCG@ten'"),
        (("--qrels", str(tmp_path / "absent")), "Cannot read"),
        (("--qrels", str(tmp_path / "qrels.txt")), "0 of 1 judged documents found"),
    ):
        code, _, err = call("evaluate", "kites", *arguments)
        assert code == 2
        assert reason in err


def test_a_query_that_cannot_be_asked_ends_nothing(data, tmp_path):
    # q1 finds its chunk, the two others cannot be asked: RR is 1/3
    (tmp_path / "q.jsonl").write_text(
        "".join(json.dumps({"_id": i, "text": t}) + "\n" for i, t in (("a", "lamp"), ("b", " "), ("c", "x" * 10_001)))
    )
    (tmp_path / "qrels.txt").write_text("a 0 lamp 1\nb 0 lamp 1\nc 0 lamp 1\n")
    files = ("--queries", str(tmp_path / "q.jsonl"), "--qrels", str(tmp_path / "qrels.txt"))
    printed = data("evaluate", "kites", *files, "--measures", "RR@10")
    assert printed["measures"]["RR@10"] == pytest.approx(1 / 3)
    assert set(printed["refused"]) == {"b", "c"}


@pytest.mark.parametrize(("channel", "mean"), [("fused", 1.0), ("dense", 0.5)])
def test_a_query_of_which_the_encoder_knows_no_word_ends_nothing(data, workspace, tmp_path, monkeypatch, channel, mean):
    # what the model knows nothing of has a place in the fusion by BM25 alone, and none in the dense channel
    known = HashEncoder.encode_query
    monkeypatch.setattr(
        HashEncoder,
        "encode_query",
        lambda self, text: np.zeros(256, dtype=np.float32) if text == "I21.9" else known(self, text),
    )
    (tmp_path / "q.tsv").write_text("a\tlight for the desk\nb\tI21.9\n")
    (tmp_path / "qrels.txt").write_text("a 0 lamp 1\nb 0 lamp 1\n")
    files = ("--queries", str(tmp_path / "q.tsv"), "--qrels", str(tmp_path / "qrels.txt"))
    printed = data("evaluate", "kites", *files, "--measures", "RR@10", "--channel", channel)
    assert printed["measures"]["RR@10"] == mean
    assert set(printed["refused"]) == ({"b"} if channel == "dense" else set())


def test_a_channel_that_cannot_answer_is_never_left_out_in_silence(call, workspace):
    (workspace.current("kites") / "dense" / "dense.faiss").unlink()
    code, _, err = call("evaluate", "kites")
    assert (code, "The channel 'dense' cannot answer" in err) == (2, True)
    assert call("evaluate", "kites", "--channel", "bm25")[0] == 0
    assert call("evaluate", "kites", "--weight", "dense=0")[0] == 0


@pytest.mark.model
def test_the_reranked_list_is_measured_where_a_reranker_is_named(data, monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path))
    measured = data("evaluate", "kites", "--measures", "RR@10 R@2", "--rerank", "english", "--rerank-depth", "1")
    assert (measured["channel"], measured["setup"]["rerank"]["depth"]) == ("reranked", 1)
    assert measured["measures"]["R@2"] == 0.5  # one of the two kites is among the first that were reranked


def test_the_fused_list_is_measured_before_the_rerank(data):
    measured = data("evaluate", "kites", "--measures", "R@2", "--channel", "fused", "--rerank", "no-such-model")
    assert (measured["channel"], measured["setup"]["rerank"]["model"]) == ("fused", "")
