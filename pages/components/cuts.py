"""Where the cuts fall: the first passages that a document becomes, their tokens, and what they repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from pathlib import Path

from engine.corpus.documents import CountTokens
from engine.corpus.options import ImportOptions
from engine.corpus.parts import parts_of
from engine.corpus.records import DocumentReader
from engine.text.chunking import Block, ChunkingOptions, Passage, chunk_blocks
from engine.text.detect import detect_language
from engine.text.normalise import clean

BLOCKS = 60
PASSAGES = 12


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage as the preview shows it. The first `repeated` characters of its text end the passage before it."""

    title: str
    text: str
    tokens: int
    repeated: int


@dataclass(frozen=True, slots=True)
class Cuts:
    """The first passages of a document of that name; `more` says whether there are others."""

    document: str
    shown: tuple[Cut, ...]
    more: bool


def cuts_of(path: Path, options: ImportOptions, count_tokens: CountTokens) -> Cuts | None:
    """The cuts in the beginning of the first document of a source; None where it has no document."""
    _, parts, _ = parts_of(path, options, head_only=True)
    for part in parts:
        if isinstance(part.reader, DocumentReader):
            blocks = part.reader.open(part.source).blocks
            head = [
                Block(clean(block.text).text, block.level, block.page)
                for block in islice(blocks, BLOCKS)
                if isinstance(block, Block)
            ]
            blocks.close()
            language = options.language or detect_language("\n".join(block.text for block in head))
            chunking = options.chunking or ChunkingOptions()
            passages = chunk_blocks(head, part.stem, chunking, count_tokens, language)
            more = len(passages) > PASSAGES or len(head) == BLOCKS
            return Cuts(part.source.name, _cuts(passages[:PASSAGES], count_tokens), more)
    return None


def _cuts(passages: Sequence[Passage], count_tokens: CountTokens) -> tuple[Cut, ...]:
    tokens = count_tokens([_searched(passage) for passage in passages]) if passages else []
    before = ["", *(passage.text for passage in passages)]
    return tuple(
        Cut(passage.title, passage.text, count, repeated(previous, passage.text))
        for previous, passage, count in zip(before, passages, tokens, strict=False)
    )


def repeated(before: str, text: str) -> int:
    """How many characters at the beginning of a text are the end of the one before it."""
    longest = min(len(before), len(text))
    return next((size for size in range(longest, 0, -1) if before.endswith(text[:size])), 0)


def _searched(passage: Passage) -> str:
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def as_html(cuts: Cuts, most: int) -> str:
    """The passages one below the other, each with its length against the longest allowed; repeated text is marked."""
    shown = "".join(_passage(number, cut, most) for number, cut in enumerate(cuts.shown, start=1))
    more = '<p class="rs-quiet">… and so on.</p>' if cuts.more else ""
    return f'<div class="rs-cuts">{shown}{more}</div>'


def _passage(number: int, cut: Cut, most: int) -> str:
    again = f" · {cut.repeated:,} characters repeated" if cut.repeated else ""
    share = min(100, round(100 * cut.tokens / max(most, 1)))
    head, rest = escape(cut.text[: cut.repeated]), escape(cut.text[cut.repeated :])
    marked = f'<span class="rs-again" title="also the end of the passage before">{head}</span>' if head else ""
    meter = f'<span class="rs-meter" aria-hidden="true"><i style="width:{share}%"></i></span>'
    return (
        f"<section><header><b>{number}</b>{meter}<span>{cut.tokens:,} tokens{again}</span></header>"
        f'<p class="rs-quiet">{escape(cut.title)}</p><p class="rs-passage">{marked}{rest}</p></section>'
    )
