import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rank_bm25 import BM25, BM25Okapi, BM25Plus

from engine.channels.bm25_index import Bm25Index
from engine.text.analysers import Token
from engine.types import Bm25Setup, Floats, Variant

VARIANTS: tuple[Variant, ...] = ("okapi", "plus", "lucene")

words = st.sampled_from([f"w{number}" for number in range(12)])
term_lists = st.lists(st.none() | st.lists(words, max_size=12), min_size=1, max_size=20).filter(lambda c: any(c))
accented = st.sampled_from([("à", "a"), ("á", "a"), ("a", "a"), ("e", "e"), ("é", "e"), ("o", "o")])
form_lists = st.lists(st.none() | st.lists(accented, max_size=8), min_size=1, max_size=12).filter(lambda c: any(c))
k1s, bs = st.floats(0.01, 10), st.floats(0, 0.99)


def plain(terms: Sequence[str]) -> list[tuple[str, str]]:
    return [(term, term) for term in terms]


def peer(variant: Variant, lists: Sequence[Sequence[str]], k1: float, b: float) -> BM25:
    return {"okapi": BM25Okapi, "plus": BM25Plus, "lucene": Lucene}[variant](lists, k1=k1, b=b)


class Lucene:
    """The sum of idf x tf x (k1 + 1) / (tf + k1 x (1 - b + b x length / average)), word by word."""

    def __init__(self, lists: Sequence[Sequence[str]], k1: float, b: float) -> None:
        self.lists, self.k1, self.b = lists, k1, b

    def get_scores(self, query: Sequence[str]) -> list[float]:
        average = sum(len(terms) for terms in self.lists) / len(self.lists)
        scores = []
        for terms in self.lists:
            score = 0.0
            for word in query:
                n = sum(word in other for other in self.lists)
                idf = math.log(1 + (len(self.lists) - n + 0.5) / (n + 0.5))
                tf = terms.count(word)
                denominator = tf + self.k1 * (1 - self.b + self.b * len(terms) / average)
                score += idf * tf * (self.k1 + 1) / denominator if tf else 0.0
            scores.append(score)
        return scores


def spread(scores: Sequence[float], lists: Sequence[object]) -> list[float]:
    """Scores of the chunks that are not blank, with 0 for the blank ones in between."""
    left = iter(scores)
    return [0.0 if terms is None else float(next(left)) for terms in lists]


def test_scores_by_hand():
    # N = 3, lengths 2, 1, 3, average 2, k1 1.5, b 0.75; "b" is in one chunk, twice, of length 3
    # idf = ln(2.5/1.5) = 0.510826; gain = 2 x 2.5 / (2 + 1.5 x (0.25 + 0.75 x 3/2)) = 5 / 4.0625 = 1.230769
    index = Bm25Index.of_terms([["a", "c"], ["c"], ["b", "b", "a"]])
    okapi = index.scores(plain(["b"]), Bm25Setup())
    assert okapi.tolist() == pytest.approx([0, 0, 0.510826 * 1.230769], abs=1e-6)
    assert okapi.dtype == np.float64
    # ln(4/1) = 1.386294, for absent terms too; 1.386294 x 2.230769 = 3.092503
    plus = index.scores(plain(["b"]), Bm25Setup(variant="plus"))
    assert plus.tolist() == pytest.approx([1.386294, 1.386294, 3.092503], abs=1e-6)
    # ln(1 + 2.5/1.5) = 0.980829
    lucene = index.scores(plain(["b"]), Bm25Setup(variant="lucene"))
    assert lucene.tolist() == pytest.approx([0, 0, 0.980829 * 1.230769], abs=1e-6)


def test_built_from_tokens():
    tokens = [Token("señal", "senal", 0, 5, "word"), Token("kite", "kite", 6, 10, "word")]
    index = Bm25Index.build([tokens, None, ()])
    assert index.matches([("señal", "senal")]).tolist() == [True, False, False]
    assert index.matches([("senal", "senal")]).tolist() == [True, False, False]
    assert index.matches([("senal", "senal")], forms=("exact",)).tolist() == [False, False, False]


def test_matched_is_sharing_a_term_not_scoring():
    index = Bm25Index.of_terms([["red", "kite"], ["blue", "kite"], ["green", "lamp"], ["grey", "lamp"]])
    assert index.scores(plain(["kite"]), Bm25Setup()).tolist() == [0, 0, 0, 0]
    assert index.matches(plain(["kite"])).tolist() == [True, True, False, False]
    rows, scores = index.best(plain(["kite"]), Bm25Setup(), 10, order=np.arange(4))
    assert (rows.tolist(), scores.tolist()) == ([0, 1], [0.0, 0.0])


def test_negative_scores_are_returned():
    # "a" in all three chunks: ln(0.5/3.5) = -1.945910, the average of the vocabulary, and a quarter of it is -0.486478
    index = Bm25Index.of_terms([["a"], ["a"], ["a"], None])
    rows, scores = index.best(plain(["a"]), Bm25Setup(), 2, order=np.array([5, 3, 4, 0]))
    assert rows.tolist() == [1, 2]
    assert scores.tolist() == pytest.approx([-0.486478, -0.486478], abs=1e-6)


