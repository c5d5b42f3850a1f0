from hypothesis import given
from hypothesis import strategies as st

from engine.channels.bm25_vocabulary import Vocabulary


def test_terms_lie_one_after_the_other():
    vocabulary = Vocabulary.of(["a", "señal", "zoo"])
    assert bytes(vocabulary.text) == "aseñalzoo".encode()
    assert vocabulary.ends.tolist() == [1, 7, 10]
    assert [vocabulary.number(term) for term in ("a", "señal", "zoo", "senal", "", "aseñal")] == [0, 1, 2, *[None] * 3]


def test_empty():
    vocabulary = Vocabulary.of([])
    assert len(vocabulary) == 0
    assert vocabulary.number("a") is None
    assert list(vocabulary) == []


@given(st.sets(st.text(st.characters(exclude_categories=()))), st.text(st.characters(exclude_categories=())))
def test_every_term_is_found_at_its_place_and_no_other(terms: set[str], other: str):
    ordered = sorted(terms)
    vocabulary = Vocabulary.of(ordered)
    assert list(vocabulary) == ordered
    assert [vocabulary.number(term) for term in ordered] == list(range(len(ordered)))
    assert (vocabulary.number(other) is not None) == (other in terms)
