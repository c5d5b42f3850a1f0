"""The title of the passages of a section: the headings above them, as far as they leave room for text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.text.measuring import Lengths, words
from engine.text.sections import Heading, Section

BETWEEN = " › "


def titled(sections: Sequence[Section], limit: int, lengths: Lengths) -> Iterator[tuple[Section, str]]:
    """Each section with a title of at most `limit` tokens, outer headings left out first.

    A heading that has been in no title so far then becomes the beginning of the section's body, so that it is not lost.
    """
    lengths.learn(
        [BETWEEN.strip(), *(word for section in sections for head in section.titles for word in words(head.text))]
    )
    shown: set[Heading] = set()
    for section in sections:
        kept = _that_fit(section.titles, limit, lengths)
        left = [head for head in section.titles if head not in kept and head not in shown and not head.in_body]
        shown.update(kept, left)
        yield _with_headings(section, left), BETWEEN.join(head.text for head in kept)


def _that_fit(headings: Sequence[Heading], limit: int, lengths: Lengths) -> list[Heading]:
    kept: list[Heading] = []
    for heading in reversed(headings):
        if lengths.text(BETWEEN.join(head.text for head in [heading, *kept])) > limit:
            break
        kept.insert(0, heading)
    return kept


def _with_headings(section: Section, headings: Sequence[Heading]) -> Section:
    if not headings:
        return section
    lines = [heading.text for heading in headings]
    starts = [sum(len(line) + 1 for line in lines[:row]) for row in range(len(lines) + 1)]
    pages = [(start, heading.page) for start, heading in zip(starts, headings, strict=False)]
    moved = [(start + starts[-1], page) for start, page in section.pages]
    return replace(section, body="\n".join([*lines, section.body]), pages=(*pages, *moved))
