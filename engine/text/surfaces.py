"""A text cut into the stretches that an analyser looks at one by one."""

from __future__ import annotations

import re
import unicodedata

from engine.text.codes import JOINERS
from engine.text.normalise import INVISIBLE

APOSTROPHES = "'’‘ʼ´′＇"
# Scripts that put no spaces between words, searched by pairs of characters: Thai and Lao, Myanmar, Khmer, kana, Han.
_SPACELESS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
)
# Beyond the basic plane whole areas stand for their letters: ancient scripts, mathematical letters, new alphabets; Han.
_LETTERS_BEYOND = "\U00010000-\U0001cfff\U0001d400-\U0001d7ff\U0001e000-\U0001efff"
_SPACELESS_BEYOND = "\U00020000-\U0003ffff"


def _class_of_each_character() -> str:
    """For each character of the basic plane the first letter of its Unicode category; lower case where spaceless."""
    classes = [unicodedata.category(chr(code))[0] for code in range(0x10000)]
    for first, last in _SPACELESS:
        classes[first : last + 1] = [letter.lower() for letter in classes[first : last + 1]]
    for apostrophe in APOSTROPHES:
        classes[ord(apostrophe)] = "P"
    return "".join(classes)


def _ranges(classes: str, wanted: str) -> str:
    """The inside of a character class: plain ranges, which `re` matches thrice as fast as `regex` its properties."""
    spans = (match.span() for match in re.finditer(f"[{wanted}]+", classes))
    return "".join(f"{chr(start)}-{chr(end - 1)}" for start, end in spans)


_CLASSES = _class_of_each_character()
_STARTS = _ranges(_CLASSES, "LN") + _LETTERS_BEYOND
_GOES_ON = _ranges(_CLASSES, "LNM") + _LETTERS_BEYOND + INVISIBLE
_GLUE = re.escape(JOINERS + APOSTROPHES)
_RUN = _ranges(_CLASSES, "lnm") + _SPACELESS_BEYOND

IS_SPACELESS = re.compile(f"[{_RUN}]")
# In order: a capital letter alone after a word in small letters, with the space between them, because it is a label
# (`hepatitis A`, `groupe O`) even where that letter is a grammar word; words, with what apostrophes and joiners hold
# together (`l'hôpital`, `I21.9`, `post-opératoire`) and an apostrophe at the end (`l' hôpital`); a run of a script
# without spaces.
SURFACE = re.compile(
    f"(?<=[a-zß-öø-ÿ]) [A-Z](?![{_GOES_ON}{APOSTROPHES}]|[{_GLUE}][{_STARTS}])"
    f"|[{_STARTS}][{_GOES_ON}]*+(?:[{_GLUE}][{_STARTS}][{_GOES_ON}]*+)*+[{APOSTROPHES}]?+"
    f"|[{_RUN}]++"
)
