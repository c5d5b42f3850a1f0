from fractions import Fraction

from engine.sensitivity.course import Course, Meeting
from engine.sensitivity.steps import Step, steps_of

F = Fraction
SWAP = Course((F(0), F(1), F(2)), ((), (Meeting(0, 1, True),), ()), ((0,), (0,), (1,)), ((0,), (1,)))


def test_a_crossing_is_a_step_in_both_directions():
    positive = Course((F(1, 2), F(1), F(2)), SWAP.meetings, SWAP.at, SWAP.between)
    assert list(steps_of(positive, upwards=True)) == [Step(F(1), 1, 0, True, True)]
    assert list(steps_of(positive, upwards=False)) == [Step(F(1), 0, 1, True, True)]


def test_a_touch_is_none():
    touch = Course((F(1), F(2), F(3)), ((), (Meeting(0, 1, False),), ()), ((1, 0), (0, 1), (1, 0)), ((1, 0), (1, 0)))
    assert list(steps_of(touch, upwards=True)) == []


def test_a_crossing_below_the_first_rows_is_none():
    below = Course((F(1), F(2), F(3)), ((), (Meeting(1, 2, True),), ()), ((0,), (0,), (0,)), ((0,), (0,)))
    assert list(steps_of(below, upwards=True)) == []


def test_equal_rows_at_an_end_go_by_id_there():
    # equal at 1, where the range starts; inside, row 1 leads
    start = Course((F(1), F(2)), ((Meeting(0, 1, True),), ()), ((0, 1), (1, 0)), ((1, 0),))
    assert list(steps_of(start, upwards=True)) == [Step(F(1), 1, 0, False, False)]
    assert list(steps_of(start, upwards=False)) == [Step(F(1), 0, 1, False, False)]


def test_at_zero_rows_come_and_go_and_a_point_has_no_steps():
    jump = Course((F(0), F(1)), ((), ()), ((0,), (1, 0)), ((1, 0),))
    assert list(steps_of(jump, upwards=True, only_above_zero={1})) == [Step(F(0), 1, None, True, False)]
    assert list(steps_of(jump, upwards=False, only_above_zero={1})) == [Step(F(0), None, 1, False, True)]
    assert list(steps_of(Course((F(1),), ((),), ((0,),), ()), upwards=True)) == []
