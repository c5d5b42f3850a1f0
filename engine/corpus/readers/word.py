"""Word documents: headings by their styles, paragraphs, and tables row by row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from engine.corpus.records import Blocks, Document, DocumentReader
from engine.corpus.sources import PARSER_FAULTS, SourceFile, check_archive, refusing
from engine.text.chunking import Block

if TYPE_CHECKING:
    from docx.document import Document as WordFile
    from docx.table import Table, _Row
    from docx.text.paragraph import Paragraph

_DEEPEST_STYLE = 10  # styles of a broken file may be based on each other in a circle
_HEADING = re.compile(r"heading ?(\d)", re.IGNORECASE)


def open_word(source: SourceFile) -> Document:
    """The blocks of a .docx file; its language as its properties say."""
    from docx import Document as load
    from docx.opc.exceptions import OpcError

    check_archive(source)
    with refusing(source, "a Word document", OpcError, BadZipFile, *PARSER_FAULTS):
        file = load(str(source.path))
        language = file.core_properties.language or None
    return Document(_blocks(source, file), language=language)


def _blocks(source: SourceFile, file: WordFile) -> Blocks:
    from docx.table import Table

    with refusing(source, "a Word document", *PARSER_FAULTS):
        for item in file.iter_inner_content():
            if isinstance(item, Table):
                yield Block(_rows(item))
            elif item.text.strip():
                yield Block(item.text.strip(), _level(item))


def _level(paragraph: Paragraph) -> int | None:
    """The heading level of a paragraph: its outline level, else that which the name of its style or of a base says."""
    style = paragraph.style
    for element in (paragraph._p.pPr, None if style is None else style.element.pPr):
        outline = None if element is None else element.find(f"{{{element.nsmap['w']}}}outlineLvl")
        if outline is not None:
            level = int(next(iter(outline.attrib.values())))
            return level + 1 if level < 9 else None
    for _ in range(_DEEPEST_STYLE):
        if style is None:
            return None
        if style.name == "Title":
            return 1
        if found := _HEADING.match(style.name or ""):
            return int(found[1])
        style = style.base_style
    return None


def _rows(table: Table) -> str:
    return "\n".join(" | ".join(_cells(row)) for row in table.rows)


def _cells(row: _Row) -> list[str]:
    """The texts of a row, a merged cell once."""
    seen = {cell._tc: cell.text.strip() for cell in row.cells}
    return list(seen.values())


WORD = DocumentReader("Word", "Headings, paragraphs and tables.", (".docx",), open_word)
