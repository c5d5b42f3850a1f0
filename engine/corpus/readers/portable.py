"""PDF: the text of each page."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from engine.corpus.records import Blocks, Document, DocumentReader
from engine.corpus.report import Problem
from engine.corpus.sources import PARSER_FAULTS, SourceFile, refusing
from engine.errors import BadInput
from engine.text.chunking import Block

if TYPE_CHECKING:
    from pypdf import PdfReader

_GAP = re.compile(r"\n[ \t]*\n")


def open_pdf(source: SourceFile) -> Document:
    """The paragraphs of a PDF with their pages. A page without text, such as a scan, is a problem of its own.

    The title in its properties is not used: it is mostly the name of the file from which it was printed.
    """
    from pypdf.errors import DependencyError, PyPdfError

    # What it warns of is either repaired or becomes a problem of the page.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with refusing(source, "a PDF", PyPdfError, DependencyError, *PARSER_FAULTS):
        reader = _load(source)
    return Document(_blocks(source, reader))


def _load(source: SourceFile) -> PdfReader:
    from pypdf import PasswordType, PdfReader

    reader = PdfReader(source.path)
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        raise BadInput(f"{source.name} is protected by a password.", "Save it without one.")
    return reader


def _blocks(source: SourceFile, reader: PdfReader) -> Blocks:
    from pypdf.errors import DependencyError, PyPdfError

    with refusing(source, "a PDF", PyPdfError, DependencyError, *PARSER_FAULTS):
        pages = len(reader.pages)
    for number in range(1, pages + 1):
        try:
            with refusing(source, "a PDF", PyPdfError, DependencyError, *PARSER_FAULTS):
                text = reader.pages[number - 1].extract_text()
        except BadInput as error:
            yield Problem(where=f"{source.name}, page {number}", kind="no text", text=error.message)
            continue
        paragraphs = [part for part in _GAP.split(text) if part.strip()]
        if not paragraphs:
            where = f"{source.name}, page {number}"
            yield Problem(where=where, kind="no text", text="the page has no text; a scan needs text recognition first")
        yield from (Block(part.strip("\n"), None, number) for part in paragraphs)


PDF = DocumentReader("PDF", "The text of each page.", (".pdf",), open_pdf)
