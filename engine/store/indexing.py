"""The indexes of a build: made into its folder, and opened from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from engine.channels.bm25 import build_bm25
from engine.channels.dense import (
    DenseBuild,
    DenseChannel,
    DenseIndex,
    build_dense,
    embed_and_index,
    searchable_rows,
)
from engine.channels.origin import Origin, refuse_other_texts
from engine.corpus.corpus import Corpus
from engine.corpus.fields import SUMMARY_FIELDS
from engine.corpus.reading import Reading
from engine.corpus.report import ImportReport
from engine.encoders.cache import EmbeddingCache, encode_query
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
    name = encoder_for(reading, options)
    if name == NO_ENCODER:
        return EncoderRecord(), reading.report
    if options.summary and name == PrecomputedEncoder.name:
        raise BadInput("Summaries cannot be indexed without an encoder.", "Name the encoder, or leave summaries out.")
    encoder, cache = load_encoder(name), EmbeddingCache()
    origin, texts = Origin.of(reading.corpus, options.dense_fields), reading.corpus.texts(options.dense_fields)
    if reading.vectors is None:
        built = embed_and_index(
            texts, folder / DENSE, encoder=encoder, cache=cache, name=DENSE, origin=origin, progress=progress
        )
    else:
        built = _index_given(reading.vectors, texts, folder / DENSE, encoder, origin)
    if options.summary:
        _index_summaries(reading.corpus, folder / DENSE, encoder, cache, progress)
    for query in queries if name != PrecomputedEncoder.name else ():
        if query.example:
            encode_query(encoder, query.text, cache)
    record = EncoderRecord(name, encoder.fingerprint, built.manifest.dimension, built.computed, built.reused)
    return record, _with_long_chunks(reading, encoder, texts, progress)


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
    index = DenseIndex.load(folder / DENSE, name)
    fields = SUMMARY_FIELDS if name == SUMMARY else manifest.options.dense_fields
    find_encoder, cache = partial(load_encoder, manifest.encoder), EmbeddingCache()
    return DenseChannel(index, stored.corpus, find_encoder, cache, name, fields=fields)


def given_vectors(stored: Stored, folder: Path) -> Vectors | None:
    """The vectors that came with the source of a build, one a chunk (zeros where it is blank); None where none did."""
    if stored.manifest.encoder == NO_ENCODER or not stored.report.vector_dimension:
        return None
    index = DenseIndex.load(folder / DENSE, DENSE)
    refuse_other_texts(DENSE, index.manifest.origin, stored.corpus, stored.manifest.options.dense_fields)
    vectors = np.zeros((len(stored.corpus), index.manifest.dimension), dtype=np.float32)
    vectors[index.rows] = index.vectors
    return vectors


def encoder_for(reading: Reading, options: BuildOptions) -> str:
    """The name of the encoder of a build: the one that is asked for, that of given vectors, or the language's own."""
    if options.encoder is not None:
        return options.encoder
    if reading.vectors is not None:
        return PrecomputedEncoder.name
    languages = reading.corpus.languages
    return default_encoder(options.reading.language or (languages[0] if len(languages) == 1 else None))


def _index_given(vectors: Vectors, texts: Sequence[str], folder: Path, encoder: Encoder, origin: Origin) -> DenseBuild:
    rows = searchable_rows(texts)
    # What could not be used of the source's vectors is zeros here, and in its report.
    rows = rows[vectors[rows].any(axis=1)]
    manifest = build_dense(
        vectors[rows], rows, folder, encoder=encoder, corpus_size=len(texts), name=DENSE, origin=origin
    )
    return DenseBuild(manifest, computed=0, reused=len(rows))


def _index_summaries(corpus: Corpus, folder: Path, encoder: Encoder, cache: EmbeddingCache, progress: Progress) -> None:
    origin, texts = Origin.of(corpus, SUMMARY_FIELDS), corpus.texts(SUMMARY_FIELDS)
    embed_and_index(texts, folder, encoder=encoder, cache=cache, name=SUMMARY, origin=origin, progress=progress)


def _with_long_chunks(reading: Reading, encoder: Encoder, texts: Sequence[str], progress: Progress) -> ImportReport:
    ids = reading.corpus.ids
    found = [(ids[long.row], long.tokens) for long in over_long(encoder, texts, progress)]
    return reading.report.with_long_chunks(encoder.max_tokens, encoder.overflow, found)
