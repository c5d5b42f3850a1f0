"""Where a stretch of a section stands in its document."""

from __future__ import annotations

import re

from engine.text.sections import Section
from engine.text.structure import read_paragraph_number
from engine.types import ChunkLocation

_LINE = re.compile(r"[^\n]+")
_PARAGRAPH_WORD = {"vi": "Khoản "}


def place(
    section: Section, span: tuple[int, int], document_id: str, language: str | None, *, whole: bool
) -> ChunkLocation:
    """The location of `section.body[span]`: its divisions as written (`Chương I`, `Article 5`), and where it begins.

    `page` is that of its first character. `paragraph` names the paragraphs of an article that it holds in part or in
    full (`2`, `2–4`; `Khoản 2` in Vietnamese); None where it is the whole of its section, or not in an article.
    """
    divisions = {heading.division: heading.label for heading in section.path if heading.division}
    numbers = [] if whole or "article" not in divisions else _paragraphs(section.body, span)
    return ChunkLocation(
        document_id=document_id,
        part=divisions.get("part"),
        chapter=divisions.get("chapter"),
        section=divisions.get("section"),
        article=divisions.get("article"),
        paragraph=_named(numbers, language),
        page=section.page_at(span[0]),
    )


def _paragraphs(body: str, span: tuple[int, int]) -> list[str]:
    marks = [
        (match.start(), number)
        for match in _LINE.finditer(body, 0, span[1])
        if (number := read_paragraph_number(match[0])) is not None
    ]
    before = [number for start, number in marks if start <= span[0]]
    return [*before[-1:], *(number for start, number in marks if start > span[0])]


def _named(numbers: list[str], language: str | None) -> str | None:
    if not numbers:
        return None
    span = numbers[0] if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    return f"{_PARAGRAPH_WORD.get(language or '', '')}{span}"
