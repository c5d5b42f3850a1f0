"""Vectors to an index on disk: from an encoder, from a data file, or from a FAISS file made elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.channels.best_rows import Rows
from engine.channels.dense_index import FORMAT, DenseIndex, DenseManifest, DenseOptions
from engine.channels.origin import Origin
from engine.channels.recall import with_recall
from engine.corpus.fields import is_blank
from engine.encoders.cache import EmbeddingCache, encode_passages
from engine.errors import BadInput
from engine.types import Encoder, Progress, Vectors, no_progress

if TYPE_CHECKING:
    from faiss import Index

_ADDED_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class DenseBuild:
    """A built index, and how many of its texts were embedded now or had a vector."""

    manifest: DenseManifest
    computed: int
    reused: int


def searchable_rows(texts: Sequence[str]) -> Rows:
    """The rows whose text is not blank, ascending (int64): those that an index holds."""
    return np.array([row for row, text in enumerate(texts) if not is_blank(text)], dtype=np.int64)


def embed_and_index(
    texts: Sequence[str],
    folder: Path,
    *,
    encoder: Encoder,
    cache: EmbeddingCache | None = None,
    name: str = "dense",
    options: DenseOptions | None = None,
    origin: Origin | None = None,
    progress: Progress = no_progress,
) -> DenseBuild:
    """The index of one text per chunk, in corpus order; blank texts are left out, kept vectors are reused.

    `origin` is kept with the index: the corpus and the fields that the texts are of.
    """
    rows = searchable_rows(texts)
    encoded = encode_passages(encoder, [texts[row] for row in rows], cache, progress)
    manifest = build_dense(
        encoded.vectors,
        rows,
        folder,
        encoder=encoder,
        corpus_size=len(texts),
        name=name,
        options=options,
        origin=origin,
        progress=progress,
    )
    return DenseBuild(manifest, encoded.computed, encoded.reused)


def build_dense(
    vectors: Vectors,
    rows: Rows,
    folder: Path,
    *,
    encoder: Encoder,
    corpus_size: int,
    name: str = "dense",
    options: DenseOptions | None = None,
    origin: Origin | None = None,
    progress: Progress = no_progress,
) -> DenseManifest:
    """The manifest of the index written to `folder`: `name`.faiss, `name`.rows.npy and, last, `name`.json.

    `vectors[i]`, of any length but 0, is the vector of corpus row `rows[i]` (ascending, without the blank ones) and was
    made by `encoder`. Flat below `options.flat_below` vectors, HNSW from there on (Malkov and Yashunin, 2018), with its
    recall measured. `BadInput` for vectors that cannot be compared by cosine.
    """
    options = options or DenseOptions()
    unit = _unit(vectors, rows, encoder)
    kind: Literal["flat", "hnsw"] = "flat" if len(unit) < options.flat_below else "hnsw"
    index = _flat(unit) if kind == "flat" else _hnsw(unit, options, progress)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.faiss"
    _write(index, path)
    np.save(folder / f"{name}.rows.npy", rows.astype(np.int64))
    manifest = DenseManifest(
        format=FORMAT,
        name=name,
        kind=kind,
        count=len(unit),
        corpus_size=corpus_size,
        dimension=unit.shape[1],
        encoder=encoder.name,
        fingerprint=encoder.fingerprint,
        max_tokens=encoder.max_tokens,
        file_bytes=path.stat().st_size,
        options=options,
        origin=origin,
    )
    if kind == "hnsw":
        manifest = with_recall(DenseIndex(manifest, rows, index))
    (folder / f"{name}.json").write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    return manifest


def _unit(vectors: Vectors, rows: Rows, encoder: Encoder) -> Vectors:
    if vectors.ndim != 2 or len(vectors) != len(rows):
        raise ValueError(f"{len(rows)} rows but vectors of shape {vectors.shape}")
    if encoder.dimension not in (0, vectors.shape[1]):
        raise BadInput(
            f"The vectors have {vectors.shape[1]} dimensions, and the encoder {encoder.name!r} makes "
            f"{encoder.dimension}.",
            "Name the encoder that made them.",
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(bad):
        raise BadInput(
            f"{len(bad)} of {len(rows)} vectors have no direction (all zero, or not finite); the first is that of "
            f"chunk {rows[bad[0]] + 1}.",
            "Embed those texts again, or leave them out.",
        )
    unit = np.empty(vectors.shape, dtype=np.float32)
    np.divide(vectors, lengths[:, np.newaxis], out=unit, casting="same_kind")
    return unit


def _write(index: Index, path: Path) -> None:
    """Write through a file of Python's, whose faults are the system's own: FAISS has one kind for all."""
    import faiss

    with path.open("wb") as file:
        faiss.write_index(index, faiss.PyCallbackIOWriter(file.write))  # type: ignore[attr-defined]


def _flat(vectors: Vectors) -> Index:
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    return index


def _hnsw(vectors: Vectors, options: DenseOptions, progress: Progress) -> Index:
    import faiss

    index = faiss.IndexHNSWFlat(vectors.shape[1], options.links, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = options.build_width
    faiss.omp_set_num_threads(os.cpu_count() or 1)
    try:
        for start in range(0, len(vectors), _ADDED_AT_ONCE):
            progress("indexing", start, len(vectors))
            index.add(vectors[start : start + _ADDED_AT_ONCE])
    finally:
        faiss.omp_set_num_threads(1)
    progress("indexing", len(vectors), len(vectors))
    return index
