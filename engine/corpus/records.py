"""What a reader hands over: records of a table one by one, or the blocks of a document."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.corpus.cells import Cell
from engine.corpus.report import Problem, ProblemKind
from engine.corpus.sources import SourceFile
from engine.text.chunking import Block
from engine.types import Vectors


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a table. `number` counts from 1; `notes` say what was amiss with it as a whole."""

    number: int
    where: str
    values: Mapping[str, Cell]
    notes: tuple[tuple[ProblemKind, str], ...] = ()
    vector: Vectors | None = None


Rows = Generator[Record | Problem, None, None]
Blocks = Generator[Block | Problem, None, None]


@dataclass(frozen=True, slots=True)
class Table:
    """An opened table. `rows` yields, in order and lazily, a record or the problem that stands in its place.

    `columns` are those known before the first row; `settings` what was found out about the file.
    """

    rows: Rows
    columns: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """An opened document. `blocks` yields its blocks in order and lazily, and problems where a part has no text.

    `title` heads the document where it has no heading of its own.
    """

    blocks: Blocks
    title: str = ""
    language: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class TableReader:
    """A format of records."""

    label: str
    help: str
    endings: tuple[str, ...]
    open: Callable[[SourceFile], Table]
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class DocumentReader:
    """A format of documents."""

    label: str
    help: str
    endings: tuple[str, ...]
    open: Callable[[SourceFile], Document]
    kind: Literal["document"] = "document"


@dataclass(frozen=True, slots=True)
class FolderReader:
    """A folder whose files are each read by their own format."""

    label: str
    help: str
    endings: tuple[str, ...]
    kind: Literal["folder"] = "folder"


Reader = TableReader | DocumentReader | FolderReader
