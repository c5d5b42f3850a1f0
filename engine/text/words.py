"""What becomes of one surface: the pieces of a word, a code or a run of characters, each with its outcome."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

import regex

from engine.text import codes
from engine.text.languages import LanguageRules
from engine.text.normalise import Normalised, case_folded, fold
from engine.text.surfaces import APOSTROPHES, IS_SPACELESS

Kind = Literal["word", "code", "part", "pair"]
Outcome = Literal["kept", "stop word", "elision", "symbol"]

_ONE_APOSTROPHE = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
_CLUSTER = regex.compile(r"\X")


class Piece(NamedTuple):
    """A stretch of a surface (offsets from its start) and its outcome. `exact` and `folded` are empty unless kept."""

    start: int
    end: int
    outcome: Outcome
    kind: Kind
    exact: str = ""
    folded: str = ""
    note: str = ""


class WordAnalysis:
    """Surfaces to pieces, by the rules of one language. A pure function of the surface, safe for several threads."""

    def __init__(self, rules: LanguageRules) -> None:
        self._rules = rules
        self._stem = _stemmer(rules.stemmer)

    def pieces(self, surface: str) -> tuple[Piece, ...]:
        """The pieces of one match of `SURFACE`, in the order of their starts, a code before its parts."""
        if surface[0] == " ":
            letter = surface[1:].casefold()
            return (Piece(1, 2, "kept", "word", letter, letter, "a capital letter after a word: a label"),)
        spelled = surface.translate(_ONE_APOSTROPHE)
        if spelled.isascii():
            return tuple(self._read(spelled))
        normalised = Normalised.of(spelled)
        return tuple(
            piece._replace(start=span[0], end=span[1])
            for piece in self._read(normalised.text)
            for span in [normalised.original_span(piece.start, piece.end)]
        )

    def _read(self, text: str) -> Iterator[Piece]:
        if IS_SPACELESS.match(text):
            yield from self._pairs(text)
            return
        text = text.rstrip("'") if not self._rules.elided else text
        start = self._elided_until(text, 0, len(text))
        if codes.is_code(text[start:]):
            yield from self._elisions(text, 0, start)
            yield from self._code(text, start)
        elif codes.is_initials(text[start:]):
            yield from self._elisions(text, 0, start)
            letters = text[start:].rstrip("'").replace(".", "")
            yield Piece(start, len(text), "kept", "word", case_folded(letters), fold(letters), "initials")
        else:
            for start, end in codes.pieces(text):
                yield from self._apostrophes(text, start, end, "word")

    def _pairs(self, text: str) -> Iterator[Piece]:
        spans = [cluster.span() for cluster in _CLUSTER.finditer(text)]
        if len(spans) == 1:
            yield Piece(0, len(text), "kept", "word", case_folded(text), fold(text))
        for (start, _), (_, end) in pairwise(spans):
            pair = text[start:end]
            yield Piece(start, end, "kept", "pair", case_folded(pair), fold(pair), "pair of characters")

    def _code(self, text: str, start: int) -> Iterator[Piece]:
        code = codes.one_spelling(text[start:].rstrip("'"))
        yield Piece(start, start + len(code), "kept", "code", case_folded(code), fold(code), "code")
        for piece_start, piece_end in codes.pieces(code):
            yield from self._apostrophes(text, start + piece_start, start + piece_end, "part")

    def _apostrophes(self, text: str, start: int, end: int, kind: Kind) -> Iterator[Piece]:
        if self._rules.splits_apostrophes and "'" in text[start:end]:
            yield from self._split_at_apostrophes(text, start, end, kind)
            return
        word_start = self._elided_until(text, start, end)
        yield from self._elisions(text, start, word_start)
        if word_start < end:
            yield from self._word(text, word_start, end, kind)

    def _split_at_apostrophes(self, text: str, start: int, end: int, kind: Kind) -> Iterator[Piece]:
        for word in text[start:end].split("'"):
            if len(word) == 1 and word.isalpha():
                yield Piece(start, start + 1, "elision", kind, note="one letter beside an apostrophe")
            elif word:
                yield from self._word(text, start, start + len(word), kind)
            start += len(word) + 1

    def _elided_until(self, text: str, start: int, end: int) -> int:
        while (apostrophe := text.find("'", start, end)) > 0 and case_folded(
            text[start:apostrophe]
        ) in self._rules.elided:
            start = apostrophe + 1
        return start

    def _elisions(self, text: str, start: int, end: int) -> Iterator[Piece]:
        while start < end:
            apostrophe = text.index("'", start)
            yield Piece(start, apostrophe + 1, "elision", "word", note="elided before a vowel")
            start = apostrophe + 1

    def _word(self, text: str, start: int, end: int, kind: Kind) -> Iterator[Piece]:
        written = text[start:end].strip("'")
        word = self._spelled(written)
        if not word:
            return
        if self._is_stop_word(word):
            yield Piece(start, end, "stop word", kind, note="stop word")
            return
        plain = fold(word)
        yield Piece(start, end, "kept", kind, self._stemmed(word), self._stemmed(plain))

    def _spelled(self, written: str) -> str:
        word = case_folded(written)
        return self._rules.respell(word) if self._rules.respell else word

    def _is_stop_word(self, word: str) -> bool:
        return word in self._rules.stop_words

    def _stemmed(self, word: str) -> str:
        return self._stem(word) if word.isalpha() or "'" in word else word


def _stemmer(algorithm: str | None) -> Callable[[str], str]:
    if algorithm is None:
        return str
    from Stemmer import Stemmer

    stemmer = Stemmer(algorithm, 0)  # no cache of its own: every surface is analysed once and then remembered
    one_at_a_time = threading.Lock()  # a stemmer object serves one thread at a time

    def stem(word: str) -> str:
        with one_at_a_time:
            return str(stemmer.stemWord(word))

    return stem
