"""The indexes of a build: made into its folder, and opened from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.channels.bm25 import build_bm25
from engine.channels.dense import DenseChannel, DenseIndex, build_dense
from engine.corpus.corpus import Corpus
from engine.corpus.fields import SUMMARY_FIELDS
from engine.corpus.reading import Reading
from engine.corpus.report import ImportReport
from engine.encoders.cache import EmbeddingCache, Encoded, encode_passages, encode_query
from engine.encoders.fit import over_long
from engine.encoders.precomputed import PrecomputedEncoder
from engine.encoders.registry import default_encoder, load_encoder
from engine.errors import BadInput, Unavailable
from engine.store.manifest import NO_ENCODER, BuildOptions
from engine.store.stored import Stored
from engine.types import Encoder, Progress, Query, Vectors

DENSE = "dense"
SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class EncoderRecord:
    """The encoder of a build, and how many texts it embedded or had a vector of."""

    name: str = NO_ENCODER
    fingerprint: str = ""
    dimension: int | None = None
    embedded: int = 0
    reused: int = 0


def index_lexical(corpus: Corpus, options: BuildOptions, folder: Path, progress: Progress) -> None:
    """Make the BM25 index of a build."""
    build_bm25(corpus, options.bm25_fields, progress).save(folder / "bm25")


def index_dense(
    reading: Reading, options: BuildOptions, queries: Sequence[Query], folder: Path, progress: Progress
) -> tuple[EncoderRecord, ImportReport]:
    """Make the dense indexes of a build; the record of the encoder, and the report with the chunks it cannot hold.

    The vectors of example queries are kept, so that a first look needs no model.
    """
    name = _encoder_name(reading, options)
    if name == NO_ENCODER:
        return EncoderRecord(), reading.report
    encoder, cache = load_encoder(name), EmbeddingCache()
    corpus = reading.corpus
    texts = corpus.texts(options.dense_fields)
    found = _encoded(encoder, texts, reading.vectors, cache, progress)
    _save(found.vectors, texts, folder, DENSE)
    if options.summary:
        summaries = corpus.texts(SUMMARY_FIELDS)
        _save(_encoded(encoder, summaries, None, cache, progress).vectors, summaries, folder, SUMMARY)
    for query in queries if name != PrecomputedEncoder.name else ():
        if query.example:
            encode_query(encoder, query.text, cache)
    record = EncoderRecord(name, encoder.fingerprint, encoder.dimension, found.computed, found.reused)
    return record, _with_long_chunks(reading, encoder, texts)


def open_dense(stored: Stored, folder: Path, name: str) -> DenseChannel | None:
    """The channel `dense` or `summary` of a build; None where the build was not asked for it.

    `Unavailable` where it was built without vectors. Its encoder is loaded with the first query that has no kept
    vector.
    """
    manifest = stored.manifest
    if name == SUMMARY and not manifest.options.summary:
        return None
    if manifest.encoder == NO_ENCODER:
        raise Unavailable("This collection was built without vectors.", "Rebuild it with an encoder.")
    index = DenseIndex.load(folder / "dense", name)
    return DenseChannel(index, stored.corpus, load_encoder(manifest.encoder), EmbeddingCache(), name)


def _encoder_name(reading: Reading, options: BuildOptions) -> str:
    if options.encoder is not None:
        return options.encoder
    if reading.vectors is not None:
        return PrecomputedEncoder.name
    languages = reading.corpus.languages
    return default_encoder(options.reading.language or (languages[0] if len(languages) == 1 else None))


def _encoded(
    encoder: Encoder, texts: Sequence[str], given: Vectors | None, cache: EmbeddingCache, progress: Progress
) -> Encoded:
    """The vectors of the texts that are not blank; those given with the source where there are any."""
    if given is None:
        return encode_passages(encoder, [text for text in texts if text], cache, progress)
    if encoder.dimension not in (0, given.shape[1]):
        raise BadInput(
            f"The vectors of the source have {given.shape[1]} dimensions, those of {encoder.name} {encoder.dimension}.",
            "Name the encoder that made the vectors.",
        )
    vectors = given[[row for row, text in enumerate(texts) if text]]
    return Encoded(vectors, computed=0, reused=len(vectors))


def _save(vectors: Vectors, texts: Sequence[str], folder: Path, name: str) -> None:
    rows = np.array([row for row, text in enumerate(texts) if text], dtype=np.int64)
    build_dense(vectors, rows, folder / "dense", name)


def _with_long_chunks(reading: Reading, encoder: Encoder, texts: Sequence[str]) -> ImportReport:
    ids = reading.corpus.ids
    found = [(ids[long.row], long.tokens) for long in over_long(encoder, texts)]
    return reading.report.with_long_chunks(encoder.max_tokens, encoder.overflow, found)
