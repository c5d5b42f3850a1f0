"""Chunks as rows: of the table on screen, and of a file."""

from __future__ import annotations

from collections.abc import Sequence

from engine.corpus.corpus import Corpus
from engine.types import Chunk
from pages.components.inventory import Inventory
from pages.components.results import heading


def table_rows(corpus: Corpus, inventory: Inventory, rows: Sequence[int]) -> list[dict[str, object]]:
    """Those rows for the table on screen; columns that would say nothing are left out."""
    found = []
    for row in rows:
        chunk = corpus.chunks[row]
        place = chunk.location
        parts = (place.part, place.chapter, place.section, place.article, place.paragraph)
        found.append(
            {
                "Id": chunk.id,
                "Chunk": heading(chunk),
                "Text": " ".join(chunk.text[:400].split())[:200],
                "Marks": list(inventory.marks[row]),
                "Terms": inventory.terms[row],
                "Language": chunk.language,
                "Domain": chunk.domain,
                "Number": chunk.number,
                "Document": place.document_id,
                "Place": " › ".join(part for part in parts if part) or None,
                "Page": place.page,
            }
        )
    silent = {"Language"} if len(corpus.languages) < 2 else set()
    silent |= {name for name in (found[0] if found else ()) if not any(row[name] for row in found)} - {"Terms"}
    return [{name: value for name, value in row.items() if name not in silent} for row in found]


def export_rows(corpus: Corpus, inventory: Inventory, rows: Sequence[int]) -> list[dict[str, object]]:
    """Those rows for a file: everything of a chunk, one column each; marks and lists separated by semicolons."""
    return [_export(corpus.chunks[row], inventory, row) for row in rows]


def _export(chunk: Chunk, inventory: Inventory, row: int) -> dict[str, object]:
    lists = {name: "; ".join(getattr(chunk, name)) for name in ("entities", "relations", "references")}
    single = {name: getattr(chunk, name) for name in ("title", "language", "domain", "number", "summary")}
    return {
        "chunk_id": chunk.id,
        **single,
        **chunk.location.model_dump(),
        "terms": inventory.terms[row],
        "marks": "; ".join(inventory.marks[row]),
        **lists,
        "text": chunk.text,
    }
