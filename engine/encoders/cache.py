"""Text to vectors without embedding the same text twice."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from engine.corpus.fields import is_blank
from engine.encoders.readable import readable_query
from engine.encoders.vector_file import VectorFile
from engine.errors import BadInput
from engine.types import Encoder, Progress, Vectors, no_progress

Kind = Literal["passage", "query"]

QUERIES_KEPT = 10_000
"""Query vectors kept per encoder, the newest; those of passages stay as long as the folder does."""

SLICE = 128
"""Texts encoded between two writes: what a cancelled or crashed build loses at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """One unit vector per text, shape (texts, dimension), and how many texts were embedded now or had a vector."""

    vectors: Vectors
    computed: int
    reused: int


class EmbeddingCache:
    """Vectors that outlive the process, by encoder, kind and text; several processes may use the folder at once.

    A cache that cannot be read or written never stops the work: its vectors are made again, and `problem` says why
    until the same works again. Of queries, the newest `QUERIES_KEPT` of each encoder are kept.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` defaults to `RANKSCOPE_CACHE`, else to the user's cache folder."""
        self.folder = folder or default_folder()
        self._problems: dict[str, str] = {}

    @property
    def problem(self) -> str | None:
        """Why the last reading or writing failed; None where both worked or were not tried."""
        return next(iter(self._problems.values()), None)

    def read(self, fingerprint: str, kind: Kind, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those texts that are kept, each of shape (dimension,)."""
        keys = {_key(kind, text): text for text in texts}
        try:
            kept = self._file(fingerprint, kind).read(list(keys))
        except (OSError, sqlite3.Error) as error:
            self._remember("read", error)
            return {}
        self._problems.pop("read", None)
        return {keys[key]: vector for key, vector in kept.items()}

    def write(self, fingerprint: str, kind: Kind, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of these texts; a text that has one keeps it."""
        try:
            self._file(fingerprint, kind).write({_key(kind, text): vector for text, vector in vectors.items()})
        except (OSError, sqlite3.Error) as error:
            self._remember("write", error)
        else:
            self._problems.pop("write", None)

    def _file(self, fingerprint: str, kind: Kind) -> VectorFile:
        name = hashlib.sha256(fingerprint.encode()).hexdigest()[:32]
        if kind == "query":
            return VectorFile(self.folder / f"{name}-queries.sqlite", most=QUERIES_KEPT)
        return VectorFile(self.folder / f"{name}.sqlite")

    def _remember(self, what: str, error: Exception) -> None:
        self._problems[what] = f"The embedding cache in {self.folder} cannot be used: {error}."


def default_folder() -> Path:
    """`RANKSCOPE_CACHE` where it is set, else the user's cache folder."""
    from platformdirs import user_cache_path

    named = os.environ.get("RANKSCOPE_CACHE")
    return Path(named) if named else user_cache_path("rankscope", appauthor=False)


def encode_passages(
    encoder: Encoder, texts: Sequence[str], cache: EmbeddingCache | None = None, progress: Progress = no_progress
) -> Encoded:
    """One vector per text in the order given; kept vectors are reused and new ones kept.

    Texts that are equal are embedded once, so their vectors are equal to the last bit. An exception from `progress`
    cancels the work, and what was embedded before stays in the cache. Blank texts are a defect of the caller
    (`ValueError`): they have no vector.
    """
    if any(is_blank(text) for text in texts):
        raise ValueError("blank texts are never encoded")
    known = cache.read(encoder.fingerprint, "passage", list(dict.fromkeys(texts))) if cache else {}
    missing = sorted({text for text in texts if text not in known}, key=lambda text: (-len(text), text))
    done = len(texts) - len(missing)
    progress("embedding", done, len(texts))
    for start in range(0, len(missing), SLICE):
        part = missing[start : start + SLICE]
        new = dict(zip(part, encoder.encode_passages(part, _shifted(progress, done + start, len(texts))), strict=True))
        known.update(new)
        if cache:
            cache.write(encoder.fingerprint, "passage", new)
    vectors = np.empty((len(texts), encoder.dimension), dtype=np.float32)
    for row, text in enumerate(texts):
        vectors[row] = known[text]
    return Encoded(vectors, computed=len(missing), reused=len(texts) - len(missing))


def encode_query(encoder: Encoder, text: str, cache: EmbeddingCache | None = None) -> Vectors:
    """The vector of a query, shape (dimension,), from the cache where it is kept there, and kept there from now on.

    The encoder and the cache get the query as `readable_query` has it.
    `BadInput` where the encoder finds nothing that it knows: models of static word vectors then give 0 throughout.
    """
    asked = readable_query(text)
    known = cache.read(encoder.fingerprint, "query", [asked]) if cache else {}
    if asked in known:
        return known[asked]
    vector = encoder.encode_query(asked)
    if not vector.any():
        raise BadInput(f"The encoder {encoder.name!r} knows no word of the query {text!r}.", "Use other words.")
    if cache:
        cache.write(encoder.fingerprint, "query", {asked: vector})
    return vector


def _key(kind: Kind, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode(errors="surrogatepass")).digest()


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    return lambda stage, done, _: progress(stage, before + done, total)
