from fractions import Fraction

import numpy as np
import pytest

from engine.sensitivity.roots import roots_between
from engine.sensitivity.values import Interval, exact

F = Fraction


@pytest.mark.parametrize(
    ("low_closed", "high_closed", "written", "inside"),
    [
        (True, True, "[1, 2]", [True, True, True]),
        (True, False, "[1, 2)", [True, True, False]),
        (False, True, "(1, 2]", [False, True, True]),
        (False, False, "(1, 2)", [False, True, False]),
    ],
)
def test_an_interval_has_its_closed_ends_and_not_its_open_ones(low_closed, high_closed, written, inside):
    interval = Interval(F(1), F(2), low_closed, high_closed)
    assert str(interval) == written
    assert [value in interval for value in (F(1), F(3, 2), F(2))] == inside
    assert F(1, 2) not in interval
    assert 3 not in interval


def test_a_point_and_an_irrational_end():
    assert str(Interval(F(1, 2), F(1, 2), True, True)) == "{0.5}"
    ((root, _),) = roots_between((1, 0, -2), F(0), F(5))
    interval = Interval(F(0), root, True, False)
    assert str(interval) == "[0, 1.41421)"
    assert F(14142, 10000) in interval
    assert F(14143, 10000) not in interval
    assert root not in interval


def test_a_float_is_the_decimal_that_it_prints_as():
    assert exact(0.1) == F(1, 10)
    assert exact(np.float64(0.7)) == F(7, 10)
    assert exact(3) == 3
    assert exact(F(1, 3)) == F(1, 3)
