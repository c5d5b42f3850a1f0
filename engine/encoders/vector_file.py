"""One SQLite file of vectors: written by several processes at once, and never fatal when it is broken."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from engine.types import Vectors

_WAIT_SECONDS = 60.0
_KEYS_PER_READ = 500
_UNIT_TOLERANCE = 1e-3
_KEEP_OR_MEND = """
    INSERT INTO vectors VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET vector = excluded.vector WHERE NOT is_unit(vectors.vector)
"""
# Row numbers rise with every new key.
_FORGET = "DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?"


class VectorFile:
    """Unit vectors by key (bytes), kept in one SQLite database in write-ahead mode.

    A file that is no database any more is moved aside, beside a new one, and its vectors are made again. A vector that
    is not of length 1 any more counts as missing. With `most`, that many are kept, those written last.
    `sqlite3.OperationalError` where the disk is full or read-only.
    """

    def __init__(self, path: Path, most: int | None = None) -> None:
        self._path = path
        self._most = most

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are there."""
        if not self._path.exists():
            return {}
        try:
            with self._connection() as connection:
                return {key: vector for part in _parts(keys) for key, vector in _read(connection, part)}
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._move_aside()
            return {}

    def write(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep the vectors, all or none; a key that has one of length 1 already keeps it."""
        try:
            self._write(vectors)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._move_aside()
            self._write(vectors)

    def _write(self, vectors: Mapping[bytes, Vectors]) -> None:
        rows = [(key, np.ascontiguousarray(vector, dtype="<f4").tobytes()) for key, vector in vectors.items()]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._connection() as connection, connection:
            connection.create_function("is_unit", 1, lambda blob: _is_unit(_vector(blob)), deterministic=True)
            connection.executemany(_KEEP_OR_MEND, rows)
            if self._most is not None:
                connection.execute(_FORGET, (self._most,))

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=_WAIT_SECONDS)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
            yield connection

    def _move_aside(self) -> None:
        """Rename the file and its companions, unless another process has just done so."""
        from filelock import FileLock

        with FileLock(f"{self._path}.lock"):
            if not self._is_broken():
                return
            number = sum(1 for _ in self._path.parent.glob(f"{self._path.name}.broken-*")) + 1
            # The log of the broken file must not be replayed into the new one.
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._path.rename(self._path.with_name(f"{self._path.name}.broken-{number}"))

    def _is_broken(self) -> bool:
        try:
            with self._connection() as connection:
                answer: tuple[str] = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            return False
        except sqlite3.DatabaseError:
            return True
        return answer[0] != "ok"


def _parts(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), _KEYS_PER_READ):
        yield keys[start : start + _KEYS_PER_READ]


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Vectors]]:
    holes = ", ".join("?" * len(keys))
    rows = connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({holes})", keys)
    for key, blob in rows:
        vector = _vector(blob)
        if _is_unit(vector):
            yield key, vector


def _vector(blob: bytes) -> Vectors:
    return np.frombuffer(blob, dtype="<f4", count=len(blob) // 4)


def _is_unit(vector: Vectors) -> bool:
    return abs(float(np.linalg.norm(vector)) - 1.0) < _UNIT_TOLERANCE
