"""How a source is to be read: everything that can be chosen about an import, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainSerializer, field_validator

from engine.text.analysers import ANALYSERS
from engine.text.chunking import ChunkingOptions
from engine.text.language_codes import language_code
from engine.types import ChunkLocation, Value

OnRepeated = Literal["refuse", "first", "last"]
OnUndecodable = Literal["strict", "replace"]

MAPPED_FIELDS: tuple[str, ...] = (
    "id",
    "text",
    "title",
    "summary",
    "language",
    "number",
    "domain",
    "entities",
    "relations",
    "references",
    "location",
    "metadata",
    *(f"location.{name}" for name in ChunkLocation.model_fields),
)
"""The chunk fields to which a column can be mapped."""


def _as_mapping(value: Mapping[str, str | None]) -> Mapping[str, str | None]:
    return MappingProxyType(dict(value))


ColumnMapping = Annotated[
    Mapping[str, str | None], AfterValidator(_as_mapping), PlainSerializer(dict, return_type=dict)
]


class ImportOptions(Value):
    """Every choice about an import. The defaults guess, and the report says what was guessed.

    `mapping` goes from a field of `MAPPED_FIELDS` to a column; None leaves that field empty although a column would
    have been guessed for it; fields that are not mentioned are guessed. Columns without a field become metadata.
    """

    format: str = Field(default="auto", description="`auto`, or a name in `engine.corpus.readers.READERS`.")
    encoding: str | None = Field(default=None, description="A Python codec name; None guesses from the bytes.")
    errors: OnUndecodable = Field(
        default="strict",
        description="strict leaves out rows with bytes that are no text in the encoding; replace marks the bytes.",
    )
    delimiter: str | None = Field(default=None, pattern=r'\A[^"\r\n]\z', description="One sign; None guesses.")
    sheet: str | None = Field(default=None, description="The sheet of a workbook; None takes the first that has rows.")
    mapping: ColumnMapping = Field(default_factory=lambda: MappingProxyType({}))
    vectors: str | None = Field(
        default=None,
        description="A column of vectors, or an .npy file beside the source; None looks for one, empty: none.",
    )
    language: str | None = Field(default=None, description="None takes the row's own, else detects it.")
    chunking: ChunkingOptions | None = Field(default=None, description="None takes the defaults; for documents.")
    split_records: bool = Field(default=False, description="Whether long records are chunked as documents are.")
    on_repeated: OnRepeated = Field(default="refuse", description="What happens when an id comes again.")

    @field_validator("language")
    @classmethod
    def _known_language(cls, value: str | None) -> str | None:
        code = None if value is None else language_code(value)
        if code is not None and code not in ANALYSERS:
            raise ValueError(f"no analyser for it; choose one of {', '.join(ANALYSERS)}")
        return code
