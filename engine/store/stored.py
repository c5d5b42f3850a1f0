"""What a build folder holds besides its indexes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from engine.corpus.corpus import Corpus
from engine.corpus.parquet import load_chunks
from engine.corpus.report import ImportReport
from engine.errors import StaleIndex
from engine.evaluation.judgments import NO_QRELS, Qrels, read_qrels, read_queries
from engine.store.manifest import Manifest, read_manifest
from engine.types import Query


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """The texts, judgments and records of one build."""

    manifest: Manifest
    report: ImportReport
    corpus: Corpus
    queries: tuple[Query, ...]
    qrels: Qrels


def read_stored(folder: Path) -> Stored:
    """The records of a build folder; `StaleIndex` where they are damaged or do not fit together."""
    manifest = read_manifest(folder)
    corpus = load_chunks(folder / "chunks.parquet")
    if len(corpus) != manifest.chunks:
        raise StaleIndex(
            f"{folder.parent.name!r} holds {len(corpus)} chunks, but was built from {manifest.chunks}.",
            "Rebuild the collection from its source.",
        )
    if corpus.fingerprint != manifest.corpus_fingerprint:
        raise StaleIndex(
            f"The texts of {folder.parent.name!r} are not those that it was built from.",
            "Build the collection again from its source.",
        )
    try:
        report = ImportReport.model_validate_json((folder / "report.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise StaleIndex(f"The import report of {folder.parent.name!r} is damaged.", "Rebuild it.") from error
    queries, qrels = folder / "queries.jsonl", folder / "qrels.tsv"
    return Stored(
        manifest,
        report,
        corpus,
        read_queries(queries) if queries.exists() else (),
        read_qrels(qrels) if qrels.exists() else NO_QRELS,
    )
