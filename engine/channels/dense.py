"""The dense channel: cosine against every chunk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.corpus.corpus import Corpus
from engine.encoders.cache import EmbeddingCache, encode_query
from engine.types import Encoder, Floats, Mask, Note, Place, Ranking, Setup, Vectors


class DenseIndex:
    """Unit vectors and the corpus rows to which they belong."""

    def __init__(self, vectors: Vectors, rows: np.ndarray) -> None:
        self.vectors, self.rows = vectors, rows

    @classmethod
    def load(cls, folder: Path, name: str) -> DenseIndex:
        """Open the index of that name."""
        return cls(np.load(folder / f"{name}.vectors.npy", mmap_mode="r"), np.load(folder / f"{name}.rows.npy"))


def build_dense(vectors: Vectors, rows: np.ndarray, folder: Path, name: str) -> None:
    """Keep the vectors of those rows."""
    folder.mkdir(exist_ok=True)
    np.save(folder / f"{name}.vectors.npy", vectors)
    np.save(folder / f"{name}.rows.npy", rows)


class DenseChannel:
    """Cosine search."""

    label = "Dense"
    scale = "cosine, -1 to 1"

    def __init__(self, index: DenseIndex, corpus: Corpus, encoder: Encoder, cache: EmbeddingCache, name: str) -> None:
        self.index, self.corpus, self.encoder, self.cache, self.name = index, corpus, encoder, cache, name

    def scores(self, query: str) -> Floats:
        """Cosine of every indexed row."""
        vector = encode_query(self.encoder, query, self.cache).astype(np.float64)
        cosines: Floats = np.clip(np.einsum("ij,j->i", self.index.vectors.astype(np.float64), vector), -1, 1)
        return cosines

    def search(self, query: str, setup: Setup, allowed: Mask | None = None) -> Ranking:
        """The nearest chunks."""
        whole = self._all(query, allowed)
        return whole.keep(whole.ids[: setup.channel(self.name).depth])

    def place(self, query: str, chunk_id: str, setup: Setup, allowed: Mask | None = None) -> Place | None:
        """The true place."""
        whole = self._all(query, allowed)
        rank = whole.rank(chunk_id)
        return None if rank is None else Place(rank, float(whole.scores[rank - 1]))

    def notes(self, query: str, setup: Setup) -> tuple[Note, ...]:
        """None."""
        return ()

    def _all(self, query: str, allowed: Mask | None) -> Ranking:
        scores = self.scores(query)
        keep = np.ones(len(scores), bool) if allowed is None else allowed[self.index.rows]
        ids = [self.corpus.ids[row] for row in self.index.rows[keep].tolist()]
        return Ranking.of(self.name, ids, scores[keep])
