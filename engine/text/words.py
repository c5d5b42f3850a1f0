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
from engine.text.surfaces import APOSTROPHES, IS_SPACELESS, SURFACE

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
        if surface.isalpha() and surface.isascii():  # no code, no apostrophe, no accent: most words of most texts
            return (self._word(surface, 0, "word"),)
        if surface[0] == " ":
            letter = surface[1:].casefold()
            return (Piece(1, 2, "kept", "word", letter, letter, "a capital letter after a word: a label"),)
        spelled = surface.translate(_ONE_APOSTROPHE)
        if spelled.isascii():
            return tuple(self._read(spelled, 0, len(spelled)))
        normalised = Normalised.of(spelled)
        return tuple(
            piece._replace(start=span[0], end=span[1])
            for match in SURFACE.finditer(normalised.text)  # one character may stand for several: `⑴` for `(1)`
            for piece in self._read(normalised.text, match.start(), match.end())
            for span in [normalised.original_span(piece.start, piece.end)]
        )

    def _read(self, text: str, start: int, end: int) -> Iterator[Piece]:
        if IS_SPACELESS.match(text, start):
            yield from self._pairs(text, start, end)
            return
        bare = self._elided_until(text, start, end)
        if codes.is_code(text[bare:end]):
            yield from self._elisions(text, start, bare)
            yield from self._code(text, bare, end)
        elif codes.is_initials(text[bare:end]):
            yield from self._elisions(text, start, bare)
            letters = text[bare:end].replace(".", "")
            yield Piece(bare, end, "kept", "word", case_folded(letters), fold(letters), "initials")
        else:
            for first, last in codes.pieces(text, start, end):
                yield from self._at_apostrophes(text, first, last, "word")

    def _pairs(self, text: str, start: int, end: int) -> Iterator[Piece]:
        spans = [cluster.span() for cluster in _CLUSTER.finditer(text, start, end)]
        if len(spans) == 1:
            yield Piece(start, end, "kept", "word", case_folded(text[start:end]), fold(text[start:end]))
        for (first, _), (_, last) in pairwise(spans):
            pair = text[first:last]
            yield Piece(first, last, "kept", "pair", case_folded(pair), fold(pair), "a pair of characters")

    def _code(self, text: str, start: int, end: int) -> Iterator[Piece]:
        code = codes.one_spelling(text[start:end].rstrip("'"))
        yield Piece(start, start + len(code), "kept", "code", case_folded(code), fold(code), "a code, whole")
        for first, last in codes.pieces(text, start, end):
            yield from self._at_apostrophes(text, first, last, "part")

    def _at_apostrophes(self, text: str, start: int, end: int, kind: Kind) -> Iterator[Piece]:
        if self._rules.splits_apostrophes:
            yield from self._split_at_apostrophes(text, start, end, kind)
            return
        bare = self._elided_until(text, start, end)
        yield from self._elisions(text, start, bare)
        word = text[bare:end].rstrip("'")
        if word:
            yield self._word(word, bare, kind)

    def _split_at_apostrophes(self, text: str, start: int, end: int, kind: Kind) -> Iterator[Piece]:
        words = text[start:end].split("'")
        for word in words:
            if len(words) > 1 and len(word) == 1 and word.isalpha():
                yield Piece(start, start + 1, "elision", kind, note="one letter beside an apostrophe")
            elif word:
                yield self._word(word, start, kind)
            start += len(word) + 1

    def _elided_until(self, text: str, start: int, end: int) -> int:
        elided = self._rules.elided
        while elided and (apostrophe := text.find("'", start, end)) > start:
            if case_folded(text[start:apostrophe]) not in elided:
                break
            start = apostrophe + 1
        return start

    def _elisions(self, text: str, start: int, end: int) -> Iterator[Piece]:
        while start < end:
            apostrophe = text.index("'", start)
            yield Piece(start, apostrophe + 1, "elision", "word", note="elided before a vowel")
            start = apostrophe + 1

    def _word(self, written: str, start: int, kind: Kind) -> Piece:
        end = start + len(written)
        read = case_folded(written)
        word = self._rules.respell(read) if self._rules.respell else read
        if word in self._rules.stop_words:
            return Piece(start, end, "stop word", kind, note="a grammar word")
        note = "part of a code" if kind == "part" else f"spelled {word}" if word != read else ""
        return Piece(start, end, "kept", kind, self._stemmed(word), self._stemmed(fold(word)), note)

    def _stemmed(self, word: str) -> str:
        return self._stem(word) if word.isalpha() or not any(map(str.isdigit, word)) else word


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
