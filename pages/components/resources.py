"""The workspace, its list, its builds and what is derived from files, made once and shared by all sessions.

Bounded, and keyed by all that the value hangs on; read-only after it was made. A failure is never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import streamlit as st

from engine.corpus.documents import count_words
from engine.corpus.options import ImportOptions
from engine.corpus.previewing import Preview, preview
from engine.corpus.readers.workbook import sheet_names
from engine.corpus.sources import SourceFile
from engine.encoders.registry import load_encoder
from engine.errors import BadInput, RankScopeError, UnknownName
from engine.store.manifest import NO_ENCODER, Manifest, read_manifest
from engine.store.workspace import Workspace
from pages.components import uploads
from pages.components.condition import Condition, condition_of
from pages.components.cuts import Cuts, cuts_of
from pages.components.jobs import Jobs
from pages.components.messages import from_system

T = TypeVar("T")
_MOST_FILES = 10_000
"""Files of a folder that are looked at to know whether it has changed."""


@st.cache_resource(max_entries=1, show_spinner=False)
def workspace() -> Workspace:
    """The workspace that this server serves."""
    return Workspace()


def titles() -> dict[str, str]:
    """The title of every collection by its name, damaged ones too, in the order in which they are listed."""
    return {each.name: each.title for each in _listed(lambda name, folder: Condition(name, _readable_manifest(folder)))}


def build_in_use(name: str) -> Path:
    """The folder of the build in use of a collection; a `RankScopeError` where that cannot be told."""
    try:
        return workspace().current(name)
    except OSError as error:
        raise from_system(error) from error


def _listed(judge: Callable[[str, Path], Condition]) -> tuple[Condition, ...]:
    """Every collection as `judge` finds its build, in order. One whose build cannot be told is damaged, no more."""
    found = []
    for name in workspace().names():
        try:
            found.append(judge(name, build_in_use(name)))
        except (UnknownName, BadInput):  # deleted since it was listed, or a folder that is no collection
            continue
        except RankScopeError as error:
            found.append(Condition(name, None, (str(error),)))
    return tuple(sorted(found, key=lambda each: each.order))


def _readable_manifest(folder: Path) -> Manifest | None:
    try:
        return _manifest(str(folder))
    except (RankScopeError, OSError):
        return None


@st.cache_resource(max_entries=256, show_spinner=False)
def _manifest(folder: str) -> Manifest:
    return read_manifest(Path(folder))


@st.cache_resource(max_entries=1, show_spinner=False)
def jobs() -> Jobs:
    """The builds of this server, seen by every session. Uploads that a former server left are removed first."""
    uploads.sweep(workspace().root)
    return Jobs(workspace().root)


def conditions() -> tuple[Condition, ...]:
    """Every collection and how its build stands, in the order in which they are listed."""
    return _listed(_condition)


def _condition(name: str, folder: Path) -> Condition:
    """How a build stands; made again when its encoder comes, goes or changes, and each time where it is damaged."""
    record = _readable_manifest(folder)
    if record is None:
        return condition_of(name, folder)
    key = ("condition", name, str(folder), _fingerprint(record.encoder))
    return made(key, partial(condition_of, name, folder))


def _fingerprint(encoder: str) -> str | None:
    """The fingerprint of an encoder; None where there is none of that name now."""
    try:
        return None if encoder == NO_ENCODER else load_encoder(encoder).fingerprint
    except RankScopeError:
        return None


def look(path: Path, options: ImportOptions) -> Preview:
    """The head of a source, read again whenever the file, a file of the folder or the options change."""
    return made(("preview", *_version(path), options.model_dump_json()), lambda: preview(path, options))


def sheets(path: Path) -> tuple[str, ...]:
    """The sheets of a workbook, none where it cannot be read; which its reader tells."""
    try:
        return made(("sheets", *_version(path)), lambda: sheet_names(SourceFile(path, path.name)))
    except RankScopeError:
        return ()


def cuts(path: Path, options: ImportOptions, encoder: str) -> Cuts | None:
    """Where the cuts fall in a source, counted as that encoder counts; `none` counts words."""

    def cut() -> Cuts | None:
        count = count_words if encoder == NO_ENCODER else load_encoder(encoder).count_tokens
        return cuts_of(path, options, count)

    return made(("cuts", *_version(path), options.model_dump_json(), encoder), cut)


def _version(path: Path) -> tuple[Hashable, ...]:
    """The path with times and sizes: its own, and those of the first `_MOST_FILES` files of a folder."""
    return str(path), *_stamps(path)


def _stamps(path: Path) -> Iterator[Hashable]:
    with suppress(OSError, ValueError):
        for each in (path, *islice(path.rglob("*"), _MOST_FILES)):
            found = each.stat()
            yield str(each), found.st_mtime_ns, found.st_size


def made(key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """What `make` gives, made once for that key and shared, never changed. The key names all that it hangs on."""
    return _made(key, make)


@st.cache_resource(max_entries=128, show_spinner=False)
def _made(key: tuple[Hashable, ...], _make: Callable[[], T]) -> T:
    return _make()
