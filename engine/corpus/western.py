"""Whether bytes are text of a Western European Windows program, told by their words: a few are enough."""

from __future__ import annotations

import re

ENCODING = "cp1252"
_LETTERS = "àâäáãçéèêëíìîïñóòôöõúùûüÿæœßÀÂÄÁÃÇÉÈÊËÍÌÎÏÑÓÒÔÖÕÚÙÛÜŸÆŒªº²³"
_SIGNS = "“”‘’–—…«»°§€£¥©®±×÷·¡¿¼½¾•†‡™µ\u00a0"
_ALLOWED = re.compile(f"[\0-\x7f{_LETTERS}{_SIGNS}]*")
_WORD = re.compile(r"[^\W_]+")
# A capital accent after a small letter, or an opening mark after a letter: signs of another encoding.
_ODD = re.compile("[a-zàâäáãçéèêëíìîïñóòôöõúùûü][ÀÂÄÁÃÇÉÈÊËÍÌÎÏÑÓÒÔÖÕÚÙÛÜ]|[^\\W\\d][¿¡]")


def is_western(data: bytes) -> bool:
    """Whether the bytes, read as cp1252, are words of English, French, Spanish, German, Portuguese or Italian.

    Only their letters and signs occur; no word of three letters or more consists of accents alone, as those of another
    alphabet do.
    """
    try:
        text = data.decode(ENCODING)
    except UnicodeDecodeError:
        return False
    if not _ALLOWED.fullmatch(text) or _ODD.search(text):
        return False
    return all(len(word) < 3 or re.search("[a-zA-Z0-9]", word) for word in _WORD.findall(text) if not word.isascii())
