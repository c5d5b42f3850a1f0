"""What each language asks of its analyser: stemmer, stop words, elided words and spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.text import stop_words
from engine.text.normalise import fold


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """The data of one language.

    `stemmer` names a Snowball algorithm. `elided` holds what an apostrophe cuts off a word (`l`, `qu`).
    `splits_apostrophes` cuts words at every apostrophe and drops pieces of one letter. `respell` brings spellings of
    the same word together before comparison; it is given case folded NFKC text.
    """

    stemmer: str | None = None
    stop_words: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    splits_apostrophes: bool = False
    respell: Callable[[str], str] | None = None


def _with_unaccented(words: frozenset[str]) -> frozenset[str]:
    return words | {fold(word) for word in words}


# A tone mark on `oa`, `oe`, `uy` stands on the first vowel (`hòa`) or, in newer spelling, on the second (`hoà`).
_TONED_SECOND = {
    **{f"o{second}": f"{first}a" for first, second in zip("òóỏõọ", "àáảãạ", strict=True)},
    **{f"o{second}": f"{first}e" for first, second in zip("òóỏõọ", "èéẻẽẹ", strict=True)},
    **{f"u{second}": f"{first}y" for first, second in zip("ùúủũụ", "ỳýỷỹỵ", strict=True)},
}
_I_AS_Y = str.maketrans("iìíỉĩị", "yỳýỷỹỵ")
_Y_AS_I = str.maketrans("yỳýỷỹỵ", "iìíỉĩị")
_EITHER_I_OR_Y = re.compile("(?:[hklmt]|qu)[iìíỉĩị]")
_ETH = str.maketrans({"ð": "đ"})


def respell_vietnamese(syllable: str) -> str:
    """One spelling for a syllable that has several, the one most used in laws.

    The tone mark moves (`hoà` → `hòa`, `qúy` → `quý`), a final `i` or `y` after one consonant becomes the same letter
    (`kĩ` → `kỹ`, `qui` → `quy`, but `sỹ` → `sĩ`), and the Icelandic `ð` of old files becomes `đ`.
    """
    spelled = syllable.translate(_ETH)
    if spelled[:2] in {f"q{vowel}" for vowel in "ùúủũụ"} and spelled[2:] in ("y", "i"):
        spelled = "qu" + _TONED_SECOND_BACK[spelled[1:2] + "y"][1:]
    elif not spelled.startswith("qu") and spelled[-2:] in _TONED_SECOND:
        spelled = spelled[:-2] + _TONED_SECOND[spelled[-2:]]
    if _EITHER_I_OR_Y.fullmatch(spelled):
        return spelled.translate(_I_AS_Y)
    return spelled.translate(_Y_AS_I) if len(spelled) == 2 and spelled[0] == "s" else spelled


_TONED_SECOND_BACK = {first: second for second, first in _TONED_SECOND.items()}

_FRENCH_ELIDED = frozenset({*"cçdjlmnst", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"})

LANGUAGES: dict[str, LanguageRules] = {
    "en": LanguageRules(stemmer="english", stop_words=stop_words.ENGLISH),
    "fr": LanguageRules(stemmer="french", stop_words=_with_unaccented(stop_words.FRENCH), elided=_FRENCH_ELIDED),
    "es": LanguageRules(stemmer="spanish", stop_words=_with_unaccented(stop_words.SPANISH)),
    "vi": LanguageRules(respell=respell_vietnamese),
    "plain": LanguageRules(splits_apostrophes=True),
}
