"""The first rows of a source and what would be guessed of it, read from its head alone."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from engine.corpus.cells import as_text
from engine.corpus.options import ImportOptions
from engine.corpus.parts import Part, parts_of
from engine.corpus.records import Document, DocumentReader, Table
from engine.corpus.report import Problem
from engine.corpus.tables import columns_of, head_of, resolve_mapping
from engine.corpus.vectors import file_beside, find_vector_column

ROWS = 20
LONGEST_CELL = 1_000


@dataclass(frozen=True, slots=True)
class Preview:
    """The head of a source: `rows` has at most 20, each with one text a column, cut after 1,000 characters.

    Of documents the rows are blocks, with the columns `level`, `page` and `text`. `guessed` are options under which
    `read_source` reads what it would read by itself. `problems` are those of the head.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    guessed: ImportOptions
    problems: tuple[Problem, ...]


def preview(path: Path | str, options: ImportOptions | None = None) -> Preview:
    """The first rows of a file, or of the first table (else document) of a folder. `BadInput` as in reading."""
    path, chosen = Path(path), options or ImportOptions()
    name, parts, left_out = parts_of(path, chosen, head_only=True)
    part = next((part for part in parts if part.reader.kind == "table"), parts[0])
    alone = len(parts) == 1
    if isinstance(part.reader, DocumentReader):
        shown = _of_document(part.reader.open(part.source))
        found: dict[str, Any] = {}
    else:
        shown, found = _of_table(part, part.reader.open(part.source), alone)
    if name == "folder":
        formats = Counter(part.format for part in parts)
        counts = ", ".join(f"{count:,} {found}" for found, count in formats.most_common())
        note = Problem(
            where=path.name, kind="guess", text=f"files that can be read: {counts}; shown is {part.source.name}."
        )
        left_out = [note, *left_out]
    guessed = ImportOptions.model_validate({**chosen.model_dump(), "format": name, **found})
    return Preview(shown.columns, shown.rows, guessed, (*left_out, *shown.problems))


@dataclass(frozen=True, slots=True)
class _Shown:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    problems: tuple[Problem, ...]


def _of_table(part: Part, table: Table, alone: bool) -> tuple[_Shown, dict[str, Any]]:
    with closing(table.rows):
        first, head = head_of(table)
    columns = columns_of(table, head)
    options = part.source.options
    column = find_vector_column(columns, head, options.vectors)
    beside = file_beside(part.source)
    named = [name for name in columns if name != column]
    mapping = resolve_mapping(named, head, part.source, strict=alone)
    found: dict[str, Any] = {
        "mapping": {**options.mapping, **mapping},
        "vectors": column if options.vectors is None else options.vectors,
    }
    if alone:
        found |= {name: table.settings[name] for name in ("encoding", "delimiter", "sheet") if name in table.settings}
    if beside is not None:
        found["vectors"] = beside.name
    rows = tuple(tuple(_cell(record.values.get(name)) for name in named) for record in head[:ROWS])
    problems = tuple(row for row in first if isinstance(row, Problem))
    return _Shown(tuple(named), rows, (*table.problems, *problems)), found


def _of_document(document: Document) -> _Shown:
    with closing(document.blocks) as blocks:
        first = list(islice(blocks, ROWS))
    rows = tuple(
        (as_text(block.level), as_text(block.page), _cell(block.text))
        for block in first
        if not isinstance(block, Problem)
    )
    problems = tuple(block for block in first if isinstance(block, Problem))
    return _Shown(("level", "page", "text"), rows, (*document.problems, *problems))


def _cell(value: object) -> str:
    text = as_text(value)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
