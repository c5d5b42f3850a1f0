"""What an import read, what it could not use, and what it changed: the report that stays with a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainSerializer

from engine.types import Value

ProblemKind = Literal[
    "unreadable",
    "undecodable",
    "no id",
    "repeated id",
    "uneven row",
    "removed characters",
    "changed value",
    "no text",
    "title only",
    "no vector",
    "skipped file",
    "guess",
]
Overflow = Literal["truncated", "windowed"]

_PHRASES: Mapping[ProblemKind, tuple[str, str]] = {
    "unreadable": ("row could not be read", "rows could not be read"),
    "undecodable": (
        "row has bytes that are no text in its encoding",
        "rows have bytes that are no text in their encoding",
    ),
    "no id": ("row had no id and was given one", "rows had no id and were given one"),
    "uneven row": (
        "row has another number of cells than the header",
        "rows have another number of cells than the header",
    ),
    "removed characters": ("row lost characters that no index can hold", "rows lost characters that no index can hold"),
    "changed value": ("value was kept in another form", "values were kept in another form"),
    "no text": ("page or file has no text", "pages or files have no text"),
    "title only": ("row has a title and no text", "rows have a title and no text"),
    "no vector": ("row has no usable vector", "rows have no usable vector"),
    "skipped file": ("file was left out", "files were left out"),
}
_LISTED = 5


def _frozen(value: Mapping[str, int]) -> Mapping[str, int]:
    return MappingProxyType(dict(value))


Counts = Annotated[Mapping[str, int], AfterValidator(_frozen), PlainSerializer(dict, return_type=dict)]
NO_COUNTS: Mapping[str, int] = MappingProxyType({})


class Problem(Value):
    """One thing that a reader of the report should know. `where` is `row 12`, `line 3`, a page or a file name.

    Rows are counted from 1 without the header; where a line or a sheet row is known too, it stands in brackets.
    """

    where: str
    kind: ProblemKind
    text: str


class LongChunk(Value):
    """A chunk with more tokens than its encoder reads at once; `lost` of them have no part in the vector."""

    chunk_id: str
    tokens: int
    lost: int


class ImportReport(Value):
    """What came of an import. `problems` lists at most 100 of each kind; `problem_counts` counts them all.

    `rows` counts every record or document read, usable or not; `blank` are the ids of chunks with no letter and no
    digit; `repeated` the ids that came more than once; `languages` counts chunks (`unknown` where none was found).
    `max_tokens`, `overflow` and `long_chunks` are filled in when the collection is embedded.
    """

    source: str
    format: str
    encoding: str | None = None
    delimiter: str | None = None
    rows: int = 0
    documents: int = 0
    chunks: int = 0
    blank: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    languages: Counts = Field(default_factory=lambda: NO_COUNTS)
    vector_dimension: int | None = None
    problems: tuple[Problem, ...] = ()
    problem_counts: Counts = Field(default_factory=lambda: NO_COUNTS)
    max_tokens: int | None = None
    overflow: Overflow | None = None
    long_chunks: tuple[LongChunk, ...] = ()

    def with_long_chunks(
        self, max_tokens: int | None, overflow: Overflow, tokens: Iterable[tuple[str, int]]
    ) -> ImportReport:
        """The report with the over-long chunks among (chunk id, tokens); none where the encoder has no limit."""
        limit = max_tokens
        found = [] if limit is None else [(chunk_id, count) for chunk_id, count in tokens if count > limit]
        long_chunks = tuple(
            LongChunk(chunk_id=chunk_id, tokens=count, lost=count - limit if overflow == "truncated" and limit else 0)
            for chunk_id, count in found
        )
        return self.model_copy(update={"max_tokens": max_tokens, "overflow": overflow, "long_chunks": long_chunks})

    def sentences(self) -> tuple[str, ...]:
        """The report as plain sentences, the counts first."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        yield f"{'; '.join((self._rows_read(), *self._blanks()))}."
        yield f"{_counted(self.chunks, 'chunk', 'chunks')} in the collection{self._by_language()}."
        for kind, (one, many) in _PHRASES.items():
            if count := self.problem_counts.get(kind, 0):
                yield f"{_counted(count, one, many)}."
        if self.vector_dimension is not None:
            yield f"Vectors of {self.vector_dimension} dimensions came with the source."
        yield from (f"{problem.where}: {problem.text}" for problem in self.problems if problem.kind == "guess")
        if self.long_chunks:
            yield self._too_long()

    def _rows_read(self) -> str:
        read = f"{_counted(self.rows, 'row', 'rows')} read"
        if self.documents:
            read = f"{_counted(self.documents, 'document', 'documents')} read"
            rows = self.rows - self.documents
            read = f"{_counted(rows, 'row', 'rows')} and {read}" if rows else read
        if not self.repeated:
            return read
        return f"{read}, {_counted(len(self.repeated), 'repeated id', 'repeated ids')}: {listed(self.repeated)}"

    def _blanks(self) -> tuple[str, ...]:
        return (_counted(len(self.blank), "blank chunk", "blank chunks"),) if self.blank else ()

    def _by_language(self) -> str:
        return (
            f" ({', '.join(f'{language} {count:,}' for language, count in self.languages.items())})"
            if self.languages
            else ""
        )

    def _too_long(self) -> str:
        lost = sum(chunk.lost for chunk in self.long_chunks)
        rest = (
            f"the rest was cut off, {lost:,} tokens in all. Cut long records into passages to have all of them read"
            if lost
            else "each was read in windows, which are averaged"
        )
        many = f"{len(self.long_chunks):,} of {self.chunks:,} chunks"
        return f"{many} exceed the {self.max_tokens} tokens that the encoder reads: {rest}."


def listed(names: Iterable[str], most: int = _LISTED) -> str:
    """The first names, separated by commas, with a count of the rest."""
    every = tuple(names)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
