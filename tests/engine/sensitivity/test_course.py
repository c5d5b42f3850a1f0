import random
from fractions import Fraction
from itertools import pairwise

import numpy as np

from engine.fusion.units import Units
from engine.sensitivity.course import Meeting, course_of
from engine.sensitivity.k_curves import k_curves_of
from engine.sensitivity.lines import lines_of
from tests.engine.sensitivity.plain_fusion import random_case, random_lists, random_weight, rankings_of

F = Fraction
BOTH = {"one": 1.0, "two": 1.0}


def three_through_one_point(n, *, members=False):
    """a = 0.5 + 0.5w, b = 0.25 + 0.75w, c = 0.75 + 0.25w, all 1 at w = 1."""
    table = np.array([[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[2, 2], [3, 1], [1, 3]]))
    return course_of(lines_of(units, BOTH, "two", n, F(0), F(10)), n, members=members)


def test_the_list_at_every_breakpoint_and_between():
    course = three_through_one_point(3)
    assert course.breakpoints == (0, 1, 10)
    assert course.meetings == ((), (Meeting(0, 1, True), Meeting(0, 2, True), Meeting(1, 2, True)), ())
    assert course.between == ((2, 0, 1), (1, 0, 2))
    assert course.at == ((2, 0, 1), (0, 1, 2), (1, 0, 2))
    assert course.pieces == ((2, 0, 1), (2, 0, 1), (0, 1, 2), (1, 0, 2), (1, 0, 2))
    assert [str(course.interval(*pieces)) for pieces in ((0, 1), (2, 2), (3, 4), (1, 3))] == [
        "[0, 1)",
        "{1}",
        "(1, 10]",
        "(0, 10)",
    ]


def test_members_are_told_without_their_order():
    course = three_through_one_point(2, members=True)
    assert course.at == ((0, 2), (0, 1), (0, 1))
    assert course.between == ((0, 2), (0, 1))
    course = three_through_one_point(3, members=True)
    assert course.breakpoints == (0, 10)


def test_a_range_of_one_point_has_no_gap():
    table = np.array([[0.5, 0.5], [0.25, 0.75]])
    units = Units(("a", "b"), ("one", "two"), table, np.array([[1, 2], [2, 1]]))
    course = course_of(lines_of(units, BOTH, "two", 2, F(1), F(1)), 2)
    assert (course.breakpoints, course.at, course.between, course.pieces) == ((1,), ((0, 1),), (), ((0, 1),))


def test_no_rows_no_list():
    units = Units((), ("one", "two"), np.zeros((0, 2)), np.zeros((0, 2), dtype=np.int64))
    course = course_of(lines_of(units, BOTH, "two", 5, F(0), F(10)), 5)
    assert (course.at, course.between) == (((), ()), ((),))


def test_the_members_are_those_of_the_list():
    for seed in range(150):
        rng = random.Random(seed)
        units, lists, _, _ = random_case(rng, 2, 20)
        weights, n = {name: random_weight(rng) for name in lists}, rng.choice([1, 2, 5])
        lines = lines_of(units, weights, "bm25", n, F(0), F(10))
        compare(course_of(lines, n), course_of(lines, n, members=True))
    for seed in range(30):
        rng = random.Random(seed)
        lists, n = random_lists(rng, 3, 10), rng.choice([1, 2, 5])
        curves = k_curves_of(rankings_of(lists), {name: random_weight(rng) for name in lists}, n, 1, 1000)
        compare(course_of(curves, n), course_of(curves, n, members=True))


def compare(ordered, members):
    runs = [set(piece) for piece in ordered.pieces]
    assert [runs[0]] + [other for one, other in pairwise(runs) if one != other] == [set(members.pieces[0])] + [
        set(other) for one, other in pairwise(members.pieces) if one != other
    ]
