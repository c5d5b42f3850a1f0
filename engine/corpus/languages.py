"""The language of every chunk: chosen for all, given by its row, else detected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.corpus.drafts import Draft
from engine.text.detect import detect_language
from engine.types import Progress, no_progress

READ_CHARACTERS = 300
"""How much of a text is read to tell its language."""
LONG_CHARACTERS = 120
"""A text of this length tells its language by itself; a shorter one follows the rest of its collection."""
SAMPLE = 500
"""How many texts are read of a large collection to see whether it is in one language."""
_FEWEST = 20
_MOST_UNKNOWN = 0.1
_MOST_OTHERS = 0.01
_MOSTLY = 0.8
_STEP = 200


@dataclass(frozen=True, slots=True)
class _Vote:
    """The languages of texts: the main one with its share, and whether it is practically the only one."""

    language: str | None
    share: float
    alone: bool

    @classmethod
    def of(cls, languages: Sequence[str | None]) -> _Vote:
        counts = Counter(languages)
        unknown, known = counts.pop(None, 0), counts.total()
        if not known:
            return cls(None, 0.0, False)
        language, count = counts.most_common(1)[0]
        total = known + unknown
        alone = total >= _FEWEST and unknown <= _MOST_UNKNOWN * total and known - count <= _MOST_OTHERS * total
        return cls(language, count / total, alone)


def settle_languages(drafts: Sequence[Draft], chosen: str | None, progress: Progress = no_progress) -> str | None:
    """Fill in the language of every draft that has none; returns a remark where not every text was read.

    A long text is detected by itself; where no language is found in it, it takes that of a collection that is
    practically in one. A short text (a label, a code) takes the language of at least four in five of the long ones, or
    of many short ones read together; where there is none, it is detected by itself. Of more than twice `SAMPLE` drafts
    without a language, `SAMPLE` are read first; where they are practically in one language, all the others are, too.
    """
    if chosen is not None:
        for draft in drafts:
            draft.fields["language"] = chosen
        return None
    silent = [draft for draft in drafts if not draft.fields.get("language")]
    if len(silent) > 2 * SAMPLE:
        sample = silent[:: len(silent) // SAMPLE]
        vote = _Vote.of(_telling([_text(draft) for draft in sample])[1])
        if vote.alone:
            for draft in silent:
                draft.fields["language"] = vote.language
            return f"language {vote.language!r}, detected in {len(sample):,} of {len(silent):,} rows"
    _detect(silent, progress)
    return None


def text_language(text: str) -> str | None:
    """The language of one text, from its beginning."""
    return detect_language(text[:READ_CHARACTERS])


def _detect(drafts: Sequence[Draft], progress: Progress) -> None:
    texts = [_text(draft) for draft in drafts]
    rows, languages = _telling(texts, progress)
    vote = _Vote.of(languages)
    known = dict(zip(rows, languages, strict=False))
    for row, draft in enumerate(drafts):
        if row in known:
            language = known[row] or (vote.language if vote.alone else None)
        else:
            language = vote.language if vote.share >= _MOSTLY else text_language(texts[row])
        draft.fields["language"] = language


def _telling(texts: Sequence[str], progress: Progress = no_progress) -> tuple[list[int], list[str | None]]:
    """The rows of the long texts and their languages; no rows, but the languages of short ones joined, if all are."""
    rows = [row for row, text in enumerate(texts) if len(text) >= LONG_CHARACTERS]
    telling = [texts[row] for row in rows] or _joined(texts)
    languages: list[str | None] = []
    for done, text in enumerate(telling):
        if done % _STEP == 0:
            progress("language", done, len(telling))
        languages.append(text_language(text))
    return rows, languages


def _joined(texts: Sequence[str]) -> list[str]:
    """Short texts put together to pieces that are long enough to tell a language."""
    pieces: list[str] = []
    piece: list[str] = []
    for text in texts:
        piece.append(text)
        if sum(map(len, piece)) >= LONG_CHARACTERS:
            pieces.append("\n".join(piece))
            piece = []
    return pieces or ["\n".join(piece)]


def _text(draft: Draft) -> str:
    return f"{draft.fields.get('title', '')}\n{draft.fields.get('text', '')}".strip()
