"""Where the cuts fall: the first passages that a document becomes, their tokens, and what they repeat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from pathlib import Path

from engine.corpus.documents import cut_document
from engine.corpus.options import ImportOptions
from engine.corpus.parts import parts_of
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Blocks, DocumentReader
from engine.text.chunking import CountTokens, Passage

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
    """The cuts in the beginning of the first document of a source, as a build makes them; None where it has none.

    The last section may end early, since only so many blocks are read.
    """
    _, parts, _ = parts_of(path, options, head_only=True)
    for part in parts:
        if isinstance(part.reader, DocumentReader):
            document = part.reader.open(part.source)
            with closing(document.blocks) as blocks:
                head = replace(document, blocks=_head(blocks))
                passages, _ = cut_document(head, part, options, ProblemLog(), count_tokens)
                more = len(passages) > PASSAGES or next(blocks, None) is not None
            return Cuts(part.source.name, _cuts(passages[:PASSAGES], count_tokens), more)
    return None


def _head(blocks: Blocks) -> Blocks:
    yield from islice(blocks, BLOCKS)


def _cuts(passages: Sequence[Passage], count_tokens: CountTokens) -> tuple[Cut, ...]:
    tokens = count_tokens([_searched(passage) for passage in passages]) if passages else []
    return tuple(
        Cut(passage.title, passage.text, count, passage.repeated)
        for passage, count in zip(passages, tokens, strict=True)
    )


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
