"""The sheets of a workbook, to choose from."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from zipfile import BadZipFile

from engine.corpus.sources import PARSER_FAULTS


def sheet_names(path: Path) -> tuple[str, ...]:
    """The names of the sheets, in their order; none where the file is no workbook, which its reader tells."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with closing(load_workbook(path, read_only=True)) as book:
            return tuple(sheet.title for sheet in book.worksheets)
    except (*PARSER_FAULTS, OSError, BadZipFile, InvalidFileException):
        return ()
