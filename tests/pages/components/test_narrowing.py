import numpy as np

from engine.types import Ranking, Setup, Trace
from pages.components.narrowing import _highest


def run(setup, *names):
    nothing = Ranking("fused", (), np.empty(0))
    return Trace("q", setup, {name: Ranking.of(name, ["a"], [7.0]) for name in names}, nothing, nothing)


def test_a_channel_that_cannot_answer_adds_nothing_to_the_highest_score():
    # Weights of 1 and k = 60: 1/61 from BM25 alone, 2/61 from both; as a sum of min-max scores 2 from both
    assert _highest(Setup(), run(Setup(), "bm25")) == " Highest possible: 0.0163934."
    assert _highest(Setup(), run(Setup(), "bm25", "dense")) == " Highest possible: 0.0327869."
    summed = Setup(fusion="wsum")
    assert _highest(summed, run(summed, "bm25", "dense")) == " Highest possible: 2."


def test_without_a_run_no_highest_score_is_claimed():
    assert _highest(Setup(), None) == ""
