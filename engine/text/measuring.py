"""Texts cut into words, and each word's length in tokens, asked for in few large batches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

CountTokens = Callable[[Sequence[str]], list[int]]
"""For each text its number of tokens as an encoder reads it, special tokens included."""

Span = tuple[int, int]
_WORD = re.compile(r"\S+")
_PROBE, _PROBES = "word", 20


class Lengths:
    """The lengths of words in tokens, each asked for once.

    A counter may add special tokens to every text (`[CLS]`, `[SEP]`); they are found out and counted once a passage.
    """

    def __init__(self, count_tokens: CountTokens) -> None:
        self._count_tokens = count_tokens
        one, many = count_tokens([_PROBE, " ".join([_PROBE] * _PROBES)])
        self.special: int = max(round(one - (many - one) / (_PROBES - 1)), 0)
        self._of: dict[str, int] = {}

    def learn(self, words: Iterable[str]) -> None:
        """Ask for the words that are not known yet, in one batch."""
        unknown = list(dict.fromkeys(word for word in words if word not in self._of))
        if unknown:
            counts = self._count_tokens(unknown)
            self._of.update((word, max(count - self.special, 0)) for word, count in zip(unknown, counts, strict=True))

    def __getitem__(self, word: str) -> int:
        return self._of[word]

    def text(self, text: str) -> int:
        """The length of a text of which every word is known."""
        return sum(self._of[word] for word in _WORD.findall(text))


def words(text: str) -> list[str]:
    """The words of a text: what stands between spaces."""
    return _WORD.findall(text)


def word_spans(text: str, ends: Sequence[int]) -> list[Span]:
    """Where the words of a text stand; a word that goes over one of the `ends` (sentences, ascending) is cut there."""
    spans: list[Span] = []
    start = 0
    for end in ends:
        spans.extend(match.span() for match in _WORD.finditer(text, start, end))
        start = end
    return spans


def cut_long_words(texts: Sequence[str], spans: list[list[Span]], lengths: Lengths, limit: int) -> list[list[Span]]:
    """The words of each text, those longer than `limit` tokens cut in halves until they fit or are one character."""
    lengths.learn(text[start:end] for text, found in zip(texts, spans, strict=True) for start, end in found)
    while True:
        cut = [
            [half for span in found for half in _halves(text, span, lengths, limit)]
            for text, found in zip(texts, spans, strict=True)
        ]
        if cut == spans:
            return spans
        lengths.learn(text[start:end] for text, found in zip(texts, cut, strict=True) for start, end in found)
        spans = cut


def _halves(text: str, span: Span, lengths: Lengths, limit: int) -> list[Span]:
    start, end = span
    if lengths[text[start:end]] <= limit:
        return [span]
    middle = (start + end) // 2
    while middle > start and unicodedata.combining(text[middle]):
        middle -= 1
    return [(start, middle), (middle, end)] if start < middle else [span]
