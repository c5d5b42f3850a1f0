from engine.encoders.fit import OverLong, over_long
from engine.encoders.hashing import HashEncoder


class Words(HashEncoder):
    max_tokens = 3


class Windows(Words):
    overflow = "windowed"


def test_truncated_texts_are_named_with_what_is_lost():
    # Limit 3 words: row 1 has 5 (2 lost), row 3 has 4 (1 lost); row 2 fits exactly.
    texts = ["one", "a b c d e", "a b c", "a b c d"]
    assert over_long(Words(), texts) == (OverLong(1, 5, 2), OverLong(3, 4, 1))


def test_windowed_texts_lose_nothing():
    assert over_long(Windows(), ["a b c d e"]) == (OverLong(0, 5, 0),)


def test_blank_texts_are_not_counted():
    assert over_long(Words(), ["! ? ! ? !", "", "a b c d"]) == (OverLong(2, 4, 1),)


def test_without_a_limit_nothing_is_too_long():
    assert over_long(HashEncoder(), ["word " * 10_000]) == ()
