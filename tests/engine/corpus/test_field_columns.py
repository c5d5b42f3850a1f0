from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.corpus.field_columns import FieldColumn, metadata_columns


def test_values_become_places_in_the_order_in_which_they_are_met():
    column = FieldColumn.of(["b", None, "a", "b", 7], 5)
    assert column.values == ("b", "a", "7")
    assert column.codes.tolist() == [0, -1, 1, 0, 2]
    assert column.among({"b", "7", "zz"}).tolist() == [True, False, False, True, True]
    assert column.by_frequency() == ("b", "a", "7")


def test_a_field_tells_rows_apart_by_values_or_by_having_one():
    assert not FieldColumn.of([None, None], 2).tells_apart
    assert not FieldColumn.of(["a", "a"], 2).tells_apart
    assert FieldColumn.of(["a", None], 2).tells_apart
    assert FieldColumn.of(["a", "b"], 2).tells_apart
    assert not FieldColumn.of([], 0).tells_apart


def test_metadata_keys_become_columns_without_their_nulls():
    columns = metadata_columns([{"year": 2001, "ok": True}, {}, {"year": 2001, "ok": None}], 3)
    assert {key: (column.values, column.codes.tolist()) for key, column in columns.items()} == {
        "year": (("2001",), [0, -1, 0]),
        "ok": (("True",), [0, -1, -1]),
    }


@given(st.lists(st.one_of(st.none(), st.text(max_size=2), st.integers(0, 3), st.booleans())))
def test_the_order_is_that_of_a_counter(values):
    column = FieldColumn.of(values, len(values))
    counted = Counter(str(value) for value in values if value is not None)
    assert column.by_frequency() == tuple(value for value, _ in counted.most_common())
    for wanted in counted:
        assert column.among({wanted}).tolist() == [value is not None and str(value) == wanted for value in values]
