"""What counts as a code, and which parts it has.

A code joins pieces of letters and digits by single `.`, `-`, `/` or `_` without spaces, and has a digit somewhere:
`I21.9`, `HBQK389-02`, `12/2019/QH14`, `B-12`, and so also decimals (`9.9`) and dates (`12/03/2020`), which people
search whole as well. The full stop of a sentence is no part of it. A comma joins nothing: `9,9` is two numbers.
"""

from __future__ import annotations

import re

# Hyphens that print alike and the fraction slash count as `-` and `/`; a dash between codes (`C00–C14`) too.
JOINERS = "./_-\u2044\u2010\u2011\u2012\u2013\u2212"
_JOINER = re.compile(f"[{re.escape(JOINERS)}]")
_PIECE = re.compile(f"[^{re.escape(JOINERS)}]+")
_ONE_SPELLING = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"), "\u2044": "/"})


def is_code(text: str) -> bool:
    """Whether a text without spaces is a code: pieces joined, with a digit in one of them."""
    return _JOINER.search(text) is not None and any(character.isdigit() for character in text)


def pieces(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The (start, end) of each piece between joiners in `text[start:end]`, counted from the start of the text."""
    return tuple(match.span() for match in _PIECE.finditer(text, start, end))


def one_spelling(code: str) -> str:
    """The code with every kind of hyphen as `-` and of slash as `/`."""
    return code.translate(_ONE_SPELLING)


def is_initials(text: str) -> bool:
    """Whether a text is single letters joined by full stops, as in `U.S.A` (its last full stop ends outside)."""
    letters = text.split(".")
    return len(letters) > 1 and all(len(letter) == 1 and letter.isalpha() for letter in letters)
