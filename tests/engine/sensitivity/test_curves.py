from fractions import Fraction

import numpy as np

from engine.fusion.units import Units
from engine.sensitivity.curves import first_at, first_of, nearly_equal_runs
from engine.sensitivity.lines import lines_of

F = Fraction
# c is 0.1 + 0.2w, b 0.3 + 0w, a 0.2 + 0w: b and c are equal at w = 1, which floating point does not see
LINES = lines_of(
    Units(
        ("a", "b", "c"),
        ("one", "two"),
        np.array([[0.2, 0.0], [0.3, 0.0], [0.1, 0.2]]),
        np.array([[2, 0], [1, 0], [3, 1]]),
    ),
    {"one": 1.0, "two": 1.0},
    "two",
    3,
    F(0),
    F(10),
)


def test_runs_are_what_floating_point_cannot_order():
    assert 0.1 + 0.2 != 0.3
    rows = np.array([4, 5, 6])
    runs = nearly_equal_runs(np.array([0.3, 0.2, 0.1 + 0.2]), rows)
    assert [sorted(run) for run in runs] == [[4, 6], [5]]
    assert list(nearly_equal_runs(np.zeros(0), rows[:0])) == [[]]


def test_inside_a_run_exact_scores_decide_and_then_the_row():
    exact = {4: F(1, 3), 5: F(1, 3) + F(1, 10**30), 6: F(1, 3)}
    assert first_of(np.full(3, 1 / 3), np.array([4, 5, 6]), exact.__getitem__, 3) == (5, 4, 6)
    assert first_of(np.full(3, 1 / 3), np.array([4, 5, 6]), exact.__getitem__, 1) == (5,)


def test_the_first_are_in_exact_order():
    assert first_at(LINES, LINES.rows, F(1), 3) == (1, 2, 0)
    assert first_at(LINES, LINES.rows, F(1) + F(1, 10**30), 3) == (2, 1, 0)
    assert first_at(LINES, LINES.rows, F(1) - F(1, 10**30), 1) == (1,)
    assert first_at(LINES, LINES.rows[:0], F(1), 3) == ()
