"""Where the sentences of a text end."""

from __future__ import annotations

import re

# An item of a list begins a sentence of its own, and its number belongs to it: `1. `, `a) `, `(2) `, `II. – `, `• `.
_ITEM = r"[ \t]*(?:\(?(?:\d{1,3}|[a-zđ]|[IVX]{1,5})[.)]|[-–—•*])[ \t]"
_BEFORE_ITEM = re.compile(rf"\n+(?={_ITEM})")
_LONE_ITEM = re.compile(rf"\s*{_ITEM}?\s*$|\s*\(?(?:\d{{1,3}}|[a-zđ]|[IVX]{{1,5}})[.)]\s*$")
# What follows `art.` or `No.` in small letters or digits on the same line still belongs to the sentence.
_SHORT_LAST_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,4}\.[ \t]*$")
_GOES_ON = re.compile(r"[a-zß-öø-ÿ\d]")
# Titles and places before a name.
_VIETNAMESE_ABBREVIATION = re.compile(r"(?<!\w)(?:TP|TX|TT|Q|P|GS|PGS|TS|ThS|BS|DS|CN|KS|ĐH|NXB)\.[ \t]*$")


def sentence_ends(text: str, language: str | None) -> tuple[int, ...]:
    """The position after each sentence and the spaces behind it, ascending; the last is the length of the text.

    Empty for an empty text. A language that the segmenter does not know is read as English.
    """
    ends: list[int] = []
    start = 0
    for stop in [*(match.end() for match in _BEFORE_ITEM.finditer(text)), len(text)]:
        ends.extend(start + end for end in _ends(text[start:stop], language))
        start = stop
    return tuple(ends)


def _ends(text: str, language: str | None) -> list[int]:
    from sentencex import segment

    ends: list[int] = []
    begin = end = 0
    for sentence in segment(language or "en", text):
        if end > begin and not _belongs_together(text[begin:end], sentence):
            ends.append(end)
            begin = end
        end += len(sentence)
    return [*ends, end] if end else ends


def _belongs_together(before: str, after: str) -> bool:
    if not after.strip() or _LONE_ITEM.match(before) or _VIETNAMESE_ABBREVIATION.search(before):
        return True
    return _SHORT_LAST_WORD.search(before) is not None and _GOES_ON.match(after) is not None
