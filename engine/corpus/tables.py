"""The rows of a table as drafts of chunks, under a mapping that is chosen, guessed, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice

from engine.corpus.columns import guess_fields, has_usual_name
from engine.corpus.drafts import Draft, draft_record
from engine.corpus.options import MAPPED_FIELDS
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Record, Table
from engine.corpus.report import Problem, listed
from engine.corpus.sources import MOST_ROWS, SourceFile, too_many_rows
from engine.corpus.vectors import find_vector_column, vector_of
from engine.errors import BadInput

HEAD_ROWS = 100
"""How many rows decide the guess."""


def resolve_mapping(
    columns: Sequence[str], head: Sequence[Record], source: SourceFile, *, strict: bool = True
) -> dict[str, str]:
    """The field → column mapping: what the options say, the rest guessed.

    `BadInput` for a field that does not exist, and where `strict` for a column that does not; else that is passed over,
    since the files of a folder need not all have the same columns.
    """
    wanted = source.options.mapping
    for field, column in wanted.items():
        if field not in MAPPED_FIELDS:
            raise BadInput(f"A chunk has no field {field!r}.", f"Use one of {', '.join(MAPPED_FIELDS)}.")
        if strict and column is not None and column not in columns:
            raise BadInput(f"{source.name} has no column {column!r} for {field}.", f"It has {listed(columns, 30)}.")
    chosen = {field: column for field, column in wanted.items() if column in columns}
    free = [column for column in columns if column not in chosen.values()]
    guessed = guess_fields(free, head, frozenset(MAPPED_FIELDS).difference(wanted))
    return {**guessed, **{field: column for field, column in chosen.items() if column is not None}}


def columns_of(table: Table, head: Sequence[Record]) -> tuple[str, ...]:
    """The columns of a table: those of its header, then those that its first rows bring."""
    return tuple(dict.fromkeys(chain(table.columns, *(record.values for record in head))))


def head_of(table: Table) -> tuple[list[Record | Problem], list[Record]]:
    """The first rows of a table, taken from it, and the records among them."""
    first = list(islice(table.rows, HEAD_ROWS))
    return first, [row for row in first if isinstance(row, Record)]


def draft_table(
    table: Table, source: SourceFile, log: ProblemLog, *, stem: str | None = None
) -> Iterator[Draft | None]:
    """A draft for each row in order, None for a row that cannot be used (its problem is in `log`).

    `stem` names the file where it is one of several: in the places of problems and in the ids given to rows without.
    """
    log.extend(table.problems)
    where, prefix = ("", "") if stem is None else (f"{source.name}: ", f"{stem}#")
    with closing(table.rows) as rows:
        first, head = head_of(table)
        known = dict.fromkeys(columns_of(table, head))
        vectors = find_vector_column([*known], head, source.options.vectors)
        named = [column for column in known if column != vectors]
        mapping = resolve_mapping(named, head, source, strict=stem is None)
        for position, row in enumerate(chain(first, rows)):
            if position >= MOST_ROWS:
                raise too_many_rows(source.name)
            if isinstance(row, Problem):
                log.add(f"{where}{row.where}", row.kind, row.text)
                yield None
                continue
            if vectors is not None and vectors in row.values:
                row = _with_vector(row, vectors, use=source.options.vectors in (None, vectors))
            if not known.keys() >= row.values.keys():
                late = [column for column in row.values if column not in known]
                known.update(dict.fromkeys(late))
                if any(has_usual_name(column) for column in late):
                    mapping = {**resolve_mapping([*known], head, source, strict=False), **mapping}
            draft = draft_record(row, mapping, f"{prefix}row-{row.number}")
            draft.position, draft.where = position, f"{where}{row.where}"
            for kind, text in draft.notes:
                log.add(draft.where, kind, text)
            yield draft


def _with_vector(row: Record, column: str, *, use: bool) -> Record:
    values = dict(row.values)
    vector = vector_of(values.pop(column))
    return replace(row, vector=vector if use else None, values=values)
