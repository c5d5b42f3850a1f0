"""The title of the passages of a section: the headings above them, as far as they leave room for text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.text.measuring import Lengths, words
from engine.text.sections import Heading, Section

BETWEEN = " › "


def titled(sections: Sequence[Section], limit: int, lengths: Lengths) -> Iterator[tuple[Section, str]]:
    """Each section with a title of at most `limit` tokens, outer headings left out first.

    Headings that are left out without having been in a title before become the body of a section of their own, so that
    they are not lost.
    """
    lengths.learn(
        [BETWEEN.strip(), *(word for section in sections for head in section.titles for word in words(head.text))]
    )
    shown: set[Heading] = set()
    for section in sections:
        kept = _that_fit(section.titles, limit, lengths)
        left = [head for head in section.titles if head not in kept and head not in shown and not head.in_body]
        shown.update(kept, left)
        if left:
            yield _of_headings(section.path, left), ""
        yield section, BETWEEN.join(head.text for head in kept)


def _that_fit(headings: Sequence[Heading], limit: int, lengths: Lengths) -> list[Heading]:
    kept: list[Heading] = []
    for heading in reversed(headings):
        if lengths.text(BETWEEN.join(head.text for head in [heading, *kept])) > limit:
            break
        kept.insert(0, heading)
    return kept


def _of_headings(path: Sequence[Heading], headings: Sequence[Heading]) -> Section:
    lines = [heading.text for heading in headings]
    starts = [sum(len(line) + 1 for line in lines[:row]) for row in range(len(lines))]
    pages = tuple((start, heading.page) for start, heading in zip(starts, headings, strict=True))
    return Section(tuple(path[: path.index(headings[-1]) + 1]), (), "\n".join(lines), pages)
