import pytest

from engine.text.measuring import Lengths, cut_long_words, word_spans, words


class Counter:
    """Counts words and two special tokens, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts):
        self.asked.append(list(texts))
        return [len(text.split()) + 2 for text in texts]


def test_special_tokens_are_found_out():
    # one word has 1 + 2 tokens and twenty have 20 + 2: 19 more words are 19 more tokens, so 3 − 1 = 2 are special
    lengths = Lengths(Counter())
    assert lengths.special == 2
    lengths.learn(["one"])
    assert lengths["one"] == 1


def test_each_word_is_asked_for_once():
    counter = Counter()
    lengths = Lengths(counter)
    lengths.learn(["one", "two", "one"])
    lengths.learn(["two", "three"])
    lengths.learn(["three"])
    assert counter.asked == [["word", " ".join(["word"] * 20)], ["one", "two"], ["three"]]
    assert lengths.text("one two  three") == 3


def test_words_are_cut_at_sentence_ends():
    assert words(" a  b\nc ") == ["a", "b", "c"]
    assert word_spans("好。天 b", (2, 5)) == [(0, 2), (2, 3), (4, 5)]


def test_long_words_are_halved_until_they_fit():
    lengths = Lengths(lambda texts: [len(text) for text in texts])
    assert cut_long_words(["ab abcdefg"], [[(0, 2), (3, 10)]], lengths, 2) == [
        [(0, 2), (3, 4), (4, 6), (6, 8), (8, 10)]
    ]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_an_accent_stays_with_its_letter(limit):
    lengths = Lengths(lambda texts: [len(text) for text in texts])
    text = "ae\u0301"
    (spans,) = cut_long_words([text], [[(0, 3)]], lengths, limit)
    assert all(text[start] != "\u0301" for start, _ in spans)
