from engine.encoders.batching import TOKENISED_AT_ONCE
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


def test_a_large_corpus_is_measured_in_pieces_and_tells_how_far_it_is():
    class Watched(Words):
        most = 0

        def count_tokens(self, texts):
            self.most = max(self.most, len(texts))
            return super().count_tokens(texts)

    encoder, seen = Watched(), []
    texts = ["a b c d" if row % 1000 == 0 else "a" for row in range(2_500)]
    found = over_long(encoder, texts, lambda *step: seen.append(step))
    assert [long.row for long in found] == [0, 1000, 2000]
    assert encoder.most == TOKENISED_AT_ONCE == 1024
    assert seen == [("measuring", done, 2_500) for done in (0, 1024, 2048, 2_500)]


def test_windowed_texts_lose_nothing():
    assert over_long(Windows(), ["a b c d e"]) == (OverLong(0, 5, 0),)


def test_blank_texts_are_not_counted():
    assert over_long(Words(), ["! ? ! ? !", "", "a b c d"]) == (OverLong(2, 4, 1),)


def test_without_a_limit_nothing_is_too_long():
    assert over_long(HashEncoder(), ["word " * 10_000]) == ()
