from typing import get_args

import pytest

from engine.types import Dropped, Ranking, Stage
from pages.components.ranks import grade_of, initials, move, move_from_pin, removals, taken_out


@pytest.mark.parametrize(
    ("before", "now", "sign", "word"),
    [
        (3, 1, "▲2", "2 places higher than in BM25 (3)"),
        (1, 2, "▼1", "1 place lower than in BM25 (1)"),
        (4, 4, "=", "same place as in BM25"),
        (None, 4, "×", "not retrieved by BM25"),
    ],
)
def test_moves(before, now, sign, word):
    moved = move(before, now, "BM25")
    assert (moved.sign, moved.word) == (sign, word)


def test_a_chunk_that_the_pinned_setup_does_not_show_is_new():
    pinned = Ranking.of("fused", ["a", "b"], [2.0, 1.0])
    assert move_from_pin(pinned, "b", 1).sign == "▲1"
    assert move_from_pin(pinned, "c", 1).sign == "new"


def test_not_judged_is_not_not_relevant():
    grades = {"a": 2, "b": 1, "c": 0}
    assert [grade_of(chunk, grades).fill for chunk in "abcd"] == [1.0, 0.5, 0.0, None]
    assert [grade_of(chunk, grades).sign for chunk in "abcd"] == ["●", "◑", "○", "·"]
    assert grade_of("c", grades).word == "judged not relevant (grade 0)"
    assert grade_of("d", grades).word == "not judged"


def test_a_query_judged_with_zeros_only_has_no_best_grade():
    assert grade_of("a", {"a": 0}).fill == 0.0


def test_signs_rise_with_the_grade():
    # Shares of the best grade, 3: 0, 1/3, 2/3, 1.
    grades = {"a": 0, "b": 1, "c": 2, "d": 3}
    assert "".join(grade_of(chunk, grades).sign for chunk in "abcd") == "○◔◑●"


def test_initials_tell_labels_apart():
    assert initials({"bm25": "BM25", "dense": "Dense"}) == {"bm25": "B", "dense": "D"}
    assert initials({"a": "Dense", "b": "Deep", "c": "Dense"}) == {"a": "Dense", "b": "Dee", "c": "Dense"}


def test_reasons_name_the_limit():
    assert taken_out("threshold", 3.5) == "below the minimum score 3.5"
    assert taken_out("depth", 1000) == "beyond the depth 1,000"
    assert taken_out("filter", None) == "taken out by a filter"
    assert taken_out("rerank depth", 20.0) == "beyond the first 20 reranked"
    assert taken_out("rerank threshold", 0.5) == "below the minimum rerank score 0.5"


@pytest.mark.parametrize("stage", get_args(Stage))
def test_every_stage_has_its_words(stage):
    assert taken_out(stage, None)


def test_what_a_stage_took_out_is_not_called_not_retrieved():
    drops = [Dropped("a", "threshold", "bm25", 2.0, 3.5), Dropped("a", "agreement", None, 0.1, None)]
    reasons = removals([*drops, Dropped("b", "threshold", "bm25", 1.0, 3.5)], {"a"})
    assert reasons == {
        "bm25": {"a": "below the minimum score 3.5"},
        "fused": {"a": "taken out by the agreement rule"},
    }
    assert move(None, 1, "BM25", reasons["bm25"]["a"]).word == "below the minimum score 3.5 in BM25"
