"""CSV and TSV: rows of cells, all text, with their delimiter found out and their true line numbers kept."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TextIO

from engine.corpus.decoding import Decoding, find_decoding, open_text, replaced, undecodable
from engine.corpus.headers import named_columns
from engine.corpus.records import Record, Rows, Table, TableReader
from engine.corpus.report import Problem, ProblemKind
from engine.corpus.sources import SourceFile, refusing
from engine.errors import BadInput

LONGEST_CELL = 16 << 20
LONGEST_LINE = 64 << 20
DELIMITERS = (",", ";", "\t", "|")
_HEAD_LINES = 200


def open_csv(source: SourceFile) -> Table:
    """The rows of a CSV file under its header, the delimiter found out unless given."""
    return _open(source, source.options.delimiter)


def open_tsv(source: SourceFile) -> Table:
    """The rows of a TSV file under its header."""
    return _open(source, source.options.delimiter or "\t")


def find_delimiter(lines: Sequence[str]) -> str:
    """The delimiter under which the header has several cells and most of the rows have as many; a comma if none."""
    scores = {delimiter: _fit(lines, delimiter) for delimiter in DELIMITERS}
    return max(DELIMITERS, key=lambda delimiter: scores[delimiter])


def _fit(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    widths: list[int] = []
    with suppress(csv.Error):  # a faulty row ends the sample
        widths.extend(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
    if len(widths) > 2:
        widths.pop()  # the head may end within a row
    if not widths or widths[0] == 1:
        return 0.0, 0
    return sum(width == widths[0] for width in widths) / len(widths), widths[0]


def _open(source: SourceFile, delimiter: str | None) -> Table:
    # One limit for the whole process, and the module's own (131,072) is less than many a document in a cell.
    csv.field_size_limit(LONGEST_CELL)
    decoding = find_decoding(source)
    with refusing(source, f"{decoding.encoding} text", csv.Error), open_text(source, decoding.encoding, "") as stream:
        head = [line for _, line in zip(range(_HEAD_LINES), _Lines(stream), strict=False)]
        declared = _declared(head)
        delimiter = source.options.delimiter or declared or delimiter or find_delimiter(head)
        names = next(csv.reader(head[1 if declared else 0 :], delimiter=delimiter), [])
    if not "".join(names).strip():
        raise BadInput(f"{source.name} does not begin with a row of column names.", "Put one in its first line.")
    if fault := undecodable("".join(names)):
        raise BadInput(
            f"{source.name}: {fault} in the column names.", f"It may not be {decoding.encoding}; choose another."
        )
    columns, problems = named_columns(names, source.name)
    return Table(
        _rows(source, decoding, delimiter, columns, bool(declared)),
        columns,
        settings={**decoding.settings, "delimiter": delimiter},
        problems=(*decoding.problems(source), *problems),
    )


def _declared(head: Sequence[str]) -> str | None:
    """The delimiter that spreadsheet programs declare in a line before the header: `sep=;`."""
    first = head[0].strip("\r\n") if head else ""
    return first[4] if len(first) == 5 and first.lower().startswith("sep=") else None


class _Lines:
    """Physical lines one by one, with those of the row in hand kept, so that a faulty row can be read again."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._returned: deque[str] = deque()
        self.in_hand: list[str] = []
        self.number = 0
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._returned.popleft() if self._returned else self._stream.readline(LONGEST_LINE)
        if not line:
            self.ended = True
            raise StopIteration
        self.number += 1
        if len(line) == LONGEST_LINE:
            raise BadInput(
                f"Line {self.number} is longer than {LONGEST_LINE:,} characters.", "Is it a CSV or TSV file?"
            )
        self.in_hand.append(line)
        return line

    def give_back(self) -> None:
        """Let all lines of the row in hand but the first be read again."""
        self._returned.extendleft(reversed(self.in_hand[1:]))
        self.number -= len(self.in_hand) - 1
        self.ended = False


def _rows(source: SourceFile, decoding: Decoding, delimiter: str, columns: tuple[str, ...], declared: bool) -> Rows:
    with refusing(source, f"{decoding.encoding} text"), open_text(source, decoding.encoding, "") as stream:
        numbered = enumerate(_cells(_Lines(stream), delimiter, 2 if declared else 1), start=1)
        for number, (line, cells) in numbered:
            where = f"row {number} (line {line})"
            if isinstance(cells, str):
                yield Problem(where=where, kind="unreadable", text=cells)
            else:
                yield _row(cells, columns, number, where, source)


def _cells(lines: _Lines, delimiter: str, header: int) -> Iterator[tuple[int, list[str] | str]]:
    """For each row its first line and its cells, or what is wrong with it; `header` rows are passed over.

    A quotation mark that is never closed would swallow the rest of the file: only its line is given up, the lines
    after it are read again by themselves.
    """
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        lines.in_hand.clear()
        start = lines.number + 1
        fault = None
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fault = str(error)
        if fault is None and lines.ended:
            fault = "a quotation mark in this line is never closed"
        if fault is not None:
            yield start, f"{fault}; the line is left out"
            lines.give_back()
            reader = csv.reader(lines, delimiter=delimiter)
        elif header:
            header -= 1
        elif "".join(cells).strip() or (len(cells) == 1 and lines.in_hand[0].strip()):
            yield start, cells


def _row(cells: list[str], columns: tuple[str, ...], number: int, where: str, source: SourceFile) -> Record | Problem:
    notes: list[tuple[ProblemKind, str]] = []
    if fault := undecodable("".join(cells)):
        if source.options.errors == "strict":
            return Problem(where=where, kind="undecodable", text=f"{fault}; the row is left out")
        cells = [replaced(cell) for cell in cells]
        notes.append(("undecodable", f"{fault}; marked with U+FFFD"))
    extra = {f"column {place}": cell for place, cell in enumerate(cells[len(columns) :], len(columns) + 1) if cell}
    if extra:
        notes.append(("uneven row", f"{len(cells)} cells under {len(columns)} names; the rest is kept as metadata"))
    if len(cells) < len(columns):
        notes.append(("uneven row", f"{len(cells)} cells under {len(columns)} names; the others are empty"))
    return Record(number, where, {**dict(zip(columns, cells, strict=False)), **extra}, tuple(notes))


CSV = TableReader(
    "CSV", "Rows of cells under a header, separated by commas, semicolons, tabs or bars.", (".csv", ".psv"), open_csv
)
TSV = TableReader("TSV", "Rows of cells under a header, separated by tabs.", (".tsv", ".tab"), open_tsv)
