import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi, BM25Plus

from engine.channels.bm25_formulas import (
    FORMULAS,
    Idf,
    Statistics,
    average_okapi_idf,
    gains,
    length_factors,
    raw_okapi_idf,
)


def test_okapi_idf_by_hand():
    # N = 6, document frequencies 1, 2, 5: ln(5.5/1.5) = 1.299283, ln(4.5/2.5) = 0.587787, ln(1.5/5.5) = -1.299283;
    # their mean is 0.587787 / 3 = 0.195929, a quarter of it 0.048982
    average = average_okapi_idf(6, np.array([1, 2, 5]))
    assert average == pytest.approx(0.195929, abs=1e-6)
    statistics = Statistics(6, average)
    assert FORMULAS["okapi"].idf(1, statistics).value == pytest.approx(1.299283, abs=1e-6)
    assert not FORMULAS["okapi"].idf(2, statistics).floored
    floored = FORMULAS["okapi"].idf(5, statistics)
    assert floored.floored
    assert floored.value == pytest.approx(0.048982, abs=1e-6)


def test_okapi_idf_is_zero_in_half_of_the_chunks_and_not_floored():
    assert FORMULAS["okapi"].idf(2, Statistics(4, 0.7)) == Idf(0.0, floored=False)


def test_plus_and_lucene_idf_by_hand():
    # N = 6, n = 2: ln(7/2) = 1.252763; ln(1 + 4.5/2.5) = ln 2.8 = 1.029619
    assert FORMULAS["plus"].idf(2, Statistics(6, 0.0)).value == pytest.approx(1.252763, abs=1e-6)
    assert FORMULAS["lucene"].idf(2, Statistics(6, 0.0)).value == pytest.approx(1.029619, abs=1e-6)
    assert {name: formula.delta for name, formula in FORMULAS.items()} == {"okapi": 0, "plus": 1, "lucene": 0}


def test_gain_by_hand():
    # tf 2, length 3, average 2, k1 1.5, b 0.75: factor 0.25 + 0.75 x 1.5 = 1.375; 2 x 2.5 / (2 + 2.0625) = 1.230769
    factors = length_factors(np.array([3, 0]), 2.0, 0.75)
    assert factors.tolist() == [1.375, 0.25]
    assert gains(np.array([2]), factors[:1], 1.5)[0] == pytest.approx(1.230769, abs=1e-6)


def test_k1_zero_counts_a_term_once_and_b_zero_ignores_the_length():
    assert gains(np.array([1, 7]), np.array([0.4, 3.0]), 0.0).tolist() == [1.0, 1.0]
    assert length_factors(np.array([1, 900]), 10.0, 0.0).tolist() == [1.0, 1.0]


def test_no_lengths_and_no_terms_divide_by_nothing():
    assert length_factors(np.array([0]), 0.0, 0.75).tolist() == [0.25]
    assert average_okapi_idf(3, np.array([], dtype=np.int64)) == 0.0


@given(st.lists(st.integers(1, 40), min_size=1, max_size=50), st.randoms(use_true_random=False))
def test_average_has_the_same_bits_in_any_order(frequencies: list[int], shuffler: random.Random):
    shuffled = list(frequencies)
    shuffler.shuffle(shuffled)
    average = average_okapi_idf(40, np.array(frequencies))
    assert average_okapi_idf(40, np.array(shuffled)) == average
    plain = sum(raw_okapi_idf(40, n) for n in frequencies) / len(frequencies)
    assert average == pytest.approx(plain, abs=1e-12)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), min_size=1, max_size=12).filter(any))
def test_idf_is_that_of_rank_bm25(token_lists: list[list[str]]):
    frequencies = {term: sum(term in tokens for tokens in token_lists) for term in set().union(*token_lists)}
    chunks = len(token_lists)
    statistics = Statistics(chunks, average_okapi_idf(chunks, np.array(list(frequencies.values()))))
    okapi, plus = BM25Okapi(token_lists), BM25Plus(token_lists)
    for term, n in frequencies.items():
        assert math.isclose(FORMULAS["okapi"].idf(n, statistics).value, okapi.idf[term], abs_tol=1e-12)
        assert math.isclose(FORMULAS["plus"].idf(n, statistics).value, plus.idf[term], abs_tol=1e-12)
