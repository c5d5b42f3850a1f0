import pytest

from engine.corpus.headers import MOST_COLUMNS, named_columns
from engine.errors import BadInput


def test_names_lose_their_outer_spaces_and_no_two_are_alike():
    columns, problems = named_columns([" id ", "text", "", "text", "text"], "a.csv")
    assert columns == ("id", "text", "column 3", "text (2)", "text (3)")
    assert [problem.text for problem in problems] == [
        "column 'text' comes again as 'text (2)'",
        "column 'text' comes again as 'text (3)'",
    ]
    assert {problem.where for problem in problems} == {"a.csv"}


def test_a_made_up_name_does_not_hide_a_given_one():
    assert named_columns(["column 2", ""], "a.csv")[0] == ("column 2", "column 2 (2)")
    names = ["text", "text (2)", "text (2)", "text"]
    assert named_columns(names, "a.csv")[0] == ("text", "text (2)", "text (2) (2)", "text (3)")
    assert named_columns([], "a.csv") == ((), ())


def test_columns_without_end_are_refused():
    assert len(named_columns(["x"] * MOST_COLUMNS, "a.csv")[0]) == MOST_COLUMNS
    with pytest.raises(BadInput, match=r"a.csv has more than 10,000 columns"):
        named_columns([""] * (MOST_COLUMNS + 1), "a.csv")
