"""Markdown: headings with their levels, and the plain text of everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.corpus.decoding import find_decoding, read_text
from engine.corpus.readers.web import html_blocks
from engine.corpus.records import Blocks, Document, DocumentReader
from engine.corpus.report import Problem
from engine.corpus.sources import SourceFile
from engine.text.chunking import Block

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_SETTING = re.compile(r"^(title|lang|language)\s*:\s*(.+?)\s*$", re.MULTILINE)


def open_markdown(source: SourceFile) -> Document:
    """The blocks of a Markdown file (CommonMark with tables). Front matter gives title and language, no text."""
    decoding = find_decoding(source)
    text, problems = read_text(source, decoding.encoding)
    problems = (*decoding.problems(source), *problems)
    settings: dict[str, str] = {}
    if found := _FRONT_MATTER.match(text):
        settings = {name: value.strip("\"'") for name, value in _SETTING.findall(found[1])}
        text = text[found.end() :]
        note = Problem(where=source.name, kind="changed value", text="its front matter is left out of the text")
        problems = (*problems, note)
    language = settings.get("lang") or settings.get("language")
    return Document(_blocks(text), settings.get("title", ""), language, decoding.settings, problems)


def _blocks(text: str) -> Blocks:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    marker = ""
    for place, token in enumerate(tokens):
        match token.type:
            case "list_item_open":
                marker = f"{token.info}{token.markup} " if token.info else "- "
            case "inline" if tokens[place - 1].type == "heading_open":
                yield Block(_plain(token), int(tokens[place - 1].tag[1]))
            case "inline" if tokens[place - 1].type == "paragraph_open":
                yield Block(f"{marker}{_plain(token)}")
                marker = ""
            case "fence" | "code_block":
                yield Block(token.content.rstrip("\n"))
            case "html_block":
                yield from html_blocks(token.content)
            case "table_open":
                yield Block("\n".join(_table_rows(tokens[place:])))


def _table_rows(tokens: Sequence[Token]) -> Iterator[str]:
    cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(_plain(token))
        elif token.type == "tr_close":
            yield " | ".join(cells)
            cells = []
        elif token.type == "table_close":
            return


def _plain(token: Token) -> str:
    """The text of a paragraph or heading without its markup; a picture by its description."""
    texts: list[str] = []
    for child in token.children or ():
        match child.type:
            case "softbreak":
                texts.append(" ")
            case "hardbreak":
                texts.append("\n")
            case "html_inline":
                texts.append("\n" if child.content.startswith("<br") else "")
            case _:
                texts.append(child.content)
    return "".join(texts).strip()


MARKDOWN = DocumentReader(
    "Markdown", "Headings, paragraphs, lists, tables and code.", (".md", ".markdown"), open_markdown
)
