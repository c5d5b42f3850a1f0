from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.cells import as_text
from engine.corpus.field_columns import FieldColumn, metadata_columns


def test_values_become_places_in_the_order_in_which_they_are_met():
    column = FieldColumn.of(["b", None, "a", "b", 7])
    assert column.values == ("b", "a", "7")
    assert (column.rows.tolist(), column.codes.tolist(), column.size) == ([0, 2, 3, 4], [0, 1, 0, 2], 5)
    assert column.among({"b", "7", "zz"}).tolist() == [True, False, False, True, True]
    assert column.by_frequency() == ("b", "a", "7")


@pytest.mark.parametrize(
    ("values", "differ"),
    [([None, None], False), (["a", "a"], False), (["a", None], True), (["a", "b"], True), ([], False)],
)
def test_a_field_tells_rows_apart_by_values_or_by_having_one(values, differ):
    assert FieldColumn.of(values).tells_apart is differ


def test_metadata_keys_become_columns_without_their_nulls_the_most_frequent_first():
    columns = metadata_columns([{"ok": True, "year": 2001}, {}, {"year": 2001, "ok": None}], 3)
    assert [(key, column.values, column.rows.tolist()) for key, column in columns.items()] == [
        ("year", ("2001",), [0, 2]),
        ("ok", ("true",), [0]),
    ]


def test_a_key_of_its_own_in_every_row_takes_no_square_of_rows():
    columns = metadata_columns(({f"key {row}": row} for row in range(20_000)), 20_000)
    assert len(columns) == 20_000
    assert sum(column.rows.nbytes + column.codes.nbytes for column in columns.values()) == 20_000 * 8


@given(st.lists(st.one_of(st.none(), st.text(max_size=2), st.integers(0, 3), st.booleans())))
def test_the_order_is_that_of_a_counter(values):
    column = FieldColumn.of(values)
    counted = Counter(as_text(value) for value in values if value is not None)
    assert column.by_frequency() == tuple(value for value, _ in counted.most_common())
    for wanted in counted:
        assert column.among({wanted}).tolist() == [value is not None and as_text(value) == wanted for value in values]
