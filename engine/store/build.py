"""Build a collection: read, analyse, encode, index, and put the whole in use in one step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from uuid import uuid4

from engine.corpus.corpus import Corpus
from engine.corpus.documents import count_words
from engine.corpus.parquet import save_chunks
from engine.corpus.reading import Reading, read_source
from engine.corpus.report import ImportReport
from engine.encoders.precomputed import PrecomputedEncoder
from engine.encoders.registry import default_encoder, load_encoder
from engine.evaluation.judgments import NO_QRELS, Qrels, qrels_as_text, queries_as_text, read_beside
from engine.store.disk import told_plainly
from engine.store.indexing import EncoderRecord, encoder_for, given_vectors, index_dense, index_lexical
from engine.store.manifest import NO_ENCODER, BuildOptions, Manifest, write_manifest
from engine.store.stored import read_stored
from engine.store.workspace import Workspace
from engine.text.analysers import analyser_for
from engine.text.chunking import CountTokens
from engine.types import Progress, Query, no_progress


@dataclass(frozen=True, slots=True)
class Judged:
    """The queries and judgments that a collection keeps."""

    queries: tuple[Query, ...] = ()
    qrels: Qrels = NO_QRELS


@dataclass(frozen=True, slots=True)
class Built:
    """What a build leaves to tell: its manifest and the import report."""

    manifest: Manifest
    report: ImportReport


def build_collection(
    workspace: Workspace,
    name: str,
    source: Path,
    options: BuildOptions,
    *,
    judged: Judged | None = None,
    progress: Progress = no_progress,
) -> Built:
    """Read `source` and build the collection `name` of it, in place of one of that name.

    The build in use serves until the new one is whole, and stays whatever happens to this one. `judged` None takes the
    queries and judgments that lie in the source folder, if any. `Busy` where another process changes the collection,
    `BadInput` for a source, name or option that cannot be used; an exception from `progress` cancels.
    """
    with _told_plainly(name), workspace.changing(name):
        progress("read", 0, 1)
        reading, encoder = _read(source, options)
        progress("read", 1, 1)
        kept = Judged(*read_beside(source)) if judged is None else judged
        return _build(workspace, name, reading, kept, options, encoder=encoder, source=str(source), progress=progress)


def rebuild_collection(
    workspace: Workspace, name: str, encoder: str | None = None, progress: Progress = no_progress
) -> Built:
    """Index the chunks of a collection again as they are stored, with another encoder where one is named.

    Vectors that came with the source are kept, unless an encoder is named.
    """
    with _told_plainly(name), workspace.changing(name):
        folder = workspace.current(name)
        stored = read_stored(folder)
        options = stored.manifest.options
        if encoder is None:
            vectors = given_vectors(stored, folder)
        else:
            vectors, options = None, options.model_copy(update={"encoder": encoder})
        report = stored.report.model_copy(update={"vector_dimension": None if vectors is None else vectors.shape[1]})
        reading = Reading(corpus=stored.corpus, report=report.with_long_chunks(None, "truncated", ()), vectors=vectors)
        kept = Judged(stored.queries, stored.qrels)
        return _build(
            workspace,
            name,
            reading,
            kept,
            options,
            encoder=encoder_for(reading, options),
            source=stored.manifest.source,
            progress=progress,
        )


def _build(
    workspace: Workspace,
    name: str,
    reading: Reading,
    judged: Judged,
    options: BuildOptions,
    *,
    encoder: str,
    source: str,
    progress: Progress,
) -> Built:
    started = perf_counter()
    build = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid4().hex[:8]}"
    folder = workspace.new_build(name, build)
    texts = zip(reading.corpus.ids, reading.corpus.texts(options.bm25_fields), strict=True)
    blank = tuple(chunk_id for chunk_id, text in texts if not text)
    try:
        save_chunks(reading.corpus, folder / "chunks.parquet")
        _keep(judged, folder)
        index_lexical(reading.corpus, options, folder, progress)
        chosen = options.model_copy(update={"encoder": encoder})
        record, report = index_dense(reading, chosen, judged.queries, folder, progress)
        manifest = _manifest(
            reading.corpus, options, record, build=build, source=source, started=started, blank=len(blank)
        )
        write_manifest(manifest, folder)
        report = report.model_copy(update={"blank": blank})
        (folder / "report.json").write_text(report.model_dump_json(), encoding="utf-8")
        progress("write", 0, 1)
        workspace.publish(name, folder)
    finally:
        workspace.discard(name, folder)
    progress("write", 1, 1)
    return Built(manifest, report)


def _manifest(
    corpus: Corpus,
    options: BuildOptions,
    encoder: EncoderRecord,
    *,
    build: str,
    source: str,
    started: float,
    blank: int,
) -> Manifest:
    analysers = {analyser.name: analyser.fingerprint for analyser in map(analyser_for, corpus.languages)}
    return Manifest(
        build=build,
        created=datetime.now(UTC).isoformat(),
        seconds=round(perf_counter() - started, 3),
        source=source,
        options=options,
        chunks=len(corpus),
        searchable=len(corpus) - blank,
        languages=corpus.languages,
        corpus_fingerprint=corpus.fingerprint,
        analysers=analysers,
        encoder=encoder.name,
        encoder_fingerprint=encoder.fingerprint,
        dimension=encoder.dimension,
        embedded=encoder.embedded,
        reused=encoder.reused,
    )


def _keep(judged: Judged, folder: Path) -> None:
    if judged.queries:
        (folder / "queries.jsonl").write_text(queries_as_text(judged.queries), encoding="utf-8")
    if judged.qrels:
        (folder / "qrels.tsv").write_text(qrels_as_text(judged.qrels), encoding="utf-8")


def _told_plainly(name: str) -> AbstractContextManager[None]:
    return told_plainly(f"{name!r} could not be built", "The build in use is unchanged.")


class _Words:
    """Counts words, and remembers whether it was asked to."""

    asked = False

    def __call__(self, texts: Sequence[str]) -> list[int]:
        self.asked = True
        return count_words(texts)


def _read(source: Path, options: BuildOptions) -> tuple[Reading, str]:
    """The source, cut by the tokens of its encoder, and the name of that encoder.

    Where the language of the texts chooses the encoder and there are texts to cut, they are read twice.
    """
    language = options.reading.language
    name = options.encoder or (default_encoder(language) if language else None)
    if name is not None:
        reading = read_source(source, options.reading, _token_counter(name))
        return reading, encoder_for(reading, options)
    words = _Words()
    reading = read_source(source, options.reading, words)
    name = encoder_for(reading, options)
    return (read_source(source, options.reading, _token_counter(name)) if words.asked else reading), name


def _token_counter(name: str) -> CountTokens:
    """Counts tokens as the encoder will; it is loaded at the first call, since most sources never ask."""
    if name in {NO_ENCODER, PrecomputedEncoder.name}:
        return count_words
    return lambda texts: load_encoder(name).count_tokens(texts)
