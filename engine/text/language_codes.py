"""The names that people give to languages, as two-letter codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LANGUAGE_NAMES: Mapping[str, str] = {
    **{"english": "en", "anglais": "en", "inglés": "en", "eng": "en", "tiếng anh": "en"},
    **{"french": "fr", "français": "fr", "francés": "fr", "fra": "fr", "fre": "fr", "tiếng pháp": "fr"},
    **{"spanish": "es", "español": "es", "espagnol": "es", "castellano": "es", "spa": "es"},
    **{"vietnamese": "vi", "tiếng việt": "vi", "vietnamien": "vi", "vietnamita": "vi", "vie": "vi"},
}


def language_code(text: str) -> str:
    """A language as its two-letter code where it is one of the four (`fr-FR`, `Français` → `fr`), else as given."""
    plain = text.strip().casefold()
    code = _LANGUAGE_NAMES.get(plain) or re.split("[-_]", plain)[0]
    return code if code in _LANGUAGE_NAMES.values() else text.strip()
