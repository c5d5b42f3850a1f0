"""JSONL: one JSON object a line, lines ended by line feeds only, so that U+2028 inside a text ends nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TextIO

from engine.corpus.cells import Cell
from engine.corpus.decoding import Decoding, find_decoding, open_text, replaced, undecodable
from engine.corpus.json_text import NotJson, parse, repeated_fields
from engine.corpus.records import Record, Rows, Table, TableReader
from engine.corpus.report import Problem, ProblemKind
from engine.corpus.sources import SourceFile, refusing
from engine.errors import BadInput

LONGEST_LINE = 64 << 20


def open_json_lines(source: SourceFile) -> Table:
    """The records of a JSONL file. Empty lines are passed over; a bad line is a problem with its true number."""
    decoding = find_decoding(source)
    return Table(_rows(source, decoding), settings=decoding.settings, problems=decoding.problems(source))


def _rows(source: SourceFile, decoding: Decoding) -> Rows:
    with refusing(source, f"{decoding.encoding} text"), open_text(source, decoding.encoding, "\n") as stream:
        for number, line in _numbered(stream, source.name):
            if line.strip():
                yield _row(line, number, source)


def _numbered(stream: TextIO, name: str) -> Iterator[tuple[int, str]]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise BadInput(f"{name}: line {number} is longer than {LONGEST_LINE:,} characters.", "Is it JSONL?")
        yield number, line


def _row(line: str, number: int, source: SourceFile) -> Record | Problem:
    where = f"line {number}"
    notes: tuple[tuple[ProblemKind, str], ...] = ()
    if fault := undecodable(line):
        if source.options.errors == "strict":
            return Problem(where=where, kind="undecodable", text=f"{fault}; the row is left out")
        line, notes = replaced(line), (("undecodable", f"{fault}; marked with U+FFFD"),)
    try:
        value = parse(line)
    except NotJson as error:
        return Problem(where=where, kind="unreadable", text=f"not valid JSON: {error}")
    if not isinstance(value, dict):
        return Problem(where=where, kind="unreadable", text=f"a JSON {type(value).__name__}, not an object with fields")
    return json_record(number, where, value, notes)


def json_record(
    number: int, where: str, value: Mapping[str, Cell], notes: tuple[tuple[ProblemKind, str], ...] = ()
) -> Record:
    """The record of a JSON object, with a note on each field that came twice in it."""
    repeated: list[tuple[ProblemKind, str]] = [
        ("changed value", f"the field {name!r} comes again; the last is used") for name in repeated_fields(value)
    ]
    return Record(number, where, value, (*notes, *repeated))


JSON_LINES = TableReader(
    "JSON lines", "One JSON object a line, each a record.", (".jsonl", ".ndjson", ".jsonlines"), open_json_lines
)
