"""Text to tokens that know their place in the original.

A text is cut into surfaces (`surfaces.py`), each surface becomes pieces (`words.py`) by the rules of a language
(`languages.py`), and the pieces that are kept are the tokens.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from engine.text.languages import LANGUAGES, LanguageRules
from engine.text.surfaces import SURFACE
from engine.text.words import Kind, Outcome, Piece, WordAnalysis

RULES_VERSION = 2
"""Raised whenever the code of this room may turn a text into other tokens; a test holds the two together."""

_REMEMBERED_SURFACES = 1 << 17


class Token(NamedTuple):
    """One searchable term of a text.

    `exact` keeps accents, `folded` has none; both are case folded and stemmed. `start` and `end` are code points of the
    original text. A `code` is followed by its `part`s, which lie inside it; a `pair` overlaps its neighbours. (A named
    tuple, because an index makes millions of them.)
    """

    exact: str
    folded: str
    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Step:
    """What the analyser did to one stretch of the original text. `exact` and `folded` are empty unless it was kept."""

    surface: str
    start: int
    end: int
    outcome: Outcome
    exact: str
    folded: str
    note: str


@dataclass(frozen=True)
class Analyser:
    """How texts of one language become tokens; its answers depend on nothing but the text and `fingerprint`."""

    name: str
    language: str | None
    label: str
    help: str
    rules: LanguageRules = field(repr=False)
    _words: WordAnalysis = field(init=False, repr=False, compare=False)
    _tokens_of: Callable[[str], tuple[Token, ...]] = field(init=False, repr=False, compare=False)
    _forms_of: Callable[[str], tuple[tuple[str, str], ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_words", WordAnalysis(self.rules))
        object.__setattr__(self, "_tokens_of", lru_cache(_REMEMBERED_SURFACES)(self._analysed))
        object.__setattr__(self, "_forms_of", lru_cache(_REMEMBERED_SURFACES)(self._formed))

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change whenever this analyser may give other tokens."""
        parts = [
            str(RULES_VERSION),
            self.name,
            *(
                str(part)
                for part in (self.rules.stemmer, self.rules.splits_apostrophes, self.rules.respell is not None)
            ),
            *sorted(self.rules.stop_words),
            *sorted(self.rules.elided),
            unicodedata.unidata_version,
            *(importlib.metadata.version(package) for package in ("PyStemmer", "regex")),
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def tokens(self, text: str) -> tuple[Token, ...]:
        """The searchable tokens, in the order of the text; none where it has only symbols and stop words."""
        found: list[Token] = []
        for match in SURFACE.finditer(text):
            at = match.start()
            for exact, folded, start, end, kind in self._tokens_of(match[0]):
                found.append(Token(exact, folded, at + start, at + end, kind))
        return tuple(found)

    def forms(self, text: str) -> list[tuple[str, str]]:
        """The (exact, folded) forms of `tokens(text)`, in order, without their places: the quick way to an index."""
        return list(chain.from_iterable(map(self._forms_of, SURFACE.findall(text))))

    def steps(self, text: str) -> tuple[Step, ...]:
        """What happens to every stretch of the text that is not a space, in order; a code, then its parts."""
        return tuple(self._walk(text))

    def _analysed(self, surface: str) -> tuple[Token, ...]:
        return tuple(
            Token(piece.exact, piece.folded, piece.start, piece.end, piece.kind)
            for piece in self._words.pieces(surface)
            if piece.outcome == "kept"
        )

    def _formed(self, surface: str) -> tuple[tuple[str, str], ...]:
        return tuple((token.exact, token.folded) for token in self._analysed(surface))

    def _walk(self, text: str) -> Iterator[Step]:
        done = 0
        for match in SURFACE.finditer(text):
            for piece in self._words.pieces(match[0]):
                start, end = match.start() + piece.start, match.start() + piece.end
                yield from _symbols(text, done, start)
                yield _step(text, start, end, piece)
                done = max(done, end)
        yield from _symbols(text, done, len(text))


def _step(text: str, start: int, end: int, piece: Piece) -> Step:
    return Step(text[start:end], start, end, piece.outcome, piece.exact, piece.folded, piece.note)


def _symbols(text: str, start: int, end: int) -> Iterator[Step]:
    for symbol in text[start:end].split():
        at = text.index(symbol, start, end)
        start = at + len(symbol)
        yield Step(symbol, at, start, "symbol", "", "", "no letter or digit")


def _analyser(name: str, label: str, description: str) -> Analyser:
    return Analyser(name, None if name == "plain" else name, label, description, LANGUAGES[name])


ANALYSERS: Mapping[str, Analyser] = MappingProxyType(
    {
        analyser.name: analyser
        for analyser in (
            _analyser(
                "en", "English", "Words without grammar words, stemmed; accents optional; codes whole and in parts."
            ),
            _analyser("fr", "French", "As English, and l', d', qu' … are cut off before a vowel."),
            _analyser("es", "Spanish", "As English, with Spanish grammar words and stems."),
            _analyser("vi", "Vietnamese", "Syllables, unstemmed; spellings of one syllable brought together."),
            _analyser("plain", "Any language", "Words as they are, case and accents aside; no stop words, no stems."),
        )
    }
)


def analyser_for(language: str | None) -> Analyser:
    """The analyser of a language code; the plain one where the language is unknown or has none of its own."""
    return ANALYSERS.get(language or "plain", ANALYSERS["plain"])
