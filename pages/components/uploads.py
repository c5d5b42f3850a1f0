"""Uploaded files on disk: under safe names, in a folder of the workspace that is removed when nobody needs it."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from time import time
from typing import Protocol
from uuid import uuid4

TOGETHER = "uploaded files"
"""The folder in which several files that are one source lie."""

_KEPT_SECONDS = 24 * 3600
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*]')
_LONGEST = 120
_TOKEN = re.compile(r"/uploads/([0-9a-f]{24})-[0-9a-f]{32}/source/")


class Upload(Protocol):
    """A file from the browser."""

    name: str

    def getbuffer(self) -> memoryview:
        """Its bytes."""


def folder_of(root: Path) -> Path:
    """Where uploads lie in a workspace."""
    return root / "uploads"


def new_token(files: Iterable[Upload] = ()) -> str:
    """The name of a folder that no other upload has; it begins alike for the same files (see `mark_of`)."""
    digest = blake2b(digest_size=12)
    for file in files:
        digest.update(blake2b(file.getbuffer()).digest())
    return f"{digest.hexdigest()}-{uuid4().hex}"


def mark_of(path: Path | str) -> str | None:
    """What an uploaded source has in common with every upload of the same bytes; None for a path of another form."""
    found = _TOKEN.search(Path(path).as_posix())
    return None if found is None else found[1]


def store(root: Path, token: str, files: Iterable[Upload], room: str = "source") -> Path:
    """Writes files under `uploads/<token>/<room>` in place of what lay there; the file, or the folder of several."""
    target = folder_of(root) / token / room
    shutil.rmtree(target, ignore_errors=True)
    every = list(files)
    place = target if len(every) == 1 else target / TOGETHER
    place.mkdir(parents=True)
    written = [_write(place, file) for file in every]
    return written[0] if len(written) == 1 else place


def _write(folder: Path, file: Upload) -> Path:
    path = folder / safe_name(file.name)
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{path.stem} ({number}){path.suffix}"
    path.write_bytes(file.getbuffer())
    return path


def safe_name(name: str) -> str:
    """The last part of a file name, without what could leave the folder, hide the file or trouble a file system."""
    last = PurePosixPath(name.replace("\\", "/")).name
    plain = _UNSAFE.sub("_", unicodedata.normalize("NFC", last)).strip(" .")
    if not plain:
        return "file"
    path = PurePosixPath(plain)
    return f"{path.stem[:_LONGEST]}{path.suffix[:12]}"


def remove(root: Path, token: str) -> None:
    """Removes an upload, if it is there."""
    shutil.rmtree(folder_of(root) / safe_name(token), ignore_errors=True)


def sweep(root: Path, older_than: float = _KEPT_SECONDS) -> None:
    """Removes the uploads that are older than so many seconds."""
    for folder in folder_of(root).glob("*"):
        with suppress(OSError):  # another session has swept it, or it may not be looked at
            if folder.is_dir() and time() - folder.stat().st_mtime > older_than:
                shutil.rmtree(folder, ignore_errors=True)
