"""A folder in the layout of the BEIR benchmark: `corpus.jsonl` with `_id`, `title` and `text`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.corpus.readers.json_lines import open_json_lines
from engine.corpus.records import Table, TableReader
from engine.corpus.sources import SourceFile, check_file
from engine.errors import BadInput

FILE_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")


def beir_file(folder: Path) -> Path | None:
    """The corpus file of a BEIR folder; None where it has none."""
    return next((folder / name for name in FILE_NAMES if (folder / name).is_file()), None)


def open_beir(source: SourceFile) -> Table:
    """The records of the corpus file in a BEIR folder."""
    path = beir_file(source.path)
    if path is None:
        raise BadInput(f"{source.name} holds no corpus.jsonl and no corpus.jsonl.gz.", "Choose the folder that does.")
    check_file(path, path.name)
    return open_json_lines(replace(source, path=path, name=path.name))


BEIR = TableReader("BEIR folder", "A folder with corpus.jsonl or corpus.jsonl.gz, one record a line.", (), open_beir)
