"""Excel workbooks: the rows of one sheet, each cell as the program shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, time
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from engine.corpus.cells import Cell, as_text
from engine.corpus.headers import named_columns
from engine.corpus.records import Record, Rows, Table, TableReader
from engine.corpus.report import Problem, ProblemKind
from engine.corpus.sources import PARSER_FAULTS, SourceFile, check_archive, refusing
from engine.errors import BadInput

if TYPE_CHECKING:
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

MOST_ROWS = 1 << 20
"""The rows of a sheet in Excel; a file that claims more is broken."""
_MOST_DIGITS = 10**15
_ZEROS = re.compile("0{2,}")
_FAULTS = (*PARSER_FAULTS, BadZipFile)


def sheet_names(source: SourceFile) -> tuple[str, ...]:
    """The sheets of a workbook in their order; `BadInput` where it cannot be read."""
    check_archive(source)
    with refusing(source, "an Excel workbook", *_FAULTS), closing(_load(source)) as book:
        return tuple(sheet.title for sheet in book.worksheets)


def open_workbook(source: SourceFile) -> Table:
    """The rows of the chosen sheet, else of the first with any, under its first row that is not empty."""
    check_archive(source)
    with refusing(source, "an Excel workbook", *_FAULTS), closing(_load(source)) as book:
        names = [sheet.title for sheet in book.worksheets]
        wanted = source.options.sheet
        if wanted is not None and wanted not in names:
            raise BadInput(f"{source.name} has no sheet {wanted!r}.", f"It has {', '.join(names)}.")
        full = [wanted] if wanted is not None else [name for name in names if any(True for _ in _full(book[name]))]
        if not full:
            raise BadInput(f"{source.name} has no rows in any sheet.", "Choose a workbook with a header and rows.")
        header = next((cells for _, cells in _full(book[full[0]])), ())
    columns, problems = named_columns([as_text(_value(cell)) for cell in header], source.name)
    if len(full) > 1:
        text = f"sheet {full[0]!r} is read; {', '.join(map(repr, full[1:]))} can be chosen instead."
        problems = (*problems, Problem(where=source.name, kind="guess", text=text))
    return Table(_rows(source, full[0], columns), columns, {"sheet": full[0]}, problems)


def _load(source: SourceFile) -> Workbook:
    from openpyxl import load_workbook

    return load_workbook(source.path, read_only=True, data_only=True)


def _full(sheet: ReadOnlyWorksheet) -> Iterator[tuple[int, Sequence[ReadOnlyCell | EmptyCell]]]:
    """The rows with something in them and their numbers in the sheet, cut after their last cell that is not empty."""
    # The stated dimensions may be wrong, or a million columns wide; without them each row is as long as it is.
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if number > MOST_ROWS:
            raise BadInput(f"A sheet claims more than {MOST_ROWS:,} rows.", "Save the workbook again.")
        cells = list(row)
        while cells and (cells[-1].value is None or cells[-1].value == ""):
            cells.pop()
        if cells:
            yield number, cells


def _rows(source: SourceFile, sheet: str, columns: tuple[str, ...]) -> Rows:
    with refusing(source, "an Excel workbook", *_FAULTS), closing(_load(source)) as book:
        rows = _full(book[sheet])
        next(rows, None)
        for number, (place, cells) in enumerate(rows, start=1):
            yield _record(number, place, cells, columns)


def _record(number: int, place: int, cells: Sequence[ReadOnlyCell | EmptyCell], columns: tuple[str, ...]) -> Record:
    notes: list[tuple[ProblemKind, str]] = []
    if len(cells) > len(columns):
        notes.append(("uneven row", f"cells beyond the {len(columns)} named columns; kept as metadata"))
    names = [*columns, *(f"column {extra}" for extra in range(len(columns) + 1, len(cells) + 1))]
    values: dict[str, Cell] = {}
    for name, cell in zip(names, cells, strict=False):
        if cell.value is None:
            continue
        if cell.data_type == "e":
            notes.append(("changed value", f"{name}: the error {cell.value} is read as an empty cell"))
            continue
        values[name] = _value(cell)
        if isinstance(cell.value, (int, float)) and abs(cell.value) >= _MOST_DIGITS:
            notes.append(("changed value", f"{name}: Excel keeps 15 digits of a number; format such cells as text"))
    return Record(number, f"row {number} (sheet row {place})", values, tuple(notes))


def _value(cell: ReadOnlyCell | EmptyCell) -> Cell:
    """The value as Excel shows it: no `.0` on whole numbers, leading zeros where the format has them, bare dates."""
    value = cell.value
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_DIGITS:
        value = int(value)
    if isinstance(value, datetime) and value.time() == time():
        return value.date()
    if type(value) is int and value >= 0 and _ZEROS.fullmatch(cell.number_format or ""):
        return str(value).zfill(len(cell.number_format))
    return value


WORKBOOK = TableReader("Excel", "The rows of one sheet under its header.", (".xlsx", ".xlsm"), open_workbook)
