"""Text as every tokeniser can take it."""

from __future__ import annotations

import re

_UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def readable(text: str) -> str:
    """The text with NUL, where a C tokeniser would stop, and lone surrogates, which UTF-8 cannot hold, as spaces."""
    return _UNREADABLE.sub(" ", text)
