import pytest

from engine.types import Setup
from pages.components.narrowing import highest_fused


def test_a_channel_that_cannot_answer_adds_nothing_to_the_highest_score():
    # Weights of 1 and k = 60: 1/61 from BM25 alone, 2/61 from both.
    assert highest_fused(Setup(), ["bm25"]) == pytest.approx(1 / 61)
    assert highest_fused(Setup(), ["bm25", "dense"]) == pytest.approx(2 / 61)
