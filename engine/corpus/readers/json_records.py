"""JSON: an array of objects, an object with one such array inside, or a single object."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from engine.corpus.cells import Cell
from engine.corpus.columns import NAMES, plain_name
from engine.corpus.decoding import find_decoding, read_text
from engine.corpus.json_text import NotJson, parse, parse_at
from engine.corpus.readers.json_lines import json_record, open_json_lines
from engine.corpus.records import Rows, Table, TableReader
from engine.corpus.report import Problem
from engine.corpus.sources import HEAD_BYTES, SourceFile
from engine.errors import BadInput

HEAD_RECORDS = 100
_CONTAINERS = frozenset(
    {"chunks", "corpus", "data", "docs", "documents", "hits", "items", "passages", "records", "results", "rows"}
    | {"donnees", "datos", "du_lieu"}
)
_ARRAY = re.compile(r"\[\s*(?=\{)")
_GAP = re.compile(r"[\s,]*")
_LINES = re.compile(r"\s*\{.*\}[ \t\r]*\n\s*\{")


def open_json(source: SourceFile) -> Table:
    """The records of a JSON file. JSONL under this ending is read as such."""
    decoding = find_decoding(source)
    text, problems = read_text(source, decoding.encoding)
    if _LINES.match(text[: 1 << 16]):
        return open_json_lines(source)
    if len(text) < HEAD_BYTES or not source.head_only:
        records = _records(source, _whole(source, text))
    else:
        records = _first(text)
        if not records:
            return open_json(replace(source, head_only=False))
    return Table(
        _rows(records),
        settings=decoding.settings,
        problems=(*decoding.problems(source), *problems),
    )


def _whole(source: SourceFile, text: str) -> Cell:
    try:
        return parse(text)
    except NotJson as error:
        raise BadInput(f"{source.name} is not valid JSON: {error}.", "Correct it there, or export it again.") from None


def _first(text: str) -> list[Cell]:
    """The first records of the first array of objects in the head of a large file; none where it has no whole one."""
    start = _ARRAY.search(text)
    found: list[Cell] = []
    at = start.end() if start else len(text)
    while at < len(text) and text[at] == "{" and len(found) < HEAD_RECORDS:
        try:
            value, at = parse_at(text, at)
        except NotJson:
            break
        found.append(value)
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
    return found


def _records(source: SourceFile, value: Cell) -> list[Cell]:
    """The list of records in a parsed file."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        arrays = _arrays(value)
        named = {name: array for name, array in arrays.items() if plain_name(name) in _CONTAINERS}
        has_text = any(isinstance(part, str) and plain_name(name) in NAMES["text"] for name, part in value.items())
        if len(named) == 1 or (len(arrays) == 1 and not has_text):
            return next(iter((named or arrays).values()))
        if has_text or (not arrays and any(isinstance(part, str) for part in value.values())):
            return [value]
        if arrays:
            names = ", ".join(arrays)
            raise BadInput(f"{source.name} holds several arrays of records: {names}.", "Save one of them by itself.")
    raise BadInput(f"{source.name} holds no array of records.", 'Use [{"id": …, "text": …}, …] or JSON lines.')


def _arrays(value: dict[str, Cell], depth: int = 3) -> dict[str, list[Cell]]:
    """The arrays of objects in an object, by name; those of the objects inside it where it has none itself."""
    arrays = {name: part for name, part in value.items() if isinstance(part, list) and _holds_objects(part)}
    if arrays or not depth:
        return arrays
    inner = [_arrays(part, depth - 1) for part in value.values() if isinstance(part, dict)]
    return {name: array for found in inner for name, array in found.items()}


def _holds_objects(part: list[Cell]) -> bool:
    return not part or any(isinstance(item, dict) for item in part)


def _rows(records: Iterable[Cell]) -> Rows:
    for number, value in enumerate(records, start=1):
        where = f"row {number}"
        if isinstance(value, dict):
            yield json_record(number, where, value)
        else:
            kind = type(value).__name__
            yield Problem(where=where, kind="unreadable", text=f"a JSON {kind}, not an object with fields")


JSON_RECORDS = TableReader(
    "JSON", "An array of objects, or an object that holds one, each a record.", (".json",), open_json
)
