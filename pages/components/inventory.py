"""What there is in a collection: for each chunk its length, its marks and its ties, taken once for each build."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Literal, get_args

from engine.corpus.corpus import Corpus
from engine.corpus.report import ImportReport
from engine.text.normalise import fold
from engine.types import Chunk, ChunkLocation, Mask

Mark = Literal["same text", "near-identical", "truncated", "windowed", "blank", "no terms"]
Order = Literal["document", "longest", "shortest", "id"]

MARKS: Mapping[Mark, str] = {
    "same text": "Another chunk has exactly this text.",
    "near-identical": "Another chunk has the same letters and digits; case, accents, spaces and punctuation differ.",
    "truncated": "The encoder drops the end: the chunk has more tokens than it reads.",
    "windowed": "The encoder reads it in several windows and averages them.",
    "blank": "It has no letter and no digit, so nothing can find it.",
    "no terms": "It has only grammar words, so BM25 cannot find it.",
}
ORDERS: Mapping[Order, str] = {
    "document": "As in the source",
    "longest": "Longest first",
    "shortest": "Shortest first",
    "id": "By id",
}
_GAP = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows are wanted, and in which order. `marks` are alternatives; an empty `find` finds everything."""

    find: str = ""
    marks: tuple[Mark, ...] = ()
    order: Order = "document"


@dataclass(frozen=True, slots=True, eq=False)
class Inventory:
    """Columns over the rows of a corpus, and the ties between chunks. Everything is read-only.

    `terms` are the lengths that BM25 uses. `counts` tells how many chunks have each mark that any has.
    `groups` holds, for a chunk that is (nearly) the same as others, all of them, itself included. `cited_by` goes from
    a chunk to those that name it in their references.
    """

    ids: tuple[str, ...]
    terms: tuple[int, ...]
    marks: tuple[tuple[Mark, ...], ...]
    counts: Mapping[Mark, int]
    groups: Mapping[str, tuple[str, ...]]
    named: Mapping[str, str]
    cited_by: Mapping[str, tuple[str, ...]]
    documents: Mapping[str, tuple[str, ...]]
    searched: tuple[str, ...]

    def rows(self, wanted: Wanted, mask: Mask | None = None) -> list[int]:
        """The rows that are wanted and pass the mask. Every word of `find` must occur, whatever its case or accents."""
        words = fold(wanted.find).split()
        chosen = set(wanted.marks)
        kept = [
            row
            for row in range(len(self.ids))
            if (mask is None or mask[row])
            and (not chosen or chosen.intersection(self.marks[row]))
            and all(word in self.searched[row] for word in words)
        ]
        return self._ordered(kept, wanted.order)

    def beside(self, chunk: Chunk) -> tuple[str | None, str | None]:
        """The chunks before and after it in its document; in the collection where it is of no document."""
        around = self.documents.get(chunk.location.document_id or "", self.ids)
        at = around.index(chunk.id)
        before = around[at - 1] if at else None
        return before, around[at + 1] if at + 1 < len(around) else None

    def twins(self, chunk_id: str) -> tuple[str, ...]:
        """The other chunks with the same or nearly the same text."""
        return tuple(other for other in self.groups.get(chunk_id, ()) if other != chunk_id)

    def _ordered(self, rows: list[int], order: Order) -> list[int]:
        if order == "id":
            return sorted(rows, key=self.ids.__getitem__)
        if order == "document":
            return rows
        sign = -1 if order == "longest" else 1
        return sorted(rows, key=lambda row: (sign * self.terms[row], self.ids[row]))


def take_stock(corpus: Corpus, terms: Sequence[int], report: ImportReport) -> Inventory:
    """The inventory of a corpus. `terms`: each chunk's length in terms, negative for a blank one."""
    chunks = tuple(corpus)
    long = {chunk.chunk_id for chunk in report.long_chunks}
    folded = [fold(chunk.text) for chunk in chunks]
    same = _groups((chunk.id, chunk.text.strip() and chunk.text) for chunk in chunks)
    near = _groups((chunk.id, _letters(text)) for chunk, text in zip(chunks, folded, strict=True))
    cut: Mark = "windowed" if report.overflow == "windowed" else "truncated"
    marks = []
    for chunk, length in zip(chunks, terms, strict=True):
        has: dict[Mark, bool] = {
            "same text": chunk.id in same,
            "near-identical": len(near.get(chunk.id, ())) > max(len(same.get(chunk.id, ())), 1),
            cut: chunk.id in long,
            "blank": length < 0,
            "no terms": length == 0,
        }
        marks.append(tuple(mark for mark in get_args(Mark) if has.get(mark)))
    counted = Counter(chain.from_iterable(marks))
    named = _named(chunks)
    return Inventory(
        ids=corpus.ids,
        terms=tuple(max(length, 0) for length in terms),
        marks=tuple(marks),
        counts={mark: counted[mark] for mark in MARKS if counted[mark]},
        groups={**same, **near},
        named=named,
        cited_by=_collected((named[name], chunk.id) for chunk in chunks for name in chunk.references if name in named),
        documents=_collected((chunk.location.document_id, chunk.id) for chunk in chunks),
        searched=tuple(_findable(chunk, text) for chunk, text in zip(chunks, folded, strict=True)),
    )


def _findable(chunk: Chunk, folded: str) -> str:
    place = (str(value) for name in ChunkLocation.model_fields if (value := getattr(chunk.location, name)) is not None)
    return "\n".join((fold("\n".join((chunk.id, chunk.title, chunk.number or "", *place))), folded))


def _letters(folded: str) -> str:
    """What texts with the same letters and digits have in common, short, so that no second copy of them is kept."""
    letters = _GAP.sub("", folded)
    return blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() if letters else ""


def _groups(pairs: Iterator[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """For each id whose key comes again, all ids of that key; empty keys tie nothing."""
    by_key = _collected((key, chunk_id) for chunk_id, key in pairs if key)
    return {chunk_id: ids for ids in by_key.values() if len(ids) > 1 for chunk_id in ids}


def _named(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Which chunk a reference means: the one of that id, else the first of that number."""
    by_number: dict[str, str] = {}
    for chunk in chunks:
        if chunk.number:
            by_number.setdefault(chunk.number, chunk.id)
    return {**by_number, **{chunk.id: chunk.id for chunk in chunks}}


def _collected(pairs: Iterator[tuple[str | None, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}  # a dictionary keeps the order and finds repeats at once
    for key, chunk_id in pairs:
        if key is not None:
            found.setdefault(key, {})[chunk_id] = None
    return {key: tuple(ids) for key, ids in found.items()}
