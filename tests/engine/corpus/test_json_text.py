import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.cells import as_text
from engine.corpus.json_text import NotJson, parse, parse_at, repeated_fields


def test_numbers_keep_their_digits():
    value = parse('{"a": 1.10, "b": 9007199254740993, "c": 12345678901234567890.5}')
    assert [as_text(part) for part in value.values()] == ["1.10", "9007199254740993", "12345678901234567890.5"]


def test_a_value_is_read_at_its_place():
    assert parse_at('[{"a": 1}, 2]', 1) == ({"a": 1}, 9)


def test_a_field_that_comes_twice_has_its_last_value_and_is_known():
    value = parse('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert value == {"a": 3, "b": {"c": 2}}
    assert repeated_fields(value) == ("a", "c")
    assert repeated_fields(parse('{"a": 1}')) == ()


def test_nan_is_read_and_left_to_the_mapping():
    assert math.isnan(parse("NaN"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Expecting value"),
        ('{"a": 1,}', "character 9"),
        ('{\n "a": x}', "line 2, character 7"),
        ('{"a": 1} {"b": 2}', "Extra data"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("1" * 5_000, "^a whole number of more than 4,300 digits; write it as text$"),
        ('"open', "Unterminated string"),
        ('{"a": "raw\x01"}', "Invalid control character"),
    ],
)
def test_a_fault_is_said_in_words(text, why):
    with pytest.raises(NotJson, match=why):
        parse(text)


def test_a_fault_at_a_place_is_the_same_fault():
    with pytest.raises(NotJson, match="Expecting"):
        parse_at('[{"a": }]', 1)
    with pytest.raises(NotJson, match="nested too deeply"):
        parse_at("[" * 100_000, 0)
    with pytest.raises(NotJson, match="4,300 digits; write it as text"):
        parse_at("1" * 5_000, 0)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=10,
)


@given(JSON)
def test_it_reads_what_json_writes(value):
    assert parse(json.dumps(value)) == value
