"""One SQLite file of vectors: written by several processes at once, and never fatal when it is broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.encoders.blob_file import BlobFile
from engine.types import Vectors

_UNIT_TOLERANCE = 1e-3


class VectorFile:
    """Unit vectors by key (bytes), kept in a `BlobFile`.

    A vector that is not of length 1 any more counts as missing. With `most`, that many are kept, those written last.
    `sqlite3.OperationalError` where the disk is full or read-only.
    """

    def __init__(self, path: Path, most: int | None = None) -> None:
        self._file = BlobFile(path, "vector", lambda blob: _is_unit(_vector(blob)), most)

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are there."""
        return {key: _vector(blob) for key, blob in self._file.read(keys).items()}

    def write(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep the vectors, all or none; a key that has one of length 1 already keeps it."""
        self._file.write({key: np.ascontiguousarray(vector, dtype="<f4").tobytes() for key, vector in vectors.items()})


def _vector(blob: bytes) -> Vectors:
    return np.frombuffer(blob, dtype="<f4", count=len(blob) // 4)


def _is_unit(vector: Vectors) -> bool:
    return abs(float(np.linalg.norm(vector)) - 1.0) < _UNIT_TOLERANCE
