from engine.corpus.problems import MOST_KEPT, ProblemLog
from engine.corpus.report import Problem


def test_problems_are_kept_in_order_and_counted_by_kind():
    log = ProblemLog()
    log.add("row 2", "no id", "given the id 'row-2'")
    log.extend([Problem(where="row 1", kind="unreadable", text="broken")])
    assert [problem.where for problem in log.kept] == ["row 2", "row 1"]
    assert log.counts == {"no id": 1, "unreadable": 1}


def test_beyond_a_hundred_of_a_kind_they_are_only_counted():
    log = ProblemLog()
    for row in range(MOST_KEPT + 5):
        log.add(f"row {row}", "unreadable", "broken")
    log.add("row 7", "no id", "given")
    assert log.counts == {"unreadable": 105, "no id": 1}
    assert len(log.kept) == MOST_KEPT + 1


def test_a_change_that_a_column_shares_is_shown_once_where_it_was_first_met():
    log = ProblemLog()
    for row in range(1, 4):
        log.add(f"row {row}", "changed value", "tags: nested value kept as JSON text")
    assert [problem.where for problem in log.kept] == ["row 1"]
    assert log.counts == {"changed value": 3}
