import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.channels.bm25_build import PostingsBuilder
from engine.channels.bm25_index import Bm25Index
from engine.channels.bm25_postings import BLANK, Form, Postings

Pairs = list[tuple[str, str]]
WORDS = ("lesión", "lesion", "les", "rein", "foie")
pairs = st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS))
chunks = st.lists(st.none() | st.lists(pairs, max_size=8), max_size=12)


def built(token_lists: list[Pairs | None], tags: list[str] | None = None) -> Postings:
    builder = PostingsBuilder()
    for row, tokens in enumerate(token_lists):
        if tokens is None:
            builder.add_blank()
        else:
            builder.add(tokens, tags[row] if tags else "")
    return builder.finish({"en": "1", "fr": "2"})


def frequencies(postings: Postings, form: Form) -> dict[str, dict[int, int]]:
    """Term, row, frequency, read back from the arrays, with the lengths checked on the way."""
    found: dict[str, dict[int, int]] = {}
    space = postings.spaces[form]
    for term, posting_list in zip(space.vocabulary, space.lists, strict=True):
        start, end = postings.span(posting_list)
        rows, codes = postings.rows[start:end], postings.codes[start:end]
        assert (np.diff(rows.astype(np.int64)) > 0).all()
        assert (postings.code_lengths[codes] == postings.lengths[rows]).all()
        found[term] = dict(zip(rows.tolist(), postings.code_frequencies[codes].tolist(), strict=True))
    return found


def counted(token_lists: list[Pairs | None], side: int) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for row, tokens in enumerate(token_lists):
        for token in tokens or ():
            rows = found.setdefault(token[side], {})
            rows[row] = rows.get(row, 0) + 1
    return found


def test_postings_by_hand():
    postings = built([[("b", "b"), ("a", "a"), ("b", "b")], None, [], [("b", "b")]])
    assert postings.lengths.tolist() == [3, BLANK, 0, 1]
    assert postings.offsets.tolist() == [0, 1, 3]
    assert postings.rows.tolist() == [0, 0, 3]
    assert frequencies(postings, "exact") == {"a": {0: 1}, "b": {0: 2, 3: 1}}
    assert postings.spaces["folded"] is postings.spaces["exact"]
    assert (postings.searchable, postings.average_length) == (3, 4 / 3)


def test_a_list_is_shared_where_both_spaces_agree():
    # "rein" is the same word in both spaces; "lesion" is not: its folded list also has the chunk with the accent
    postings = built([[("lesión", "lesion"), ("rein", "rein")], [("lesion", "lesion")]])
    exact, folded = postings.spaces["exact"], postings.spaces["folded"]
    assert len(postings.offsets) - 1 == 4
    assert exact.list_of["rein"] == folded.list_of["rein"]
    assert exact.list_of["lesion"] != folded.list_of["lesion"]
    assert "lesión" not in folded.list_of


def test_a_token_may_be_given_as_one_text_where_its_forms_are_the_same():
    mixed = Bm25Index.of_forms([["kite", ("lésion", "lesion"), "kite"], [("kite", "kite"), "lesion"]]).postings
    assert frequencies(mixed, "exact") == {"kite": {0: 2, 1: 1}, "lésion": {0: 1}, "lesion": {1: 1}}
    assert frequencies(mixed, "folded") == {"kite": {0: 2, 1: 1}, "lesion": {0: 1, 1: 1}}


def test_tags_keep_the_same_word_apart():
    postings = built([[("pain", "pain")], [("pain", "pain")], []], ["en", "fr", "en"])
    assert frequencies(postings, "exact") == {"en:pain": {0: 1}, "fr:pain": {1: 1}}
    assert dict(postings.analysers) == {"en": "1", "fr": "2"}
    assert dict(built([[("pain", "pain")], None], ["fr", "en"]).analysers) == {"fr": "2"}


def test_codes_widen_when_there_are_many():
    # 400 lengths, each with frequencies from 1 to 200: 80,000 pairs do not fit into 16 bits
    words = [f"w{number}" for number in range(200)]
    once = [(word, word) for number, word in enumerate(words) for _ in range(number + 1)]
    postings = built([[*once, *[("x", "x")] * extra] for extra in range(1, 401)])
    assert postings.codes.dtype == np.uint32
    assert len(postings.code_lengths) > 80_000
    assert frequencies(postings, "exact")["w199"] == dict.fromkeys(range(400), 200)
    assert built([[("a", "a")]]).codes.dtype == np.uint16


def test_arrays_are_read_only():
    postings = built([[("a", "b")]])
    with pytest.raises(ValueError, match="read-only"):
        postings.rows[0] = 1


@given(chunks)
def test_frequencies_are_those_of_a_plain_count(token_lists: list[Pairs | None]):
    postings = built(token_lists)
    assert frequencies(postings, "exact") == counted(token_lists, 0)
    assert frequencies(postings, "folded") == counted(token_lists, 1)
    assert postings.lengths.tolist() == [BLANK if tokens is None else len(tokens) for tokens in token_lists]
