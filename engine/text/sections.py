"""The blocks of a document gathered into sections: a path of headings and the text below the last of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.text.structure import DIVISIONS, Division, Marker, read_marker

# A heading of a document without marked divisions fills the field of its level.
_FIELD_OF_LEVEL: dict[int, Division] = {1: "part", 2: "chapter", 3: "section"}
_BELOW_ALL_LEVELS = 100


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document as its reader found it. `level` is 1… for headings, None for body; `page` is 1-based."""

    text: str
    level: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Heading:
    """A heading above a section. `division` and `label` fill the location; `text` titles the passages below it.

    `in_body` says that the text of the heading is part of the section's body as well.
    """

    rank: int
    division: Division | None
    label: str
    text: str
    page: int | None
    in_body: bool


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Text under one path of headings, outermost first.

    `titles` is the path without a heading that is the body itself. `pages` holds a (position in `body`, page) for each
    page that begins.
    """

    path: tuple[Heading, ...]
    titles: tuple[Heading, ...]
    body: str
    pages: tuple[tuple[int, int | None], ...]

    def page_at(self, position: int) -> int | None:
        """The page on which the character at `position` stands."""
        return next((page for start, page in reversed(self.pages) if start <= position), None)


def read_sections(blocks: Sequence[Block]) -> tuple[Section, ...]:
    """The sections of a document, in order; together they hold every line of every block that is not blank.

    Headings are the blocks that have a level and the lines that open a division. A heading with nothing below it is the
    body of a section of its own. A division without a title takes the next line for it, where that is a heading too or
    in capitals.
    """
    draft = _Draft()
    for line, block in _lines(blocks):
        draft.read(line, block)
    draft.close(0)
    return tuple(draft.sections)


def _lines(blocks: Sequence[Block]) -> Iterator[tuple[str, Block]]:
    for block in blocks:
        for line in [block.text] if block.level is not None else block.text.splitlines():
            if line.strip():
                yield line, block


@dataclass(slots=True)
class _Draft:
    sections: list[Section] = field(default_factory=list)
    path: list[Heading] = field(default_factory=list)
    filled: list[bool] = field(default_factory=list)
    body: list[tuple[str, int | None]] = field(default_factory=list)
    untitled: bool = False

    def read(self, line: str, block: Block) -> None:
        marker = read_marker(line, is_heading=block.level is not None)
        if marker is None and self.untitled and (block.level is not None or line.isupper()):
            self._title(line)
        elif marker is not None:
            self._open(_marked(marker, block))
            self.untitled = (marker.heading or "").rstrip(".:–—- ") == marker.label and marker.division != "article"
            if marker.heading is None:
                self.body.append((line, block.page))
        elif block.level is not None:
            self._open(_levelled(line, block.level, block.page))
        else:
            self.body.append((line, block.page))
            self.untitled = False

    def close(self, rank: int) -> None:
        """End the section at hand, and every heading of that rank or below."""
        self._flush()
        while self.path and self.path[-1].rank >= rank:
            heading = self.path[-1]
            if not self.filled[-1]:
                self.sections.append(Section((*self.path,), (*self.path[:-1],), heading.text, ((0, heading.page),)))
                self.filled = [True] * len(self.filled)
            self.path.pop()
            self.filled.pop()

    def _open(self, heading: Heading) -> None:
        self.close(heading.rank)
        self.path.append(heading)
        self.filled.append(False)
        self.untitled = False

    def _title(self, line: str) -> None:
        opened = self.path[-1]
        text = f"{opened.text} {' '.join(line.split())}"
        self.path[-1] = Heading(opened.rank, opened.division, opened.label, text, opened.page, opened.in_body)
        self.untitled = False

    def _flush(self) -> None:
        if not self.body:
            return
        pages: list[tuple[int, int | None]] = []
        position = 0
        for line, page in self.body:
            if not pages or pages[-1][1] != page:
                pages.append((position, page))
            position += len(line) + 1
        path = tuple(self.path)
        self.sections.append(Section(path, path, "\n".join(line for line, _ in self.body), tuple(pages)))
        self.filled = [True] * len(self.filled)
        self.body = []


def _marked(marker: Marker, block: Block) -> Heading:
    rank = block.level if block.level is not None else _BELOW_ALL_LEVELS + DIVISIONS.index(marker.division)
    in_body = marker.heading is None
    return Heading(rank, marker.division, marker.label, marker.heading or marker.label, block.page, in_body)


def _levelled(line: str, level: int, page: int | None) -> Heading:
    text = " ".join(line.split())
    return Heading(level, _FIELD_OF_LEVEL.get(level), text, text, page, in_body=False)
