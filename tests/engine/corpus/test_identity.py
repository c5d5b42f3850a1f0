import pytest

from engine.corpus.drafts import Draft
from engine.corpus.identity import give_missing_ids, settle_repeated
from engine.corpus.problems import ProblemLog
from engine.errors import BadInput


def drafts(*ids):
    return [
        Draft(f"row {row}", row - 1, name, f"row-{row}", {"text": f"text {row}"}) for row, name in enumerate(ids, 1)
    ]


def test_only_a_blank_id_is_given_one_and_noted():
    rows = drafts("1", "", "NA", " \t", "null")
    log = ProblemLog()
    give_missing_ids(rows, log, "a.csv")
    assert [row.chunk_id for row in rows] == ["1", "row-2", "NA", "row-4", "null"]
    assert [(problem.where, problem.text) for problem in log.kept] == [
        ("row 2", "no id; given the id 'row-2'"),
        ("row 4", "no id; given the id 'row-4'"),
    ]


def test_a_given_id_does_not_take_one_that_is_there():
    rows = drafts("row-2", "", "row-2-2")
    give_missing_ids(rows, ProblemLog(), "a.csv")
    assert [row.chunk_id for row in rows] == ["row-2", "row-2-3", "row-2-2"]


def test_a_table_without_ids_is_one_remark():
    rows = drafts("", "", "")
    log = ProblemLog()
    give_missing_ids(rows, log, "a.csv")
    assert [row.chunk_id for row in rows] == ["row-1", "row-2", "row-3"]
    assert [(problem.where, problem.kind) for problem in log.kept] == [("a.csv", "guess")]
    assert "'row-1' to 'row-3'" in log.kept[0].text


def test_repeated_ids_are_refused_by_name():
    with pytest.raises(BadInput, match=r"3 read, 1 repeated id: a. Choose to keep the first or the last"):
        settle_repeated(drafts("a", "b", "a"), "refuse", ProblemLog())
    with pytest.raises(BadInput, match=r"4 read, 2 repeated ids: a, b\."):
        settle_repeated(drafts("a", "b", "a", "b"), "refuse", ProblemLog())


@pytest.mark.parametrize(
    ("choice", "kept", "lost"), [("first", ["text 1", "text 2"], "row 3"), ("last", ["text 2", "text 3"], "row 1")]
)
def test_the_first_or_the_last_stays(choice, kept, lost):
    log = ProblemLog()
    rows, repeated = settle_repeated(drafts("a", "b", "a"), choice, log)
    assert [row.fields["text"] for row in rows] == kept
    assert repeated == ("a",)
    (problem,) = log.kept
    assert (problem.where, problem.kind) == (lost, "repeated id")


def test_ids_that_only_look_alike_are_not_repeated():
    rows, repeated = settle_repeated(drafts("7", "007", "7.0", "A", "a"), "refuse", ProblemLog())
    assert (len(rows), repeated) == (5, ())
