"""A collection as one zip of text files, which RankScope and other tools read back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from engine.errors import BadInput
from engine.evaluation.judgments import qrels_as_text, queries_as_text
from engine.store.collection import Collection
from engine.store.disk import told_plainly


def export_collection(collection: Collection, target: Path) -> None:
    """Write the texts, queries, judgments and manifest of a collection into the zip `target`, whole or not at all.

    Unpacked, the folder can be indexed again and gives the same chunks. `BadInput` where `target` is no `.zip` or its
    folder does not exist.
    """
    if target.suffix.lower() != ".zip" or not target.parent.is_dir():
        raise BadInput(f"Cannot write {target}.", "Name a .zip file in a folder that exists.")
    with told_plainly(f"{target} could not be written", "Nothing of it was kept."), _whole(target) as partial:
        _write(collection, partial)


def _write(collection: Collection, path: Path) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        with archive.open("chunks.jsonl", "w", force_zip64=True) as lines:
            lines.writelines(f"{chunk.model_dump_json()}\n".encode() for chunk in collection.corpus)
        if collection.queries:
            archive.writestr("queries.jsonl", queries_as_text(collection.queries))
        if collection.qrels:
            archive.writestr("qrels.tsv", qrels_as_text(collection.qrels))
        archive.writestr("manifest.json", collection.manifest.model_dump_json(indent=1))


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A file beside `target` that takes its place once it is written, and goes where that fails."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(target)
    finally:
        with suppress(OSError):
            partial.unlink()
