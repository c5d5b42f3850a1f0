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
    where = "" if stem is None else f"{source.name}: "
    with closing(table.rows) as rows:
        first, head = head_of(table)
        drafting = _Drafting(columns_of(table, head), head, source, stem)
        for position, row in enumerate(chain(first, rows)):
            if position >= MOST_ROWS:
                raise too_many_rows(source.name)
            if isinstance(row, Problem):
                log.add(f"{where}{row.where}", row.kind, row.text)
                yield None
                continue
            draft = drafting.draft(row)
            draft.position, draft.where = position, f"{where}{row.where}"
            log.extend(Problem(where=draft.where, kind=kind, text=text) for kind, text in draft.notes)
            yield draft


class _Drafting:
    """The columns of a table as they become known, and what each is read as."""

    def __init__(self, columns: Sequence[str], head: Sequence[Record], source: SourceFile, stem: str | None) -> None:
        self._known = dict.fromkeys(columns)
        self._head, self._source = head, source
        self._prefix = "" if stem is None else f"{stem}#"
        self._vectors = find_vector_column(columns, head, source.options.vectors)
        named = [column for column in columns if column != self._vectors]
        self._mapping = resolve_mapping(named, head, source, strict=stem is None)

    def draft(self, row: Record) -> Draft:
        if self._vectors is not None and self._vectors in row.values:
            row = self._with_vector(row, self._vectors)
        if not self._known.keys() >= row.values.keys():
            self._learn([column for column in row.values if column not in self._known])
        return draft_record(row, self._mapping, f"{self._prefix}row-{row.number}")

    def _learn(self, late: Sequence[str]) -> None:
        self._known.update(dict.fromkeys(late))
        if any(has_usual_name(column) for column in late):
            found = resolve_mapping([*self._known], self._head, self._source, strict=False)
            self._mapping = {**found, **self._mapping}

    def _with_vector(self, row: Record, column: str) -> Record:
        values = dict(row.values)
        vector = vector_of(values.pop(column))
        wanted = self._source.options.vectors in (None, column)
        return replace(row, vector=vector if wanted else None, values=values)
