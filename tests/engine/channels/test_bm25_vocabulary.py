from hypothesis import given
from hypothesis import strategies as st

from engine.channels.bm25_vocabulary import Vocabulary


def test_terms_lie_one_after_the_other():
    vocabulary = Vocabulary.of(["a", "señal", "zoo"])
    assert bytes(vocabulary.text) == "aseñalzoo".encode()
    assert vocabulary.ends.tolist() == [1, 7, 10]
    assert list(vocabulary) == ["a", "señal", "zoo"]


def test_empty():
    vocabulary = Vocabulary.of([])
    assert len(vocabulary) == 0
    assert list(vocabulary) == []


@given(st.sets(st.text(st.characters(exclude_categories=()))))
def test_every_term_comes_back(terms: set[str]):
    ordered = sorted(terms)
    vocabulary = Vocabulary.of(ordered)
    assert list(vocabulary) == ordered
    assert len(vocabulary) == len(ordered)
    assert len(vocabulary.text) == sum(len(term.encode("utf-8", "surrogatepass")) for term in ordered)
