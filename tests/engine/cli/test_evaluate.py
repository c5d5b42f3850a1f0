import math

import pytest


def test_it_prints_measures_queries_and_the_judged_share(data):
    printed = data("evaluate", "kites", "--measures", "nDCG@10 RR@10", "--channel", "bm25")
    # BM25 finds both kites; 007 has grade 3, 7 grade 1: the ideal order gives 1, the other one (1 + 3/log2(3)) / ideal
    ideal = 3 + 1 / math.log2(3)
    assert printed["measures"]["nDCG@10"] in (1.0, (1 + 3 / math.log2(3)) / ideal)
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
