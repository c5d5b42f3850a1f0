"""A collection that is being prepared: its source, and every choice about it, as one frozen value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engine.corpus.options import ImportOptions
from engine.corpus.previewing import Preview
from engine.errors import BadInput, RankScopeError
from engine.store.manifest import BuildOptions, Manifest
from engine.store.workspace import checked_name

MAIN_FIELDS: Mapping[str, str] = {
    "id": "Id",
    "text": "Text",
    "title": "Title",
    "language": "Language",
    "number": "Number",
    "domain": "Domain",
    "location.document_id": "Document",
    "summary": "Summary",
}
"""The fields to which columns are most often mapped, with their names for readers."""

MORE_FIELDS: Mapping[str, str] = {
    "entities": "Entities",
    "relations": "Relations",
    "references": "References",
    "location.part": "Part",
    "location.chapter": "Chapter",
    "location.section": "Section",
    "location.article": "Article",
    "location.paragraph": "Paragraph",
    "location.page": "Page",
    "location": "Whole location",
    "metadata": "Metadata",
}

_TEXT_FORMATS = frozenset({"csv", "tsv", "json", "jsonl", "md", "txt", "html", "beir", "folder"})
_RESETS_COLUMNS = frozenset({"format", "encoding", "delimiter", "sheet"})
_ODD = re.compile(r"[^\w.\- ]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """`token` names the folder of its uploads. `name` is as typed, and may be impossible so far.

    `refused` says why this draft, just as it is, could not be built.
    """

    token: str
    source: Path
    options: BuildOptions = field(default_factory=BuildOptions)
    name: str = ""
    queries: Path | None = None
    qrels: Path | None = None
    refused: RankScopeError | None = None

    @property
    def reading(self) -> ImportOptions:
        """How the source is to be read."""
        return self.options.reading

    def changed(self, **changes: object) -> Draft:
        """A copy with those build options changed, validated."""
        return replace(self, options=BuildOptions.model_validate({**dict(self.options), **changes}))

    def read_as(self, **changes: object) -> Draft:
        """A copy with those import options changed; a mapping of columns goes where other columns may come."""
        if _RESETS_COLUMNS & changes.keys() and "mapping" not in changes:
            changes["mapping"] = {}
        return self.changed(reading=ImportOptions.model_validate({**dict(self.reading), **changes}))

    def mapped(self, name: str, column: str | None) -> Draft:
        """A copy in which a field comes from that column, or from none."""
        return self.read_as(mapping={**self.reading.mapping, name: column})


def draft_again(name: str, folder: Path, token: str) -> Draft | None:
    """The draft that builds a collection anew, even a damaged one, as a record in its `folder` says.

    None where there is no such record, or where the source is not there any more, such as an upload.
    """
    for path in sorted(folder.glob("*/manifest.json"), reverse=True):
        try:
            record = Manifest.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue
        if record.source and Path(record.source).exists():
            return Draft(token, Path(record.source), record.options, name)
    return None


def new_draft(token: str, source: Path) -> Draft:
    """The draft of a source with every choice left to the guess, named after it."""
    return Draft(token, source, name=name_from(source))


def name_from(source: Path) -> str:
    """A possible name of a collection, made from that of its source."""
    stem = source.name.split(".")[0] or source.name
    return _ODD.sub("-", stem).strip(" .-_")[:63].rstrip(" .") or "collection"


def is_text(format_name: str) -> bool:
    """Whether files of a format have an encoding to choose."""
    return format_name in _TEXT_FORMATS


def is_table(preview: Preview) -> bool:
    """Whether the preview is one of rows and columns, not of the blocks of a document."""
    return preview.columns != ("level", "page", "text")


def arguments(draft: Draft) -> list[str]:
    """What `python -m engine` is called with to build the draft. `BadInput` for a name that is impossible."""
    if (draft.queries is None) != (draft.qrels is None):
        raise BadInput("Queries and judgments belong together.", "Give both files, or none.")
    options = json.dumps(draft.options.model_dump(mode="json"))
    called = ["index", checked_name(draft.name), "--from", str(draft.source), "--options", options]
    if draft.queries is not None:
        called += ["--queries", str(draft.queries), "--qrels", str(draft.qrels)]
    return [*called, "--progress", "json", "--json"]


def rebuild_arguments(name: str, encoder: str | None) -> list[str]:
    """What `python -m engine` is called with to index a collection again."""
    chosen = [] if encoder is None else ["--encoder", encoder]
    return ["rebuild", name, *chosen, "--progress", "json", "--json"]


def preview_rows(preview: Preview) -> list[dict[str, Any]]:
    """The rows of a preview as text cells by column name."""
    return [dict(zip(preview.columns, row, strict=True)) for row in preview.rows]
