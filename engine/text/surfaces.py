"""A text cut into the stretches that an analyser looks at one by one."""

from __future__ import annotations

from typing import Final

import regex

from engine.text.codes import JOINERS
from engine.text.normalise import INVISIBLE

APOSTROPHES = "'’‘ʼ´′＇"
# Scripts that put no spaces between words; they are searched by pairs of characters.
SPACELESS: Final = r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_LETTER: Final = rf"[[\p{{L}}\p{{N}}]--{SPACELESS}--[ʼ]]"
_PIECE: Final = rf"{_LETTER}[\p{{M}}{INVISIBLE}]*+"
_GLUE: Final = rf"[{regex.escape(JOINERS)}{APOSTROPHES}]"

# Words, with what apostrophes and joiners hold together (`l'hôpital`, `I21.9`, `post-opératoire`) and an apostrophe at
# the end (`l' hôpital`); or a run of a script without spaces.
SURFACE: Final = regex.compile(
    rf"(?:{_PIECE})++(?:{_GLUE}(?:{_PIECE})++)*+[{APOSTROPHES}]?+"
    rf"|(?:[{SPACELESS}&&[\p{{L}}\p{{N}}]][\p{{M}}{INVISIBLE}]*+)++",
    regex.V1,
)
IS_SPACELESS: Final = regex.compile(SPACELESS, regex.V1)
