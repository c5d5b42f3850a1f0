import json
import math
from datetime import date, datetime

import numpy as np
import pytest

from engine.corpus.cells import ExactFloat, as_json, as_scalar, as_text, as_texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("007", "007"),
        (" a ", " a "),
        (None, ""),
        (7, "7"),
        (9007199254740993, "9007199254740993"),
        (True, "true"),
        (1.0, "1.0"),
        (ExactFloat("1.10"), "1.10"),
        (ExactFloat("1e3"), "1e3"),
        (date(2024, 1, 2), "2024-01-02"),
        (datetime(2024, 1, 2, 3, 4), "2024-01-02T03:04:00"),
        (["x", 1], '["x", 1]'),
        ({"é": None}, '{"é": null}'),
        (b"id\xff", "id\\xff"),
    ],
)
def test_a_value_is_the_text_as_it_was_written(value, text):
    assert as_text(value) == text


def test_a_number_that_knows_how_it_was_written_is_a_number():
    assert ExactFloat("1.10") + 1 == pytest.approx(2.1)
    assert json.dumps({"n": ExactFloat("1.10")}) == '{"n": 1.1}'


def test_nested_values_keep_arrays_and_dates():
    assert as_json({"v": np.array([1.5, 2.0]), "d": date(2024, 1, 2)}) == '{"v": [1.5, 2.0], "d": "2024-01-02"}'


@pytest.mark.parametrize("value", ["", "x", 7, 10**30, True, False, None])
def test_scalars_stay_as_they_are(value):
    assert as_scalar(value) == (value, None)
    assert type(as_scalar(value)[0]) is type(value)


def test_a_float_is_plain_and_finite():
    number, change = as_scalar(ExactFloat("1.50"))
    assert (number, type(number), change) == (1.5, float, None)
    for value in (math.nan, math.inf, -math.inf):
        assert as_scalar(value) == (None, f"{value} is no number that can be stored; left empty")


def test_everything_else_is_kept_as_text_and_said_so():
    assert as_scalar({"a": [1]}) == ('{"a": [1]}', "nested value kept as JSON text")
    assert as_scalar(date(2024, 1, 2)) == ("2024-01-02", "date kept as text")


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, ()),
        ("", ()),
        ("a", ("a",)),
        ("a; b|c ;", ("a", "b", "c")),
        ("New York, USA", ("New York, USA",)),
        ('["a; b", "c"]', ("a; b", "c")),
        ("[not json; b", ("[not json; b",)),
        (["a; b", " ", None, 3], ("a; b", "3")),
        ([{"name": "x"}], ('{"name": "x"}',)),
        (7, ("7",)),
    ],
)
def test_a_list_comes_from_a_list_from_json_or_from_separators(value, texts):
    assert as_texts(value) == texts
