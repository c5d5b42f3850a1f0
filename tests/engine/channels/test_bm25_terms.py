import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.channels.bm25_index import Bm25Index
from engine.channels.bm25_terms import ReadTerm, TermScore, term_scores
from engine.types import Bm25Setup

accented = st.sampled_from([("à", "a"), ("á", "a"), ("a", "a"), ("e", "e"), ("é", "e"), ("o", "o"), ("x", "x")])
form_lists = st.lists(st.none() | st.lists(accented, max_size=8), min_size=1, max_size=10)


def test_terms_by_hand():
    # N = 3, average length 2. "b": idf ln(2.5/1.5) = 0.510826, chunk 2 has it twice in length 3,
    # length factor 0.25 + 0.75 x 1.5 = 1.375, gain 5 / 4.0625 = 1.230769, asked for twice: 1.257417.
    # "c": in two chunks, ln(1.5/2.5) = -0.510826; average idf (0.510826 x 1 - 0.510826 x 2) / 3 = -0.170275, a quarter
    # of which is -0.042569
    index = Bm25Index.of_terms([["a", "c"], ["c"], ["b", "b", "a"]])
    query = [ReadTerm("", term, term) for term in ("b", "c", "zebra", "b")]
    b, c, zebra = term_scores(index, query, 2, Bm25Setup())
    assert (b.term, b.form, b.occurrences, b.tf, b.df, b.floored) == ("b", "exact", 2, 2, 1, False)
    assert (b.idf, b.length_factor, b.contribution) == pytest.approx((0.510826, 1.375, 1.257417), abs=1e-6)
    assert (c.tf, c.df, c.floored, c.contribution) == (0, 2, True, 0.0)
    assert c.idf == pytest.approx(-0.042569, abs=1e-6)
    assert zebra == TermScore("zebra", "exact", "", 1, 0, 0, 0.0, False, 1.375, 0.0)


def test_the_form_that_counts_is_named():
    index = Bm25Index.of_forms([[("à", "a")], [("a", "a")], [("b", "b")], [("c", "c")], [("d", "d")]])
    query = [ReadTerm("", "à", "a")]
    shown = [(t.term, t.form, t.tf, t.df) for row in range(3) for t in term_scores(index, query, row, Bm25Setup())]
    assert shown == [("à", "exact", 1, 1), ("a", "folded", 1, 2), ("à", "exact", 0, 1)]


def test_tags_are_in_the_index_and_not_in_the_terms():
    index = Bm25Index.of_forms([[("pain", "pain")], [("pain", "pain")], []], ["en", "fr", "en"], {"en": "1", "fr": "1"})
    (english,) = term_scores(index, [ReadTerm("en", "pain", "pain")], 0, Bm25Setup())
    (french,) = term_scores(index, [ReadTerm("fr", "pain", "pain")], 0, Bm25Setup())
    assert (english.term, english.analyser, english.tf) == ("pain", "en", 1)
    assert (french.term, french.analyser, french.tf) == ("pain", "fr", 0)


@pytest.mark.parametrize("variant", ["okapi", "plus", "lucene"])
@given(lists=form_lists, query=st.lists(accented, max_size=5), k1=st.floats(0, 10), b=st.floats(0, 1))
def test_contributions_add_up_to_the_score(variant, lists, query, k1, b):
    index, setup = Bm25Index.of_forms(lists), Bm25Setup(variant=variant, k1=k1, b=b)
    read = [ReadTerm("", exact, folded) for exact, folded in query]
    scores = index.scores(query, setup)
    for row in range(len(lists)):
        parts = term_scores(index, read, row, setup)
        assert [part.occurrences for part in parts] == [query.count(pair) for pair in dict.fromkeys(query)]
        assert sum(part.contribution for part in parts) == pytest.approx(scores[row], abs=1e-9)
        if variant != "plus":  # there an absent exact form may count for more than a folded one that occurs
            assert index.matches(query)[row] == any(part.tf for part in parts)
    assert np.isfinite(scores).all()
