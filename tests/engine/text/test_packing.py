from hypothesis import given
from hypothesis import strategies as st

from engine.text.packing import CLAUSE, SENTENCE, Window, pack


def test_windows_end_after_sentences_and_repeat_one():
    # three sentences of 3, 2 and 4 words, one token each: 9 in all. Budget 6, overlap 2:
    # the first window holds 3 + 2 = 5; the second repeats the sentence of 2 and holds 2 + 4 = 6
    stops = [0, 0, SENTENCE, 0, SENTENCE, 0, 0, 0, SENTENCE]
    assert pack([1] * 9, stops, budget=6, overlap=2) == (Window(0, 0, 5), Window(3, 5, 9))


def test_windows_are_of_about_equal_length():
    # ten sentences of one word, budget 6: 5 + 5, not 6 + 4
    assert pack([1] * 10, [SENTENCE] * 10, budget=6, overlap=0) == (Window(0, 0, 5), Window(5, 5, 10))


def test_a_long_sentence_ends_at_a_clause_and_else_at_a_word():
    assert pack([1] * 6, [0, 0, CLAUSE, 0, 0, SENTENCE], budget=4, overlap=0)[0] == Window(0, 0, 3)
    assert pack([1] * 6, [0, 0, 0, 0, 0, SENTENCE], budget=4, overlap=0) == (Window(0, 0, 4), Window(4, 4, 6))


def test_a_sentence_end_that_leaves_most_of_the_budget_empty_is_passed_over():
    stops = [SENTENCE, 0, 0, 0, 0, 0, 0, 0, 0, SENTENCE]
    assert pack([1] * 10, stops, budget=8, overlap=0)[0] == Window(0, 0, 8)


def test_what_is_repeated_begins_with_a_sentence_where_it_can():
    # sentences of 4, 2 and 4 words; 3 words may be repeated, and the sentence of 2 is
    stops = [0, 0, 0, SENTENCE, 0, SENTENCE, 0, 0, 0, SENTENCE]
    assert pack([1] * 10, stops, budget=8, overlap=3) == (Window(0, 0, 6), Window(4, 6, 10))


def test_nothing_is_repeated_where_a_sentence_would_not_fit_then():
    # sentences of 4 and 5 words, budget 5: two repeated words leave only 3 of the 5
    stops = [0, 0, 0, SENTENCE, 0, 0, 0, 0, SENTENCE]
    assert pack([1] * 9, stops, budget=5, overlap=2) == (Window(0, 0, 4), Window(4, 4, 9))


def test_a_word_longer_than_the_budget_stands_alone():
    assert pack([1, 9, 1], [0, 0, 0], budget=3, overlap=1) == (Window(0, 0, 1), Window(1, 1, 2), Window(2, 2, 3))


def test_what_fits_is_one_window_and_nothing_is_none():
    assert pack([1, 1], [SENTENCE, SENTENCE], budget=2, overlap=1) == (Window(0, 0, 2),)
    assert pack([], [], budget=2, overlap=0) == ()


@given(
    st.lists(st.tuples(st.integers(0, 12), st.sampled_from([0, 0, CLAUSE, SENTENCE])), max_size=80),
    st.integers(1, 40),
    st.integers(0, 39),
)
def test_windows_cover_all_words_within_the_budget(words, budget, overlap):
    lengths, stops = [length for length, _ in words], [stop for _, stop in words]
    windows = pack(lengths, stops, budget, min(overlap, budget - 1))
    assert [window.new for window in windows] == [0, *(window.end for window in windows)][: len(windows)]
    assert (windows[-1].end if windows else 0) == len(words)
    for window in windows:
        assert window.start <= window.new < window.end
        assert sum(lengths[window.start : window.end]) <= budget or window.end - window.start == 1
        assert sum(lengths[window.start : window.new]) <= overlap
