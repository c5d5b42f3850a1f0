"""What a source consists of: one file with its reader, or the files of a folder, each with its own."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from engine.corpus.options import ImportOptions
from engine.corpus.readers import READERS
from engine.corpus.readers.beir import beir_file
from engine.corpus.records import DocumentReader, TableReader
from engine.corpus.report import Problem, listed
from engine.corpus.sources import SourceFile, check_file, ending, opening
from engine.errors import BadInput, UnknownName

MOST_FILES = 100_000
CHUNK_FILES = ("chunks.jsonl", "*_chunks.json", "*_chunks.jsonl")
"""Where a folder has files of these names, they are the collection, and what lies beside them is about it."""
_ABOUT = ("readme*", "license*", "queries.*", "qrels*", "collection.json")


@dataclass(frozen=True, slots=True)
class Part:
    """A file and its reader. `stem` names it in ids: the path without the ending, `/` between folders."""

    source: SourceFile
    format: str
    reader: TableReader | DocumentReader
    stem: str


def parts_of(path: Path, options: ImportOptions, head_only: bool = False) -> tuple[str, list[Part], list[Problem]]:
    """The format of a source, its parts, and the files left out. `BadInput` where there is nothing to read."""
    name = _readable(path.name or str(path))
    if options.format not in ("auto", *READERS):
        raise UnknownName(f"There is no format {options.format!r}.", f"Use one of auto, {', '.join(READERS)}.")
    with opening(name):
        is_folder = path.is_dir()
    if is_folder and options.format in ("auto", "beir", "folder"):
        if options.format == "folder" or (options.format == "auto" and beir_file(path) is None):
            return "folder", *_files_of(path, options, head_only)
        return "beir", [Part(SourceFile(path, name, options, head_only), "beir", _reader("beir"), path.name)], []
    check_file(path, name)
    chosen = format_of(path) if options.format == "auto" else options.format
    if chosen is None or chosen in ("beir", "folder"):
        wrong = f"the ending {ending(path)!r} is of no format known here" if chosen is None else f"it is no {chosen}"
        raise BadInput(f"{name} cannot be read: {wrong}.", f"Choose its format: {', '.join(READERS)}.")
    return chosen, [Part(SourceFile(path, name, options, head_only), chosen, _reader(chosen), _stem(name))], []


def format_of(path: Path) -> str | None:
    """The format that the ending of a file says; None where it says none."""
    found = ending(path)
    return next((name for name, reader in READERS.items() if found in reader.endings), None)


def _reader(name: str) -> TableReader | DocumentReader:
    reader = READERS[name]
    if reader.kind == "folder":
        raise BadInput("A folder has no reader of its own.", "Choose the format of its files.")
    return reader


def _files_of(folder: Path, options: ImportOptions, head_only: bool) -> tuple[list[Part], list[Problem]]:
    parts: list[Part] = []
    left_out: list[Problem] = []
    chunk_files = _chunk_files(folder)
    if chunk_files:
        left_out.extend(_passed_over(folder, {name for _, name in chunk_files}))
    for path, relative in chunk_files or _walk(folder):
        name = format_of(path)
        try:
            if name is None:
                raise BadInput(f"the ending {ending(path)!r} is of no format known here")
            check_file(path, relative)
            parts.append(Part(SourceFile(path, relative, options, head_only), name, _reader(name), _stem(relative)))
        except BadInput as error:
            left_out.append(Problem(where=relative, kind="skipped file", text=f"left out: {error.message}"))
    if not parts:
        raise BadInput(f"{folder.name} holds no file that can be read.", f"Known endings: {' '.join(_endings())}.")
    return _told_apart(parts), left_out


def _chunk_files(folder: Path) -> list[tuple[Path, str]]:
    return sorted((path, path.name) for pattern in CHUNK_FILES for path in folder.glob(pattern))


def _passed_over(folder: Path, taken: Collection[str]) -> Iterator[Problem]:
    """A remark on what lies beside chunk files and is neither one of them nor about them."""
    others = [name for _, name in _walk(folder) if name not in taken]
    others = [name for name in others if not any(fnmatch(name.lower(), pattern) for pattern in _ABOUT)]
    if others:
        text = f"the chunk files in it are read as one collection; left aside: {listed(others)}."
        yield Problem(where=folder.name, kind="guess", text=text)


def _walk(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file below a folder in the order of names, hidden ones and linked folders left out."""
    count = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(name for name in files if not name.startswith((".", "~$"))):
            count += 1
            if count > MOST_FILES:
                raise BadInput(f"{folder.name} holds more than {MOST_FILES:,} files.", "Choose a folder inside it.")
            path = Path(root, file)
            yield path, _readable(path.relative_to(folder).as_posix())


def _readable(name: str) -> str:
    """A file name with marks in the place of bytes that are no text: it becomes part of ids and of the report."""
    return os.fsencode(name).decode("utf-8", "replace")


def _told_apart(parts: list[Part]) -> list[Part]:
    """The parts, those that share a stem (`guide.md`, `guide.pdf`) named with their endings."""
    stems = Counter(part.stem for part in parts)
    return [
        part if stems[part.stem] == 1 else Part(part.source, part.format, part.reader, part.source.name)
        for part in parts
    ]


def _stem(name: str) -> str:
    path = PurePosixPath(name)
    bare = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return bare.with_suffix("").as_posix() if bare.suffix else bare.as_posix()


def _endings() -> list[str]:
    return [found for reader in READERS.values() for found in reader.endings]
