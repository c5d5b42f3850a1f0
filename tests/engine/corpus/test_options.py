import pytest
from pydantic import ValidationError

from engine.corpus.options import MAPPED_FIELDS, ImportOptions
from engine.text.chunking import ChunkingOptions
from engine.types import Chunk, ChunkLocation


def test_options_survive_json():
    options = ImportOptions(
        format="csv",
        encoding="cp1258",
        delimiter=";",
        mapping={"id": "mã", "title": None},
        chunking=ChunkingOptions(max_tokens=100),
        on_repeated="last",
    )
    assert ImportOptions.model_validate_json(options.model_dump_json()) == options


def test_options_are_frozen_the_mapping_too():
    options = ImportOptions(mapping={"id": "a"})
    with pytest.raises(ValidationError, match="frozen"):
        options.format = "csv"  # type: ignore[misc]
    with pytest.raises(TypeError, match="does not support item assignment"):
        options.mapping["id"] = "b"  # type: ignore[index]


@pytest.mark.parametrize(
    "wrong",
    [
        {"on_repeated": "keep"},
        {"errors": "ignore"},
        {"delimiter": ";;"},
        {"delimiter": '"'},
        {"delimiter": "\n"},
        {"delimiter": ""},
        {"colour": "red"},
    ],
)
def test_unknown_choices_are_refused(wrong):
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        ImportOptions(**wrong)


def test_every_field_of_a_chunk_and_of_its_location_can_be_mapped():
    wanted = {*Chunk.model_fields, *(f"location.{name}" for name in ChunkLocation.model_fields)}
    assert set(MAPPED_FIELDS) == wanted


def test_a_language_is_a_code_with_an_analyser():
    assert ImportOptions(language="Français").language == "fr"
    assert ImportOptions(language="en-GB").language == "en"
    with pytest.raises(ValidationError, match="no analyser for it; choose one of en, fr, es, vi, plain"):
        ImportOptions(language="zz")
