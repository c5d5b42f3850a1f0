import math

import pytest

from engine.corpus.drafts import draft_record, language_code
from engine.corpus.records import Record
from engine.types import ChunkLocation


def draft(values, **mapping):
    names = {field.replace("__", "."): column for field, column in mapping.items()}
    return draft_record(Record(1, "row 1", values), names, "row-1")


def chunk(values, **mapping):
    made = draft(values, **mapping)
    made.chunk_id = made.chunk_id or made.substitute_id
    return made.chunk()


def test_mapped_columns_fill_fields_and_the_rest_is_metadata():
    made = chunk({"k": "007", "t": "text", "year": 2001, "note": ""}, id="k", text="t")
    assert (made.id, made.text, dict(made.metadata)) == ("007", "text", {"year": 2001})


@pytest.mark.parametrize("value", ["007", "NA", "null", "1.0", " a", "a/b#c d", "9007199254740993"])
def test_an_id_is_kept_exactly(value):
    assert chunk({"id": value}, id="id").id == value


def test_numbers_are_ids_as_written():
    assert chunk({"id": 7}, id="id").id == "7"
    assert chunk({"id": 9007199254740993}, id="id").id == "9007199254740993"


def test_a_number_that_is_none_is_no_id_and_no_text():
    made = draft({"id": math.nan, "text": math.nan}, id="id", text="text")
    assert (made.chunk_id, "text" in made.fields) == ("", False)
    assert made.notes == [
        ("changed value", "id: nan is read as an empty cell"),
        ("changed value", "text: nan is read as an empty cell"),
    ]


def test_a_record_without_id_has_only_a_substitute():
    made = draft({"text": "x"}, text="text")
    assert (made.chunk_id, made.substitute_id) == ("", "row-1")


def test_one_column_can_serve_two_fields():
    made = chunk({"code": "A00"}, id="code", number="code")
    assert (made.id, made.number, dict(made.metadata)) == ("A00", "A00", {})


def test_a_location_comes_from_columns_or_as_a_whole():
    made = chunk({"p": "12", "a": 5}, location__page="p", location__article="a")
    assert made.location == ChunkLocation(page=12, article="5")
    made = chunk({"loc": {"document_id": "d", "page": 3, "shelf": "x"}}, location="loc")
    assert made.location == ChunkLocation(document_id="d", page=3)
    assert dict(made.metadata) == {"location.shelf": "x"}
    assert chunk({"loc": '{"page": 3}'}, location="loc").location == ChunkLocation(page=3)
    assert dict(chunk({"loc": "shelf 3"}, location="loc").metadata) == {"loc": "shelf 3"}


@pytest.mark.parametrize(("value", "page"), [("3", 3), (3, 3), (" 3 ", 3), ("3.0", 3), (3.0, 3)])
def test_a_page_is_a_whole_number(value, page):
    assert chunk({"p": value}, location__page="p").location.page == page


@pytest.mark.parametrize("value", ["iv", "3.5", "-1", "3-4", "9" * 20])
def test_another_page_stays_in_the_metadata_and_is_noted(value):
    made = draft({"p": value}, location__page="p")
    assert made.fields["metadata"] == {"page": value}
    assert made.notes == [("changed value", f"page {value!r} is no whole number; kept as metadata")]


def test_metadata_is_unpacked_and_hides_no_column():
    made = chunk({"metadata": {"a": 1, "b": None}, "a": "column"}, metadata="metadata")
    assert dict(made.metadata) == {"a": "column", "metadata.a": 1, "b": None}


def test_nested_and_endless_values_are_kept_in_another_form_and_noted():
    made = draft({"tags": ["x", 1], "score": math.nan, "text": {"a": 1}}, text="text")
    assert made.fields["metadata"] == {"tags": '["x", 1]', "score": None}
    assert made.fields["text"] == '{"a": 1}'
    assert made.notes == [
        ("changed value", "text: nested value kept as JSON text"),
        ("changed value", "tags: nested value kept as JSON text"),
        ("changed value", "score: nan is no number that can be stored; left empty"),
    ]


def test_lists_are_lists_of_texts():
    made = draft({"e": ["a", {"n": 1}], "r": "x; y"}, entities="e", references="r")
    assert (made.fields["entities"], made.fields["references"]) == (("a", '{"n": 1}'), ("x", "y"))
    assert made.notes == [("changed value", "entities: values kept as text")]


def test_characters_that_no_index_can_hold_are_removed_and_noted():
    made = draft({"id": "a\0", "text": "x\0y\0\ud800", "m": "z\0", "k\0": 1}, id="id", text="text")
    assert (made.chunk_id, made.fields["text"]) == ("a", "xy")
    assert made.fields["metadata"] == {"m": "z", "k": 1}
    assert made.notes == [
        ("removed characters", "id: 1 NUL or surrogate character removed"),
        ("removed characters", "text: 3 NUL or surrogate characters removed"),
        ("removed characters", "m: 1 NUL or surrogate character removed"),
        ("removed characters", "a name: 1 NUL or surrogate character removed"),
    ]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("fr", "fr"),
        ("FR-fr", "fr"),
        ("Français", "fr"),
        ("vi_VN", "vi"),
        ("Tiếng Việt", "vi"),
        ("de", "de"),
        ("Klingon", "Klingon"),
        ("", ""),
    ],
)
def test_a_language_is_one_of_four_codes_or_as_given(given, code):
    assert language_code(given) == code


def test_a_language_read_as_a_code_is_noted():
    made = draft({"l": "Español"}, language="l")
    assert made.fields["language"] == "es"
    assert made.notes == [("changed value", "language 'Español' read as 'es'")]
    assert "language" not in draft({"l": None}, language="l").fields


def test_the_record_is_not_changed():
    values = {"id": "a", "metadata": {"k": [1]}, "tags": ["x"]}
    draft(values, id="id", metadata="metadata")
    assert values == {"id": "a", "metadata": {"k": [1]}, "tags": ["x"]}


def test_a_title_without_a_text_is_noted():
    assert ("title only", "a title and no text; the title is searched") in draft(
        {"t": "Asthma", "x": ""}, title="t", text="x"
    ).notes
    assert not draft({"t": "Asthma", "x": "Wheezing."}, title="t", text="x").notes
