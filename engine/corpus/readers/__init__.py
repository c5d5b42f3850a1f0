"""The formats that RankScope reads: one file each, and the registry from which screens and command line choose."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.corpus.readers.beir import BEIR
from engine.corpus.readers.delimited import CSV, TSV
from engine.corpus.readers.json_lines import JSON_LINES
from engine.corpus.readers.json_records import JSON_RECORDS
from engine.corpus.readers.markdown import MARKDOWN
from engine.corpus.readers.parquet_table import PARQUET
from engine.corpus.readers.plain import PLAIN
from engine.corpus.readers.portable import PDF
from engine.corpus.readers.web import HTML
from engine.corpus.readers.word import WORD
from engine.corpus.readers.workbook import WORKBOOK
from engine.corpus.records import FolderReader, Reader

READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "json": JSON_RECORDS,
        "jsonl": JSON_LINES,
        "csv": CSV,
        "tsv": TSV,
        "xlsx": WORKBOOK,
        "parquet": PARQUET,
        "md": MARKDOWN,
        "txt": PLAIN,
        "html": HTML,
        "pdf": PDF,
        "docx": WORD,
        "beir": BEIR,
        "folder": FolderReader("Folder", "Every file in it that can be read, each a document or a table.", ()),
    }
)
"""The format names of `ImportOptions.format` and how each is read."""
