"""Rerank scores that outlive the process: the same query and text are never read together twice by one model."""

from __future__ import annotations

import hashlib
import math
import sqlite3
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from engine.encoders.blob_file import BlobFile
from engine.encoders.cache import default_folder
from engine.types import Floats, Reranker

_SCORE = struct.Struct("<d")


class ScoreCache:
    """Scores by reranker, query and text; several processes may use the folder at once.

    A cache that cannot be read or written never stops the work: its scores are made again, and `problem` says why.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` defaults to that of the embedding cache."""
        self.folder = folder or default_folder()
        self.problem: str | None = None

    def read(self, fingerprint: str, query: str, texts: Sequence[str]) -> dict[str, float]:
        """The scores of those texts for the query that are kept."""
        keys = {_key(query, text): text for text in texts}
        try:
            kept = self._file(fingerprint).read(list(keys))
        except (OSError, sqlite3.Error) as error:
            self._remember(error)
            return {}
        return {keys[key]: _SCORE.unpack(blob)[0] for key, blob in kept.items()}

    def write(self, fingerprint: str, query: str, scores: Mapping[str, float]) -> None:
        """Keep the scores of these texts for the query; a pair that has one keeps it."""
        try:
            self._file(fingerprint).write({_key(query, text): _SCORE.pack(score) for text, score in scores.items()})
        except (OSError, sqlite3.Error) as error:
            self._remember(error)

    def _file(self, fingerprint: str) -> BlobFile:
        name = f"rerank-{hashlib.sha256(fingerprint.encode()).hexdigest()[:32]}.sqlite"
        return BlobFile(self.folder / name, "score", _is_score)

    def _remember(self, error: Exception) -> None:
        self.problem = f"The rerank cache in {self.folder} cannot be used: {error}."


class CachedReranker:
    """A reranker that asks its cache first and keeps there what it computes; else exactly the one that it wraps.

    Texts that are equal are scored once, so their scores are equal to the last bit.
    """

    def __init__(self, reranker: Reranker, cache: ScoreCache) -> None:
        self._reranker = reranker
        self.cache = cache

    @property
    def name(self) -> str:
        """The name of the reranker."""
        return self._reranker.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the reranker, under which the cache keeps its scores."""
        return self._reranker.fingerprint

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages of the reranker."""
        return self._reranker.languages

    @property
    def gives(self) -> Literal["logit", "probability"]:
        """What the reranker gives."""
        return self._reranker.gives

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """One score per text, shape (len(texts),), as the reranker gives them. Errors are the reranker's."""
        wanted = list(dict.fromkeys(texts))
        known = self.cache.read(self.fingerprint, query, wanted)
        missing = [text for text in wanted if text not in known]
        if missing:
            new = dict(zip(missing, self._reranker.scores(query, missing).tolist(), strict=True))
            self.cache.write(self.fingerprint, query, new)
            known.update(new)
        return np.array([known[text] for text in texts], dtype=np.float64)


def _key(query: str, text: str) -> bytes:
    parts = (hashlib.sha256(part.encode(errors="surrogatepass")).digest() for part in (query, text))
    return hashlib.sha256(b"".join(parts)).digest()


def _is_score(blob: bytes) -> bool:
    return len(blob) == _SCORE.size and math.isfinite(_SCORE.unpack(blob)[0])
