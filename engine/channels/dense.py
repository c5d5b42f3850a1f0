"""The dense channel: chunks by the cosine between the query's vector and theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from engine.channels.best_rows import Rows, best_rows
from engine.channels.dense_build import DenseBuild, build_dense, embed_and_index, searchable_rows
from engine.channels.dense_index import REBUILD, DenseIndex, DenseManifest, DenseOptions
from engine.channels.foreign_index import foreign_vectors
from engine.channels.origin import refuse_other_texts
from engine.corpus.corpus import Corpus
from engine.corpus.fields import SearchedField
from engine.encoders.cache import EmbeddingCache, encode_query
from engine.encoders.readable import readable_query
from engine.errors import BadInput, RankScopeError, StaleIndex
from engine.types import Encoder, Floats, Mask, Note, Place, Ranking, Setup, Vectors

__all__ = [
    "DenseBuild",
    "DenseChannel",
    "DenseIndex",
    "DenseManifest",
    "DenseOptions",
    "build_dense",
    "embed_and_index",
    "foreign_vectors",
    "searchable_rows",
]

_Kept = TypeVar("_Kept", Vectors, Floats)
_QUERIES_KEPT = 4096
_SCORES_KEPT = 8


class DenseChannel:
    """Every chunk that is not blank, ordered by cosine; the encoder is asked only for queries without a vector.

    `encoder` may be a function that finds the encoder when it is first needed; what it raises reaches the caller of
    the search. `StaleIndex` where the index was made from other texts or from other `fields` (None: whatever it was
    made of). An encoder that did not make the index is refused before anything is searched (`StaleIndex`, with both
    names and dimensions).
    """

    def __init__(
        self,
        index: DenseIndex,
        corpus: Corpus,
        encoder: Encoder | Callable[[], Encoder],
        cache: EmbeddingCache | None = None,
        name: str = "dense",
        *,
        fields: Sequence[SearchedField] | None = None,
    ) -> None:
        if index.manifest.corpus_size != len(corpus):
            raise StaleIndex(
                f"The index {index.manifest.name!r} is of {index.manifest.corpus_size} chunks, the corpus has "
                f"{len(corpus)}.",
                REBUILD,
            )
        refuse_other_texts(index.manifest.name, index.manifest.origin, corpus, fields)
        self.name = name
        self.label = name.capitalize()
        self.scale = "cosine similarity, −1 to 1"
        self.index = index
        self._corpus = corpus
        self._find_encoder: Callable[[], Encoder] = encoder if callable(encoder) else lambda: encoder
        self._cache = cache
        self._tie_order: Rows = corpus.id_order[index.rows]
        self._vectors: dict[str, Vectors] = {}
        # A knob moved after a search asks for the same query again.
        self._scored: dict[str, Floats] = {}
        self._changing = threading.Lock()

    def search(self, query: str, setup: Setup, allowed: Mask | None = None) -> Ranking:
        """The nearest `depth` chunks among those allowed, or all of them where there are fewer.

        With a filter, and in a flat index, every allowed chunk is scored, so the answer is exact and never starved.
        """
        depth = setup.channel(self.name).depth
        positions = self.index.nearest(self.query_vector(query), depth) if allowed is None else None
        if positions is not None:
            return self._ranking(positions, self.index.scores(self.query_vector(query), positions), depth)
        scores = self._position_scores(query)
        kept = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed[self.index.rows])
        return self._ranking(kept, scores[kept], depth)

    def place(self, query: str, chunk_id: str, setup: Setup, allowed: Mask | None = None) -> Place | None:
        """The true rank and cosine of a chunk among all that are allowed; None for a blank or filtered one."""
        row = self._corpus.row(chunk_id)
        position = self.index.position(row)
        if position is None or (allowed is not None and not allowed[row]):
            return None
        scores = self._position_scores(query)
        mine = scores[position]
        ahead = (scores > mine) | ((scores == mine) & (self._tie_order < self._tie_order[position]))
        if allowed is not None:
            ahead &= allowed[self.index.rows]
        return Place(rank=int(ahead.sum()) + 1, score=float(mine))

    def notes(self, query: str, setup: Setup) -> tuple[Note, ...]:
        """That the search is approximate, that the query is too long for the encoder, that no vectors are kept."""
        texts = {
            "approximate search": self._approximation(),
            "long query": self._overflow(query),
            "embedding cache": self._cache.problem if self._cache else None,
        }
        return tuple(Note(code, text) for code, text in texts.items() if text)

    @property
    def floor(self) -> float:
        """−1: the cosine of opposite vectors."""
        return -1.0

    def scores_of(self, query: str, chunk_ids: Sequence[str], setup: Setup) -> Floats:
        """The cosine of each chunk however deep, shape (len(chunk_ids),), NaN for blank ones."""
        scores = np.full(len(self._corpus), np.nan)
        scores[self.index.rows] = self._position_scores(query)
        return scores[[self._corpus.row(chunk_id) for chunk_id in chunk_ids]]

    def neighbours(self, chunk_id: str, n: int) -> Ranking:
        """The `n` chunks nearest to a chunk by cosine, itself left out; empty for a blank chunk."""
        position = self.index.position(self._corpus.row(chunk_id))
        if position is None:
            return Ranking(self.name, (), np.empty(0))
        scores = self.index.scores(self.index.vectors[position])
        others = np.delete(np.arange(len(scores)), position)
        return self._ranking(others, scores[others], n)

    def vector(self, chunk_id: str) -> Vectors | None:
        """The unit vector of a chunk, shape (dimension,), read-only; None for a blank one."""
        position = self.index.position(self._corpus.row(chunk_id))
        return None if position is None else self.index.vectors[position]

    def has_query_vector(self, query: str) -> bool:
        """Whether a search for this query needs no encoder."""
        return self._known_vector(query) is not None

    def query_vector(self, query: str) -> Vectors:
        """The unit vector of a query, shape (dimension,), from memory, the cache or the encoder, in this order."""
        vector = self._known_vector(query)
        if vector is None:
            if not query.strip():
                raise BadInput("The query is empty.", "Type a query.")
            vector = encode_query(self._encoder(), query, self._cache)
        if vector.shape != (self.index.manifest.dimension,):
            raise self._stale(self.index.manifest.encoder, len(vector))
        self._remember(self._vectors, query, vector, _QUERIES_KEPT)
        return vector

    def _known_vector(self, query: str) -> Vectors | None:
        with self._changing:
            vector = self._vectors.get(query)
        if vector is not None or self._cache is None:
            return vector
        asked = readable_query(query)
        return self._cache.read(self.index.manifest.fingerprint, "query", [asked]).get(asked)

    def _remember(self, kept: dict[str, _Kept], query: str, value: _Kept, most: int) -> None:
        """Keep the value as the newest, and the `most` newest ones."""
        with self._changing:
            kept.pop(query, None)
            kept[query] = value
            if len(kept) > most:
                del kept[next(iter(kept))]

    def _encoder(self) -> Encoder:
        encoder = self._find_encoder()
        if encoder.fingerprint != self.index.manifest.fingerprint:
            raise self._stale(encoder.name, encoder.dimension)
        return encoder

    def _stale(self, encoder: str, dimension: int) -> StaleIndex:
        made = self.index.manifest
        return StaleIndex(
            f"The index {made.name!r} was made with the encoder {made.encoder!r} ({made.dimension} dimensions), "
            f"and the query's encoder is {encoder!r} ({dimension} dimensions).",
            f"Rebuild the collection's index with {encoder!r}, or go back to {made.encoder!r}.",
        )

    def _position_scores(self, query: str) -> Floats:
        with self._changing:
            scores = self._scored.get(query)
        if scores is None:
            scores = self.index.scores(self.query_vector(query))
            scores.setflags(write=False)
        self._remember(self._scored, query, scores, _SCORES_KEPT)
        return scores

    def _ranking(self, positions: Rows, scores: Floats, depth: int) -> Ranking:
        best = best_rows(scores, self._tie_order[positions], depth)
        ids = tuple(self._corpus.ids[row] for row in self.index.rows[positions[best]])
        return Ranking(self.name, ids, scores[best])

    def _approximation(self) -> str | None:
        manifest = self.index.manifest
        if manifest.recall_at_10 is None or manifest.recall_at_100 is None:
            return None
        return (
            f"Searched approximately (HNSW): finds {manifest.recall_at_10:.1%} of the true first 10 and "
            f"{manifest.recall_at_100:.1%} of the true first 100. Filtered searches and single places are exact."
        )

    def _overflow(self, query: str) -> str | None:
        limit = self.index.manifest.max_tokens
        if limit is None or len(query) <= limit:  # a token spans a character at least
            return None
        try:
            encoder = self._encoder()
        except RankScopeError:  # the search itself says what is wrong with it
            return None
        tokens = encoder.count_tokens([query])[0]
        if tokens <= limit:
            return None
        what = "read in windows and averaged" if encoder.overflow == "windowed" else "cut there"
        return f"The query has {tokens} tokens, the encoder reads {limit} at once: it is {what}."
