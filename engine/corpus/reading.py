"""A source on disk becomes a corpus, with a report of everything that was read, left out and changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.corpus.corpus import Corpus
from engine.corpus.documents import count_words, draft_document, split_records
from engine.corpus.drafts import Draft
from engine.corpus.fields import BM25_FIELDS, is_blank, searched_text
from engine.corpus.identity import give_missing_ids, settle_repeated
from engine.corpus.languages import settle_languages
from engine.corpus.options import ImportOptions
from engine.corpus.parts import Part, parts_of
from engine.corpus.previewing import Preview, preview
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Document, DocumentReader, Table
from engine.corpus.report import ImportReport
from engine.corpus.tables import draft_table
from engine.corpus.vectors import file_beside, load_beside, stacked
from engine.errors import BadInput
from engine.text.chunking import CountTokens
from engine.types import Progress, Vectors, no_progress

__all__ = ["Preview", "Reading", "preview", "read_source"]

_FAILURES = ("unreadable", "undecodable", "skipped file", "no text")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A corpus, what there is to say of how it was read, and the vectors that came with it.

    `vectors`: float32, shape (len(corpus), dimension), as in the source (not normalised), one a row of the corpus.
    """

    corpus: Corpus
    report: ImportReport
    vectors: Vectors | None


@dataclass(slots=True)
class _Import:
    """An import under way."""

    options: ImportOptions
    count_tokens: CountTokens
    progress: Progress
    log: ProblemLog = field(default_factory=ProblemLog)
    drafts: list[Draft] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    documents: int = 0


def read_source(
    path: Path | str,
    options: ImportOptions | None = None,
    count_tokens: CountTokens | None = None,
    *,
    progress: Progress = no_progress,
) -> Reading:
    """The corpus of a file or a folder. Bad rows are reported and stop no other; `BadInput` where nothing is left.

    Records are one chunk each unless `options.split_records`; documents are cut along their structure, to lengths that
    `count_tokens` measures (words between spaces where it is None). A source with no rows gives an empty corpus.
    """
    path = Path(path)
    running = _Import(options or ImportOptions(), count_tokens or count_words, progress)
    name, parts, left_out = parts_of(path, running.options)
    running.log.extend(left_out)
    for number, part in enumerate(parts):
        progress("read", number, len(parts))
        _read(part, running, alone=len(parts) == 1)
    progress("read", len(parts), len(parts))
    if not running.drafts and any(running.log.counts.get(kind) for kind in _FAILURES):
        first = running.log.kept[0]
        raise BadInput(
            f"Nothing in {path.name} could be read. {first.where}: {first.text}.", "Check format and encoding."
        )
    report = ImportReport(source=path.name, format=name, rows=running.rows, documents=running.documents)
    return _finished(running, report)


def _read(part: Part, running: _Import, *, alone: bool) -> None:
    """Add the drafts of one file; where there are others, one that cannot be read is left out and reported."""
    try:
        if isinstance(part.reader, DocumentReader):
            _read_document(part, part.reader.open(part.source), running)
        else:
            _read_table(part, part.reader.open(part.source), running, alone=alone)
    except BadInput as error:
        if alone:
            raise
        running.log.add(part.source.name, "skipped file", f"left out: {error.message}")


def _read_document(part: Part, document: Document, running: _Import) -> None:
    drafts = draft_document(document, part, running.options, running.log, running.count_tokens)
    running.settings.update(document.settings)
    running.drafts.extend(drafts)
    running.documents += 1
    running.rows += 1


def _read_table(part: Part, table: Table, running: _Import, *, alone: bool) -> None:
    rows = list(draft_table(table, part.source, running.log, stem=None if alone else part.stem))
    drafts = [draft for draft in rows if draft is not None]
    if beside := file_beside(part.source):
        load_beside(beside, len(rows), drafts)
        text = f"its {len(rows):,} vectors are taken as those of the rows of {part.source.name}."
        running.log.add(beside.name, "guess", text)
    running.settings.update(table.settings)
    running.drafts.extend(drafts)
    running.rows += len(rows)


def _finished(running: _Import, report: ImportReport) -> Reading:
    """The corpus: ids settled, then languages, then long records split where that was asked for."""
    log, options = running.log, running.options
    give_missing_ids(running.drafts, log, report.source)
    drafts, repeated = settle_repeated(running.drafts, options.on_repeated, log)
    if remark := settle_languages(drafts, options.language, running.progress):
        log.add(report.source, "guess", f"{remark}.")
    if options.split_records:
        drafts = _split(drafts, running)
    corpus = Corpus(draft.chunk() for draft in drafts)
    vectors = stacked(drafts, log)
    languages = Counter(chunk.language or "unknown" for chunk in corpus)
    found = {
        "encoding": running.settings.get("encoding"),
        "delimiter": running.settings.get("delimiter"),
        "chunks": len(corpus),
        "blank": tuple(chunk.id for chunk in corpus if is_blank(searched_text(chunk, BM25_FIELDS))),
        "repeated": repeated,
        "languages": dict(languages.most_common()),
        "vector_dimension": None if vectors is None else vectors.shape[1],
        "problems": log.kept,
        "problem_counts": log.counts,
    }
    return Reading(corpus, ImportReport.model_validate({**report.model_dump(), **found}), vectors)


def _split(drafts: Sequence[Draft], running: _Import) -> list[Draft]:
    if any(draft.vector is not None for draft in drafts):
        raise BadInput(
            "Records that come with vectors cannot be split.", "Leave them whole, or read them without vectors."
        )
    return split_records(drafts, running.options, running.count_tokens)