def test_most_may_be_none_or_more_than_there_are():
    index = Bm25Index.of_terms([["a"], ["b"], []])
    found = [len(index.best(plain(["a"]), Bm25Setup(), most, order=np.arange(3))[0]) for most in (0, 1, 3, 10_000)]
    assert found == [0, 1, 1, 1]


def test_two_spaces_by_hand():
    # N = 5, all of length 1. "à" exact in 1 chunk: ln(4.5/1.5) = 1.098612; folded "a" in 2: ln(3.5/2.5) = 0.336472.
    index = Bm25Index.of_forms([[("à", "a")], [("a", "a")], [("b", "b")], [("c", "c")], [("d", "d")]])
    assert index.scores([("à", "a")], Bm25Setup()).tolist() == pytest.approx([1.098612, 0.336472, 0, 0, 0], abs=1e-6)
    folded = index.scores([("à", "a")], Bm25Setup(), forms=("folded",))
    assert folded.tolist() == pytest.approx([0.336472, 0.336472, 0, 0, 0], abs=1e-6)
    # plus: exact ln(6/1) = 1.791759 once or twice, folded 2 x ln(6/2) = 2.197225; the larger, absence included
    plus = index.scores([("à", "a")], Bm25Setup(variant="plus"))
    assert plus.tolist() == pytest.approx([3.583519, 2.197225, 1.791759, 1.791759, 1.791759], abs=1e-6)


