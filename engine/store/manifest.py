"""What a build was made from and with, so that a later reader knows whether it still holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from engine.corpus.fields import BM25_FIELDS, DENSE_FIELDS, SearchedField
from engine.corpus.options import ImportOptions
from engine.errors import StaleIndex
from engine.types import Value

FORMAT = 1
NO_ENCODER = "none"


class BuildOptions(Value):
    """What an analyst chooses when a collection is built. `encoder` None means the default of the language."""

    title: str = ""
    description: str = ""
    encoder: str | None = None
    summary: bool = Field(default=False, description="Whether a second dense index is built over the summaries.")
    bm25_fields: tuple[SearchedField, ...] = BM25_FIELDS
    dense_fields: tuple[SearchedField, ...] = DENSE_FIELDS
    reading: ImportOptions = Field(default_factory=ImportOptions)
    built_in: bool = Field(default=False, description="Whether the collection comes with RankScope.")
    place: int = Field(default=100, description="Where it stands among the collections; lower comes first.")


class Manifest(Value):
    """The record of one build."""

    format: int = FORMAT
    build: str
    created: str
    seconds: float
    source: str
    options: BuildOptions
    chunks: int
    searchable: int
    languages: tuple[str | None, ...]
    corpus_fingerprint: str
    analysers: Mapping[str, str]
    encoder: str = NO_ENCODER
    encoder_fingerprint: str = ""
    dimension: int | None = None
    embedded: int = 0
    reused: int = 0


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Keep the manifest in a build folder."""
    (folder / "manifest.json").write_text(manifest.model_dump_json(indent=1), encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a build folder; `StaleIndex` where it is damaged or of another format."""
    try:
        manifest = Manifest.model_validate_json((folder / "manifest.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise StaleIndex(
            f"The manifest of {folder.parent.name!r} cannot be read.", "Build the collection again from its source."
        ) from error
    if manifest.format != FORMAT:
        raise StaleIndex(
            f"{folder.parent.name!r} was built in format {manifest.format}, this RankScope reads {FORMAT}.",
            "Rebuild the collection.",
        )
    return manifest
