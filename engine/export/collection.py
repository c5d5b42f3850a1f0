"""A collection as one zip of text files, which RankScope and other tools read back."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from engine.errors import BadInput
from engine.evaluation.judgments import qrels_as_text, queries_as_text
from engine.store.collection import Collection


def export_collection(collection: Collection, target: Path) -> None:
    """Write the texts, queries, judgments and manifest of a collection into the zip `target`, whole or not at all.

    Unpacked, the folder can be indexed again and gives the same chunks. `BadInput` where `target` is no `.zip` or its
    folder does not exist.
    """
    if target.suffix.lower() != ".zip" or not target.parent.is_dir():
        raise BadInput(f"Cannot write {target}.", "Name a .zip file in a folder that exists.")
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        with ZipFile(partial, "w", ZIP_DEFLATED) as archive:
            archive.writestr("chunks.jsonl", "".join(f"{chunk.model_dump_json()}\n" for chunk in collection.corpus))
            if collection.queries:
                archive.writestr("queries.jsonl", queries_as_text(collection.queries))
            if collection.qrels:
                archive.writestr("qrels.tsv", qrels_as_text(collection.qrels))
            archive.writestr("manifest.json", collection.manifest.model_dump_json(indent=1))
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
