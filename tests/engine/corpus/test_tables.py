import pytest

from engine.corpus.problems import ProblemLog
from engine.corpus.records import Record, Table
from engine.corpus.report import Problem
from engine.corpus.tables import columns_of, draft_table, head_of, resolve_mapping
from engine.errors import BadInput


def table(*rows, columns=()):
    made = [
        row if isinstance(row, Problem) else Record(number, f"row {number}", row) for number, row in enumerate(rows, 1)
    ]
    return Table((row for row in made), columns)


def test_a_draft_stands_for_each_row_and_none_for_a_bad_one(source):
    log = ProblemLog()
    bad = Problem(where="row 2", kind="unreadable", text="broken")
    drafts = list(draft_table(table({"id": "a", "text": "x"}, bad, {"id": "b", "text": "y"}), source("a", "x"), log))
    assert [draft and (draft.chunk_id, draft.position) for draft in drafts] == [("a", 0), None, ("b", 2)]
    assert log.kept == (bad,)


def test_one_file_of_several_names_itself(source):
    log = ProblemLog()
    rows = table({"text": "x\0"}, columns=("text",))
    (draft,) = draft_table(rows, source("a.csv", "x"), log, stem="sub/a")
    assert (draft.substitute_id, draft.where) == ("sub/a#row-1", "a.csv: row 1")
    assert log.kept[0].where == "a.csv: row 1"


def test_the_choice_goes_before_the_guess(source):
    file = source("a", "x", mapping={"text": "body", "title": None})
    assert resolve_mapping(("id", "text", "body", "title"), [], file) == {"id": "id", "text": "body"}


def test_a_wrong_choice_is_named(source):
    with pytest.raises(BadInput, match=r"A chunk has no field 'colour'.*Use one of id, text"):
        resolve_mapping(("id",), [], source("a", "x", mapping={"colour": "id"}))
    with pytest.raises(BadInput, match=r"a has no column 'nope' for text.*It has id, body"):
        resolve_mapping(("id", "body"), [], source("a", "x", mapping={"text": "nope"}))


def test_in_a_folder_a_file_may_lack_a_chosen_column(source):
    file = source("a", "x", mapping={"text": "nope"})
    assert resolve_mapping(("id", "body"), [], file, strict=False) == {"id": "id"}


def test_columns_are_those_of_the_header_and_of_the_first_rows():
    opened = table({"b": 1, "c": 2}, {"d": 3}, columns=("a", "b"))
    _, head = head_of(opened)
    assert columns_of(opened, head) == ("a", "b", "c", "d")


def test_a_column_that_comes_late_finds_its_field(source):
    rows = [{"id": str(row), "text": "x"} for row in range(150)] + [{"id": "z", "text": "x", "summary": "s", "k": 1}]
    *_, last = draft_table(table(*rows), source("a", "x"), ProblemLog())
    assert (last.fields["summary"], last.fields["metadata"]) == ("s", {"k": 1})


def test_a_column_of_vectors_leaves_the_values(source):
    vector = [0.5] * 8
    rows = ({"id": "a", "text": "x", "embedding": vector}, {"id": "b", "text": "y", "embedding": None})
    first, second = draft_table(table(*rows), source("a", "x"), ProblemLog())
    assert (first.vector.tolist(), second.vector) == (vector, None)
    assert first.fields["metadata"] == second.fields["metadata"] == {}


@pytest.mark.parametrize("choice", ["", "beside.npy"])
def test_vectors_that_are_not_wanted_are_no_metadata_either(source, choice):
    rows = table({"id": "a", "text": "x", "embedding": [0.5] * 8})
    (draft,) = draft_table(rows, source("a", "x", vectors=choice), ProblemLog())
    assert (draft.vector, draft.fields["metadata"]) == (None, {})


def test_a_table_without_end_is_refused(source, monkeypatch):
    monkeypatch.setattr("engine.corpus.tables.MOST_ROWS", 3)
    with pytest.raises(BadInput, match="a has more than"):
        list(draft_table(table(*({"id": str(row)} for row in range(4))), source("a", "x"), ProblemLog()))


def test_the_rows_are_closed_when_the_reading_ends_early(source):
    closed = []

    def rows():
        try:
            yield Record(1, "row 1", {"id": "a", "text": "x"})
            yield Record(2, "row 2", {"id": "b", "text": "y"})
        finally:
            closed.append(True)

    drafts = draft_table(Table(rows()), source("a", "x"), ProblemLog())
    next(drafts)
    drafts.close()
    assert closed == [True]
