import pytest

from engine.channels.bm25_index import Bm25Index
from engine.channels.bm25_postings import tagged


def test_statistics_and_frequencies():
    postings = Bm25Index.of_terms([["a", "b", "b"], None, ["b"], []]).postings
    assert (postings.searchable, postings.average_length) == (3, 4 / 3)
    # ln(2.5/1.5) = 0.510826 and ln(1.5/2.5) = -0.510826
    assert postings.statistics["exact"].average_okapi_idf == pytest.approx(0.0, abs=1e-12)
    b = postings.spaces["exact"].list_of["b"]
    assert [postings.frequency(b, row) for row in range(4)] == [2, 0, 1, 0]


def test_nothing_searchable_has_length_zero_on_average():
    assert Bm25Index.of_terms([None, None]).postings.average_length == 0.0
    assert Bm25Index.of_terms([[], None]).postings.average_length == 0.0


def test_tag_stands_in_front():
    assert (tagged("en", "kite"), tagged("", "kite")) == ("en:kite", "kite")