@pytest.mark.parametrize("variant", VARIANTS)
@given(lists=term_lists, query=st.lists(words, max_size=6), k1=k1s, b=bs)
def test_parity_in_one_space(variant: Variant, lists, query, k1, b):
    index = Bm25Index.of_terms(lists)
    expected = spread(peer(variant, [terms for terms in lists if terms is not None], k1, b).get_scores(query), lists)
    found = index.scores(plain(query), Bm25Setup(variant=variant, k1=k1, b=b))
    np.testing.assert_allclose(found, expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("variant", VARIANTS)
@given(lists=form_lists, query=st.lists(accented, max_size=5), k1=k1s, b=bs)
def test_parity_in_each_space_and_the_larger_of_both(variant: Variant, lists, query, k1, b):
    index, setup = Bm25Index.of_forms(lists), Bm25Setup(variant=variant, k1=k1, b=b)
    present = [tokens for tokens in lists if tokens is not None]
    total = np.zeros(len(present))
    spaces = [[[token[side] for token in tokens] for tokens in present] for side in (0, 1)]
    peers = [peer(variant, space, k1, b) for space in spaces]
    for form, side in (("exact", 0), ("folded", 1)):
        expected = spread(peers[side].get_scores([token[side] for token in query]), lists)
        np.testing.assert_allclose(index.scores(query, setup, forms=(form,)), expected, atol=1e-9, rtol=0)
    for token in query:
        parts = np.array([np.asarray(peers[side].get_scores([token[side]])) for side in (0, 1)])
        if variant != "plus":  # an absent form contributes nothing, which is not the same as 0
            present_in = np.array([[token[side] in terms for terms in spaces[side]] for side in (0, 1)])
            parts = np.where(present_in, parts, -np.inf)
        best = parts.max(axis=0)
        total += np.where(np.isfinite(best), best, 0.0)
    np.testing.assert_allclose(index.scores(query, setup), spread(total.tolist(), lists), atol=1e-9, rtol=0)


@pytest.mark.parametrize("variant", VARIANTS)
@given(
    lists=form_lists,
    query=st.lists(accented, max_size=5),
    most=st.integers(0, 15),
    seed=st.integers(0, 99),
    filtered=st.booleans(),
)
def test_best_is_the_head_of_all_scores_sorted(variant: Variant, lists, query, most, seed, filtered):
    index, setup = Bm25Index.of_forms(lists), Bm25Setup(variant=variant)
    random = np.random.default_rng(seed)
    order = random.permutation(len(lists))
    allowed = random.random(len(lists)) < 0.6 if filtered else None
    scores, matches = index.scores(query, setup), index.matches(query)
    matches = matches if allowed is None else matches & allowed
    expected = sorted(np.flatnonzero(matches), key=lambda row: (-scores[row], order[row]))[:most]
    rows, found = index.best(query, setup, most, order=order, allowed=allowed)
    assert rows.tolist() == expected
    assert found.tobytes() == scores[expected].tobytes()
    at, every = index.matching(query, setup)
    assert at.tolist() == np.flatnonzero(index.matches(query)).tolist()
    assert every.tobytes() == scores[at].tobytes()


@given(lists=form_lists, query=st.lists(accented, max_size=5), seed=st.integers(0, 99))
def test_equal_bits_in_any_order_of_chunks_and_words(lists, query, seed):
    random = np.random.default_rng(seed)
    order = random.permutation(len(lists))
    index, shuffled = Bm25Index.of_forms(lists), Bm25Index.of_forms([lists[row] for row in order])
    words_shuffled = [query[place] for place in random.permutation(len(query))]
    for variant in VARIANTS:
        setup = Bm25Setup(variant=variant)
        scores = index.scores(query, setup)
        assert shuffled.scores(words_shuffled, setup).tobytes() == scores[order].tobytes()


@cache
def many(count: int) -> tuple[Bm25Index, NDArray[np.int64]]:
    """An index of `count` chunks of 0 to 4 tokens, those without any blank, and an order of its rows."""
    random = np.random.default_rng(count)
    forms = [("à", "a"), ("a", "a"), ("e", "e"), ("é", "e"), ("rare", "rare")]
    ends = np.cumsum(random.integers(0, 5, count))
    tokens = [forms[number] for number in random.choice(5, ends[-1], p=[0.2, 0.3, 0.1, 0.3995, 0.0005]).tolist()]
    lists = [tokens[start:end] or None for start, end in pairwise([0, *ends.tolist()])]
    return Bm25Index.of_forms(lists), random.permutation(count)


@pytest.mark.parametrize("count", [8191, 8192, 8193, 30_000])
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_rows(count: int, variant: Variant):
    index, order = many(count)
    for query in ([("à", "a"), ("rare", "rare")], [("a", "a"), ("é", "e")], [("rare", "rare")], [("none", "none")]):
        setup = Bm25Setup(variant=variant, k1=0.9, b=0.4)
        scores: Floats = index.scores(query, setup)
        matched = np.flatnonzero(index.matches(query))
        expected = matched[np.lexsort((order[matched], -scores[matched]))]
        for most in (1, 100, count):
            rows, found = index.best(query, setup, most, order=order)
            assert (rows == expected[:most]).all()
            assert found.tobytes() == scores[expected[:most]].tobytes()


def test_blocks_that_fill_the_buffer_of_the_best_rows_stay_inside_it():
    # 160 rows of the first two windows fill the buffer of the best 100 to its end; 600 equal ones in a row follow
    rows = {*range(160), *range(8192, 8192 + 160), *range(16384, 16384 + 600)}
    index = Bm25Index.of_forms([[("x", "x")] if row in rows else [("y", "y")] for row in range(24_576)])
    order = np.arange(24_576)
    for most in (1, 36, 100, 500):
        found, _ = index.best([("x", "x")], Bm25Setup(), most, order=order)
        assert found.tolist() == sorted(rows)[:most]


@pytest.mark.parametrize("variant", VARIANTS)
@given(lists=form_lists, times=st.integers(1, 3), rest=st.lists(accented, max_size=4), k1=k1s, b=bs)
def test_the_exact_form_never_scores_lower_than_another_spelling(variant: Variant, lists, times, rest, k1, b):
    rest = [token for token in rest if token[1] != "a"]
    index = Bm25Index.of_forms([*lists, [("à", "a")] * times + rest, [("á", "a")] * times + rest])
    scores = index.scores([("à", "a")], Bm25Setup(variant=variant, k1=k1, b=b))
    assert scores[-2] >= scores[-1]


@pytest.mark.parametrize("k1", [0.0, 10.0])
@pytest.mark.parametrize("b", [0.0, 1.0])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_ends_of_the_knobs_give_finite_scores(variant: Variant, k1: float, b: float):
    index = Bm25Index.of_terms([["a", "b"], [], ["a", "a", "a"], None])
    scores = index.scores(plain(["a", "zebra"]), Bm25Setup(variant=variant, k1=k1, b=b))
    assert np.isfinite(scores).all()
    if k1 == 0:  # a term counts once, however often it occurs
        assert scores[0] == scores[2]


def test_threads_share_an_index():
    random = np.random.default_rng(1)
    index = Bm25Index.of_terms([[f"w{n}" for n in random.integers(0, 30, 6)] for _ in range(2_000)])
    queries = [plain([f"w{n}" for n in random.integers(0, 30, 3)]) for _ in range(60)]
    order = np.arange(2_000)

    def answer(query: list[tuple[str, str]]) -> tuple[bytes, bytes]:
        rows, scores = index.best(query, Bm25Setup(k1=1.2 + len(query[0][0]) / 10), 50, order=order)
        return rows.tobytes(), scores.tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(answer, queries)) == [answer(query) for query in queries]


@settings(max_examples=20)
@given(lists=form_lists, query=st.lists(accented, min_size=1, max_size=3))
def test_setting_the_knobs_back_gives_the_same_bits(lists, query):
    index = Bm25Index.of_forms(lists)
    before = index.scores(query, Bm25Setup())
    for k1 in range(1, 10):
        index.scores(query, Bm25Setup(k1=k1))
    assert index.scores(query, Bm25Setup()).tobytes() == before.tobytes()
