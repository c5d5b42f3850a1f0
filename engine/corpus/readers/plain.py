"""Plain text: blocks between empty lines."""

from __future__ import annotations

import re

from engine.corpus.decoding import find_decoding, read_text
from engine.corpus.records import Blocks, Document, DocumentReader
from engine.corpus.sources import SourceFile
from engine.text.chunking import Block

_GAP = re.compile(r"\n\s*\n")


def open_plain(source: SourceFile) -> Document:
    """The paragraphs of a text file; form feeds count its pages, where it has any."""
    decoding = find_decoding(source)
    text, problems = read_text(source, decoding.encoding)
    return Document(_blocks(text), settings=decoding.settings, problems=(*decoding.problems(source), *problems))


def _blocks(text: str) -> Blocks:
    pages = text.split("\f")
    for number, page in enumerate(pages, start=1):
        for paragraph in _GAP.split(page):
            if paragraph.strip():
                yield Block(paragraph.strip("\n"), None, number if len(pages) > 1 else None)


PLAIN = DocumentReader("Plain text", "Paragraphs between empty lines.", (".txt", ".text"), open_plain)
