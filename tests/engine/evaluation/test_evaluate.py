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
