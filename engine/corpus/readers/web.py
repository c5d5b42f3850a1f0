"""HTML: headings with their levels and the text that a browser shows, without scripts and styles."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.corpus.decoding import Decoding, find_decoding, read_text
from engine.corpus.records import Blocks, Document, DocumentReader
from engine.corpus.sources import SourceFile, refusing
from engine.errors import BadInput
from engine.text.chunking import Block

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MOST_NESTED = 2_000
"""Open elements inside each other. Parsing takes the square of their number, and a page in earnest has under 100."""
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HIDDEN = ["script", "style", "noscript", "template", "svg", "math", "iframe", "object", "select", "head"]
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_IN_ROW = frozenset({"address", "blockquote", "dd", "div", "dl", "dt", "li", "ol", "p", "section", "ul"})
"""Blocks that stay in the line of their table row."""
_BLOCKS = (
    _IN_ROW
    | _HEADINGS.keys()
    | {"article", "aside", "body", "caption", "details", "fieldset", "figcaption", "figure", "footer", "form"}
    | {"header", "hr", "html", "main", "nav", "pre", "summary", "table", "tbody", "tfoot", "thead", "tr"}
)
_SPACE = re.compile(r"[ \t\n\r\f]+")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Elements that never hold others, or that the parser closes by itself.
_NO_DEPTH = frozenset(
    {"area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html", "img", "input", "li"}
    | {"link", "meta", "optgroup", "option", "p", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr"}
    | {"track", "wbr"}
)


def open_html(source: SourceFile) -> Document:
    """The blocks of an HTML page; its language as declared."""
    from selectolax.lexbor import LexborHTMLParser

    decoding = _decoding(source)
    text, problems = read_text(source, decoding.encoding)
    if _depth(text) > MOST_NESTED:
        raise BadInput(
            f"{source.name} nests more than {MOST_NESTED:,} elements.", "Save the page again from a browser."
        )
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    root = tree.css_first("html")
    return Document(
        html_blocks(text),
        "" if title is None else _SPACE.sub(" ", title.text()).strip(),
        None if root is None else root.attributes.get("lang"),
        decoding.settings,
        (*decoding.problems(source), *problems),
    )


def html_blocks(text: str) -> Blocks:
    """The blocks of a piece of HTML: headings, paragraphs, list items, table rows, each with its white space joined.

    None where it nests more than `MOST_NESTED` elements.
    """
    from selectolax.lexbor import LexborHTMLParser

    if _depth(text) > MOST_NESTED:
        return
    tree = LexborHTMLParser(text)
    tree.strip_tags(_HIDDEN)
    writer = _Writer()
    for node, leaving in _walk(tree.body) if tree.body is not None else ():
        tag = node.tag or ""
        if node.is_text_node:
            writer.text(node.text_content or "")
        elif writer.breaks_at(tag):
            if (block := writer.block()) is not None:
                yield block
            writer.step(node, tag, leaving=leaving)
        else:
            writer.inline(tag, leaving=leaving)


class _Writer:
    """The text between two block boundaries, and what it stands in."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._marker = ""
        self._items: dict[int, int] = {}
        self._level: int | None = None
        self._rows = 0
        self._preformatted = 0

    def text(self, text: str) -> None:
        self._pieces.append(text if self._preformatted else _SPACE.sub(" ", text))

    def inline(self, tag: str, *, leaving: bool) -> None:
        """An element that ends no block: a line break, the next cell of a row, a paragraph inside a cell."""
        if tag == "br" and not leaving:
            self._pieces.append("\n")
        elif tag in ("td", "th") and not leaving and "".join(self._pieces).strip():
            self._pieces.append(" | ")
        elif tag in _IN_ROW:
            self._pieces.append(" ")

    def breaks_at(self, tag: str) -> bool:
        return tag in _BLOCKS and not (self._rows and tag in _IN_ROW)

    def step(self, node: LexborNode, tag: str, *, leaving: bool) -> None:
        """Enter or leave a block."""
        by = -1 if leaving else 1
        self._rows += by * (tag == "tr")
        self._preformatted += by * (tag == "pre")
        if tag in _HEADINGS:
            self._level = None if leaving else _HEADINGS[tag]
        if tag == "li":
            self._marker = "" if leaving else self._item(node.parent)

    def block(self) -> Block | None:
        """The block that ends here, if there is any text in it."""
        text = "".join(self._pieces)
        self._pieces = []
        if not self._preformatted:
            text = "\n".join(re.sub(" {2,}", " ", line).strip() for line in text.split("\n"))
        text = text.strip("\n")
        if not text.strip():
            return None
        marker, self._marker = self._marker, ""
        return Block(f"{marker}{text}", self._level)

    def _item(self, parent: LexborNode | None) -> str:
        if parent is None or parent.tag != "ol":
            return "- "
        self._items[parent.mem_id] = self._items.get(parent.mem_id, 0) + 1
        return f"{self._items[parent.mem_id]}. "


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node in the order of the text, elements twice: on entering and on leaving. Without recursion."""
    waiting = [(root, False)]
    while waiting:
        node, leaving = waiting.pop()
        yield node, leaving
        if not leaving and node.is_element_node:
            waiting.append((node, True))
            waiting.extend((child, False) for child in reversed(list(node.iter(include_text=True))))


def _depth(text: str) -> int:
    """How many elements are open at once at most, those that the parser closes by itself not counted."""
    deepest = depth = 0
    for closing, tag in _TAG.findall(text):
        if tag.lower() not in _NO_DEPTH:
            depth = max(depth + (-1 if closing else 1), 0)
            deepest = max(deepest, depth)
    return deepest


def _decoding(source: SourceFile) -> Decoding:
    """The encoding, as for any text; where that would be a guess, the one that the page declares."""
    found = find_decoding(source)
    if found.how != "guessed":
        return found
    with refusing(source, "an HTML page"), source.open_bytes() as stream:
        declared = _CHARSET.search(stream.read(4096))
    if declared is None:
        return found
    name = declared[1].decode("ascii", "replace")
    try:
        return replace(found, encoding=codecs.lookup(name).name, how="given")
    except LookupError:
        return found


HTML = DocumentReader(
    "HTML", "The text of a page with its headings, without scripts and styles.", (".html", ".htm", ".xhtml"), open_html
)
