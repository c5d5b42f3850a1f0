"""Text in one Unicode form, without characters that no index can hold, and with a way back to the original."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import regex

# NUL stops C strings and databases; a lone surrogate cannot be encoded as UTF-8.
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
# Characters that a reader does not see and that must not split a word: soft hyphen, joiners, direction and byte-order
# marks, and the selectors that follow emoji.
INVISIBLE = "\u00ad\u200c-\u200f\u2060\ufe0e\ufe0f\ufeff"
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_CLUSTER = regex.compile(r"\X")
# Accents of Latin, Greek and Cyrillic letters, Hebrew points and Arabic short vowels. Marks of other scripts (Thai or
# Devanagari vowels, the voicing of kana) make other words and stay.
_DECORATION = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0652\u0670]")
# Letters that Unicode does not take apart.
_PLAIN_LETTER = str.maketrans(
    {"đ": "d", "ð": "d", "ø": "o", "ł": "l", "ı": "i", "ħ": "h", "ŧ": "t", "œ": "oe", "æ": "ae", "þ": "th", "ʼ": "'"}
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text that can be stored and indexed, and how many characters had to go."""

    text: str
    removed: int


def clean(text: str) -> Cleaned:
    """The text without NUL characters and lone surrogates, and the count of those removed."""
    kept, removed = _UNUSABLE.subn("", text)
    return Cleaned(kept, removed)


def case_folded(text: str) -> str:
    """The text in the form in which words are compared: Unicode NFKC, case folded (`ß` becomes `ss`).

    Composed and decomposed accents, ligatures (`ﬁ`) and full-width letters and digits become the same text. Accents
    stay. Invisible characters go.
    """
    if text.isascii():
        return text.lower()
    visible = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFKC", visible.casefold())


def fold(text: str) -> str:
    """The text case folded and without accents: `Lésions` → `lesions`, `Đường` → `duong`, `Œdème` → `oedeme`."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", case_folded(text))
    return unicodedata.normalize("NFC", _DECORATION.sub("", apart).translate(_PLAIN_LETTER))


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text in Unicode form NFKC without invisible characters, each position of which leads back to the original.

    `starts[i]` and `ends[i]` bound the stretch of the original (in code points) from which `text[i]` was made; what was
    made from several characters together, such as `e` and a combining accent, has the bounds of all of them.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, original: str) -> Normalised:
        """The normalised form of any text."""
        forms: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for cluster in _CLUSTER.finditer(original):
            form = unicodedata.normalize("NFKC", _INVISIBLE.sub("", cluster[0]))
            forms.append(form)
            starts.extend([cluster.start()] * len(form))
            ends.extend([cluster.end()] * len(form))
        return cls("".join(forms), tuple(starts), tuple(ends))

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the original. An empty stretch gives an empty span."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]
