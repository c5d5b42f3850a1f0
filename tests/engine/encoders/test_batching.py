import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.encoders.batching import encode_batches, length_batches, slices
from engine.types import no_progress


def test_batches_are_filled_longest_first_up_to_the_budget():
    # Lengths 5, 4, 3, 3, 1 with a budget of 10: 5+4 pads to 2 * 5 = 10, then 3+3+1 pads to 3 * 3 = 9.
    assert length_batches([3, 5, 1, 4, 3], budget=10) == [[1, 3], [0, 4, 2]]


def test_a_text_beyond_the_budget_is_a_batch_of_its_own():
    assert length_batches([50, 2], budget=10) == [[0], [1]]


def test_no_texts_give_no_batches():
    assert length_batches([]) == []


@given(st.lists(st.integers(min_value=0, max_value=60)), st.integers(min_value=1, max_value=100))
def test_every_row_is_in_one_batch_and_none_is_over_the_budget(lengths, budget):
    batches = length_batches(lengths, budget)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget for batch in batches)


def test_vectors_come_back_in_the_order_of_the_rows():
    batches = [[2, 0], [1]]
    vectors = encode_batches(batches, lambda rows: np.array([[row, -row] for row in rows]), 2, no_progress)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0, 0], [1, -1], [2, -2]]


def test_progress_counts_texts_and_ends_at_their_number():
    seen = []
    encode_batches([[2, 0], [1]], lambda rows: np.zeros((len(rows), 1)), 1, lambda *step: seen.append(step))
    assert seen == [("embedding", 2, 3), ("embedding", 3, 3)]


def test_an_exception_from_progress_cancels_what_has_not_begun():
    encoded = []

    def encode(rows):
        time.sleep(0.01)
        encoded.extend(rows)
        return np.zeros((len(rows), 1))

    def cancel(stage, done, total):
        raise InterruptedError("stopped")

    with pytest.raises(InterruptedError, match="stopped"):
        encode_batches([[row] for row in range(3_000)], encode, 1, cancel)
    assert len(encoded) < 3_000


def test_slices_hold_every_text_once_in_order():
    assert [list(part) for part in slices(["a", "b", "c", "d", "e"], 2)] == [["a", "b"], ["c", "d"], ["e"]]
    assert list(slices([])) == []
