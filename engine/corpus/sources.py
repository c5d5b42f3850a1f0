"""A file to be read: checked before it is opened, bounded while it is read, and its faults put into words."""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from engine.corpus.options import ImportOptions
from engine.errors import BadInput

HEAD_BYTES = 1 << 20
"""How much of a file a preview reads."""
MOST_BYTES = 4 << 30
"""The largest source, unpacked. Beyond it a collection belongs into an engine that RankScope connects to."""
MOST_PACKED_RATIO = 200
ALWAYS_UNPACKED = 100 << 20
"""An office file that unpacks to more than so many times its size, and to more than so many bytes, is refused."""

LONGEST_NAME = 260
"""The most characters of a name in a message: no file that exists has more."""
MOST_ROWS = 5_000_000
"""The most rows of one table."""
PARSER_FAULTS: tuple[type[Exception], ...] = (
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
    *(AssertionError, NotImplementedError, RecursionError, SyntaxError),  # faulty XML is a SyntaxError
)
"""What the parsers of binary formats raise, beside their own errors, where a file is not what they expect."""

_BINARY: dict[bytes, str] = {
    b"PK\x03\x04": "a ZIP archive or an Office file",
    b"%PDF": "a PDF",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "a gzip archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\xd0\xcf\x11\xe0": "an Office file of the old kind (.xls, .doc)",
    b"SQLite format 3": "an SQLite database",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x7fELF": "a program",
    b"\x93NUMPY": "a NumPy array",
}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file and how to read it. `name` stands for it in messages; `head_only` asks for what a preview needs."""

    path: Path
    name: str
    options: ImportOptions = field(default_factory=ImportOptions)
    head_only: bool = False

    @property
    def suffix(self) -> str:
        """The ending that tells the format, in lower case, without a final `.gz`."""
        return ending(self.path)

    def open_bytes(self) -> BinaryIO:
        """The bytes of the file, unpacked where it ends in `.gz`; `BadInput` past `MOST_BYTES`."""
        if self.path.suffix.lower() != ".gz":
            return self.path.open("rb")
        return cast(BinaryIO, io.BufferedReader(_Bounded(cast(BinaryIO, gzip.open(self.path, "rb")), self.name)))


def ending(path: Path) -> str:
    """The ending of a file name in lower case; that before `.gz` where there is one."""
    name = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return name.suffix.lower()


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more than `MOST_BYTES`, whatever its archive promises."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__()
        self._stream, self._name, self._given = stream, name, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._given += len(data)
        if self._given > MOST_BYTES:
            raise too_large(self._name)
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def too_large(name: str) -> BadInput:
    """The error for a source beyond what one collection can hold."""
    return BadInput(
        f"{name} holds more than {MOST_BYTES >> 30} GB unpacked.", "Split it, or connect to an engine that holds it."
    )


def too_many_rows(name: str) -> BadInput:
    """The error for a table beyond what one collection can hold."""
    return BadInput(f"{name} has more than {MOST_ROWS:,} rows.", "Split it, or connect to an engine that holds it.")


@contextmanager
def opening(name: str) -> Iterator[None]:
    """Turn what the system says of a path that it cannot look at into a `BadInput`."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"{shortened(name)} does not exist.", "Check the path.") from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadInput(
            f"{shortened(name)} cannot be opened: {reason}.", "Check the path and its permissions."
        ) from error


def shortened(name: str) -> str:
    """The name as a message can hold it."""
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def check_file(path: Path, name: str) -> None:
    """Refuse, with `BadInput`, what is not a readable file with something in it."""
    with opening(name):
        found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise BadInput(f"{name} is a folder, not a file.", "Choose a file in it, or the format 'folder'.")
    if not stat.S_ISREG(found.st_mode):
        raise BadInput(f"{name} is a device or a pipe, not a file.", "Save its content to a file first.")
    if found.st_size == 0:
        raise BadInput(f"{name} is empty.", "Choose a file with at least a header or one record.")
    if found.st_size > MOST_BYTES:
        raise too_large(name)


def binary_kind(head: bytes) -> str | None:
    """What a file is that begins with these bytes, where they are the mark of a well-known binary format."""
    return next((kind for mark, kind in _BINARY.items() if head.startswith(mark)), None)


def check_archive(source: SourceFile) -> None:
    """Refuse an office file that is no ZIP archive, or one that would unpack to a great multiple of its size."""
    with refusing(source, "an Office file", zipfile.BadZipFile), zipfile.ZipFile(source.path) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    packed = source.path.stat().st_size
    if unpacked > MOST_BYTES or unpacked > max(ALWAYS_UNPACKED, MOST_PACKED_RATIO * packed):
        raise BadInput(
            f"{source.name} would unpack from {packed:,} to {unpacked:,} bytes.", "Save it again, or export it as CSV."
        )


@contextmanager
def refusing(source: SourceFile, what: str, *errors: type[Exception], hint: str = "") -> Iterator[None]:
    """Turn the faults of a broken file (input errors, and those given) into a `BadInput` that names file and format."""
    faults: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, UnicodeError, *errors)
    try:
        yield
    except faults as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise BadInput(
            f"{source.name} cannot be read as {what}: {reason[0]}.".replace("..", "."),
            hint or "Open it in the program that made it, save it again, and try that file.",
        ) from error
