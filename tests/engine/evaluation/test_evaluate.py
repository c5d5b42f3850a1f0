"""Field cases 39, 40 and 42 are here as far as they concern one evaluation, with their values."""

import math

import pytest

from engine.corpus.corpus import Corpus
from engine.errors import BadInput
from engine.evaluation.evaluate import evaluate, parse_measures
from engine.evaluation.judgments import Qrels
from engine.types import Chunk, ChunkLocation, Query, Ranking


def corpus(*ids):
    return Corpus(Chunk(id=i, text=i) for i in ids)


def answering(answers):
    return lambda query: Ranking.of("fused", answers[query], [1.0] * len(answers[query]))


def ordered(answers):
    return lambda query: Ranking.of("fused", answers[query], [float(-row) for row in range(len(answers[query]))])


def queries(*ids):
    return [Query(id=i, text=i) for i in ids]


def test_gain_is_linear_and_its_sum_is_worked_out():
    # [b, a, c] with grades 1, 3, 0: (1/log2(2) + 3/log2(3)) / (3/log2(2) + 1/log2(3))
    report = evaluate(
        ordered({"q": ["b", "a", "c"]}),
        corpus("a", "b", "c"),
        queries("q"),
        Qrels({"q": {"a": 3, "b": 1, "c": 0}}),
        measures="nDCG@10",
    )
    by_hand = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert report.measures["nDCG@10"] == pytest.approx(by_hand, abs=1e-12)
    assert round(report.measures["nDCG@10"], 6) == 0.796708


def test_equal_scores_are_measured_in_the_order_shown():
    report = evaluate(
        answering({"q": ["b", "a"]}), corpus("a", "b"), queries("q"), Qrels({"q": {"a": 1}}), measures="RR nDCG"
    )
    assert report.measures == {"RR": 1.0, "nDCG": 1.0}


def test_queries_without_results_count_zero_and_unjudged_ones_are_left_out():
    answers = {"q1": ["a", "x"], "q2": ["x", "a"], "q3": ["x", "y"], "q4": [], "q5": ["a"]}
    qrels = Qrels({f"q{n}": {"a": 1} for n in range(1, 5)})
    report = evaluate(ordered(answers), corpus("a", "x", "y"), queries(*answers), qrels, measures="RR@10")
    assert report.measures["RR@10"] == 1.5 / 4
    assert (report.queries, report.without_results, report.unjudged_queries) == (4, 1, 1)
    assert report.per_query["q4"] == {"RR@10": 0.0}
    # judged share: one of two, one of two, none of two, nothing shown counts as 1
    assert report.judged["RR@10"] == (0.5 + 0.5 + 0 + 1) / 4


def test_a_query_that_cannot_be_asked_counts_zero_and_is_named():
    def rank(text):
        if text == "q2":
            raise BadInput("The query is empty.", "Type a query.")
        return Ranking.of("fused", ["a"], [1.0])

    qrels = Qrels({"q1": {"a": 1}, "q2": {"a": 1}})
    report = evaluate(rank, corpus("a"), queries("q1", "q2"), qrels, measures="RR@10")
    # RR of q1 is 1, of q2 0: their mean is 0.5
    assert report.measures == {"RR@10": 0.5}
    assert (report.queries, report.without_results) == (2, 1)
    assert dict(report.refused) == {"q2": "The query is empty. Type a query."}
    assert "1 without results count 0, 1 of them cannot be asked: q2 (The query is empty. Type" in report.sentence()
    with pytest.raises(BadInput, match="query is empty"):
        evaluate(rank, corpus("a"), queries("q2"), qrels)


def test_a_document_ranks_by_its_best_chunk_where_the_judgments_name_documents():
    chunks = [Chunk(id=f"{d}#{n}", text=d, location=ChunkLocation(document_id=d)) for d in "xy" for n in (1, 2)]
    report = evaluate(
        ordered({"q": ["y#2", "y#1", "x#1"]}), Corpus(chunks), queries("q"), Qrels({"q": {"x": 1}}), measures="RR"
    )
    assert report.unit == "documents"
    assert report.measures["RR"] == 0.5


def test_judgments_that_meet_nothing_give_no_score():
    with pytest.raises(BadInput, match="0 of 2 judged documents found"):
        evaluate(ordered({"q": ["7"]}), corpus("1"), queries("q"), Qrels({"q": {"007": 1, "7": 1}}))
    with pytest.raises(BadInput, match="None of the queries has a judgment"):
        evaluate(ordered({"q": ["1"]}), corpus("1"), queries("q"), Qrels({"other": {"1": 1}}))


@pytest.mark.parametrize("names", ["nDCG@ten", "import os", "", "P"])
def test_unknown_measures_are_refused(names):
    with pytest.raises(BadInput, match="measure"):
        parse_measures(names)


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR@10", "ERR_IA@10", "RBP(p=0.8)"])
def test_measures_that_cannot_be_computed_here_are_refused(name):
    with pytest.raises(BadInput, match="cannot be computed here"):
        parse_measures(f"AP {name}")


@pytest.mark.parametrize("name", ["nDCG@10", "R@100", "RR@10", "RR", "AP", "P@5", "Judged@10", "Bpref", "Success@5"])
def test_every_measure_that_is_taken_can_be_computed(name):
    report = evaluate(ordered({"q": ["a"]}), corpus("a"), queries("q"), Qrels({"q": {"a": 1}}), measures=name)
    assert set(report.measures) == {name}
