"""The workspace: where collections lie, which build of each is in use, and who may change it."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from engine.errors import BadInput, Busy, StaleIndex, UnknownName, shortened
from engine.store.disk import told_plainly

_NAME = re.compile(r"\w[\w.\- ]{0,62}(?<![. ])", re.UNICODE)
_BUILD = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]*")
_PARTIAL = ".partial"
_OLD = ".old"


def default_root() -> Path:
    """The folder that RANKSCOPE_HOME names, else `data/workspace` beside the engine."""
    home = os.environ.get("RANKSCOPE_HOME")
    return Path(home) if home else Path(__file__).resolve().parents[2] / "data" / "workspace"


def checked_name(name: str) -> str:
    """The name in composed form; `BadInput` for one that could leave the workspace or trouble a file system."""
    composed = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(composed) or ".." in composed or composed.endswith(_PARTIAL):
        raise BadInput(
            f"{shortened(name)!r} cannot be the name of a collection.",
            "Use 1 to 63 letters, digits, spaces, dots, - and _, with a letter or digit first.",
        )
    return composed


class Workspace:
    """A folder of collections, `collections/<name>/<build>/`, with a file `current` that names the build in use.

    Readers never lock: a build is whole before `current` names it, and `current` is replaced in one step. Whoever
    changes a collection holds its lock.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_root()

    def names(self) -> tuple[str, ...]:
        """The collections that have a build, in the order of their names; `BadInput` where the root is no folder."""
        if self.root.exists() and not self.root.is_dir():
            raise BadInput(f"The workspace {self.root} is no folder.", "Set RANKSCOPE_HOME to a folder.")
        found = (path.parent.name for path in self._collections.glob("*/current"))
        return tuple(sorted(name for name in found if _is_name(name)))

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def current(self, name: str) -> Path:
        """The folder of the build in use; `UnknownName` where there is no such collection."""
        try:
            build = (self.folder(name) / "current").read_bytes().decode("ascii", "replace").strip()
        except (FileNotFoundError, NotADirectoryError):
            raise self._unknown(name) from None
        except OSError as error:
            raise StaleIndex(
                f"The file that names the build of {name!r} cannot be read: {error.strerror}.",
                "Build the collection again.",
            ) from error
        if not _BUILD.fullmatch(build):
            raise StaleIndex(f"The file that names the build of {name!r} is damaged.", "Build the collection again.")
        return self.folder(name) / build

    def folder(self, name: str) -> Path:
        """Where a collection of that name lies or would lie."""
        return self._collections / checked_name(name)

    def new_build(self, name: str, build: str) -> Path:
        """An empty folder to build in, which nobody reads; what a killed build left there before is removed."""
        folder = self.folder(name)
        for left in (*folder.glob(f"*{_PARTIAL}"), *folder.glob(f"*{_OLD}")):
            shutil.rmtree(left, ignore_errors=True)
        partial = folder / (build + _PARTIAL)
        partial.mkdir(parents=True)
        return partial

    def publish(self, name: str, partial: Path) -> None:
        """Put a finished build in use. Older builds go, where the system keeps open files with a later one.

        An old build is gone in one step, so that whoever is just opening it can tell.
        """
        build = partial.with_name(partial.name.removesuffix(_PARTIAL))
        for path in partial.rglob("*"):
            _to_disk(path)
        partial.rename(build)
        pointer = self.folder(name) / "current.new"
        pointer.write_text(build.name, encoding="utf-8")
        _to_disk(pointer)
        pointer.replace(self.folder(name) / "current")
        for old in self.folder(name).iterdir():
            if old.is_dir() and old != build:
                with suppress(PermissionError):
                    shutil.rmtree(old.rename(old.with_name(build.name + _OLD)), ignore_errors=True)

    def discard(self, name: str, partial: Path) -> None:
        """Remove an unfinished build, and the collection's folder where it never had a finished one."""
        shutil.rmtree(partial, ignore_errors=True)
        folder = self.folder(name)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    @contextmanager
    def changing(self, name: str) -> Iterator[None]:
        """Hold the collection for a change; `Busy` at once where another process does."""
        locks = self.root / "locks"
        lock = FileLock(locks / f"{checked_name(name)}.lock", timeout=0)
        try:
            with told_plainly(f"{name!r} could not be changed"):
                locks.mkdir(parents=True, exist_ok=True)
                lock.acquire()
        except Timeout:
            raise Busy(
                f"The collection {name!r} is being built or changed by another process.",
                "Wait until it is done, or stop it; the build in use goes on serving.",
            ) from None
        try:
            yield
        finally:
            lock.release()

    def rename(self, name: str, new_name: str) -> None:
        """Give a collection another name, however damaged it is; `BadInput` where that name is taken."""
        wanted = checked_name(new_name)
        self._check_renaming(name, wanted)
        with told_plainly(f"{name!r} could not be renamed"), self.changing(name), self.changing(wanted):
            self._check_renaming(name, wanted)  # another process may have come first
            if self.folder(wanted).exists():  # what a killed build left
                shutil.rmtree(self.folder(wanted))
            self.folder(name).rename(self.folder(wanted))

    def delete(self, name: str) -> None:
        """Remove a collection for good, however damaged it is."""
        self._check_there(name)
        with told_plainly(f"{name!r} could not be deleted"), self.changing(name):
            self._check_there(name)  # another process may have come first
            pointer = self.folder(name) / "current"
            pointer.rename(pointer.with_name(f"current{_OLD}"))
            shutil.rmtree(self.folder(name), ignore_errors=True)

    def _check_there(self, name: str) -> None:
        if checked_name(name) not in self:
            raise self._unknown(name)

    def _check_renaming(self, name: str, wanted: str) -> None:
        self._check_there(name)
        if wanted in self:
            raise BadInput(f"There is a collection {wanted!r} already.", "Choose another name.")

    def _unknown(self, name: str) -> UnknownName:
        known = ", ".join(self.names()) or "none yet"
        return UnknownName(f"There is no collection {shortened(name)!r}.", f"Collections: {known}.")

    @property
    def _collections(self) -> Path:
        return self.root / "collections"


def _is_name(name: str) -> bool:
    try:
        return checked_name(name) == name
    except BadInput:
        return False


def _to_disk(path: Path) -> None:
    if path.is_file():
        with path.open("r+b") as file:
            os.fsync(file.fileno())
