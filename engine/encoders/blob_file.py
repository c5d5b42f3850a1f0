"""One SQLite file of small values by key: written by several processes at once, and never fatal when it is broken."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

_WAIT_SECONDS = 60.0
_KEYS_PER_READ = 500


class BlobFile:
    """Values (bytes) by key (bytes), kept in one SQLite database in write-ahead mode, in the column `column`.

    A file that is no database any more is moved aside, beside a new one, and its values are made again. A value that
    `is_sound` refuses counts as missing. With `most`, that many are kept, those written last.
    `sqlite3.OperationalError` where the disk is full or read-only. The column is a name of the program's own, never one
    from outside.
    """

    def __init__(self, path: Path, column: str, is_sound: Callable[[bytes], bool], most: int | None = None) -> None:
        self._path = path
        self._column = column
        self._is_sound = is_sound
        self._most = most

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The sound values of those keys that are there."""
        if not self._path.exists():
            return {}
        try:
            with self._connection() as connection:
                return {key: blob for part in _parts(keys) for key, blob in self._read(connection, part)}
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._move_aside()
            return {}

    def write(self, blobs: Mapping[bytes, bytes]) -> None:
        """Keep the values, all or none; a key that has a sound one already keeps it."""
        try:
            self._write(blobs)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._move_aside()
            self._write(blobs)

    def _read(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        holes = ", ".join("?" * len(keys))
        rows = connection.execute(f"SELECT key, {self._column} FROM {self._column}s WHERE key IN ({holes})", keys)
        return ((key, blob) for key, blob in rows if self._is_sound(blob))

    def _write(self, blobs: Mapping[bytes, bytes]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        name = self._column
        with self._connection() as connection, connection:
            connection.create_function("is_sound", 1, self._is_sound, deterministic=True)
            connection.executemany(
                f"INSERT INTO {name}s VALUES (?, ?) ON CONFLICT (key) "
                f"DO UPDATE SET {name} = excluded.{name} WHERE NOT is_sound({name}s.{name})",
                list(blobs.items()),
            )
            if self._most is not None:  # row numbers rise with every new key
                connection.execute(
                    f"DELETE FROM {name}s WHERE rowid <= (SELECT max(rowid) FROM {name}s) - ?", (self._most,)
                )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        name = self._column
        with closing(sqlite3.connect(self._path, timeout=_WAIT_SECONDS)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"CREATE TABLE IF NOT EXISTS {name}s (key BLOB PRIMARY KEY, {name} BLOB NOT NULL)")
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
