"""Text as every tokeniser can take it."""

from __future__ import annotations

import re

_UNREADABLE = re.compile("[\x00\ud800-\udfff]")
_LONG_WORD = re.compile(r"\b[^\W\d_]{5,}\b")


def readable(text: str) -> str:
    """The text with NUL, where a C tokeniser would stop, and lone surrogates, which UTF-8 cannot hold, as spaces."""
    return _UNREADABLE.sub(" ", text)


def readable_query(text: str) -> str:
    """The query as `readable` has it, in small letters where it is written in capitals throughout.

    Models that tell capitals from small letters have hardly seen whole sentences of them: `FRACTURE DU FEMUR` finds
    less than `fracture du femur`. A single word and what has no word of five letters stay: codes and abbreviations.
    """
    whole = readable(text)
    is_sentence = len(whole.split()) > 1 and _LONG_WORD.search(whole)
    return whole.lower() if is_sentence and whole.isupper() else whole
