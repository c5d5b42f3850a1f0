from fractions import Fraction

from engine.sensitivity.course import Course
from engine.sensitivity.stretches import stretches_of

F = Fraction


def test_neighbouring_pieces_with_the_same_list_are_one_stretch():
    course = Course((F(0), F(1), F(2)), ((), (), ()), ((0,), (1,), (2,)), ((0,), (1,)))
    assert [(str(stretch.interval), stretch.ids) for stretch in stretches_of(course, "abc")] == [
        ("[0, 1)", ("a",)),
        ("[1, 2)", ("b",)),
        ("{2}", ("c",)),
    ]
    same = Course((F(0), F(1)), ((), ()), ((0,), (0,)), ((0,),))
    assert [(str(stretch.interval), stretch.ids) for stretch in stretches_of(same, "a")] == [("[0, 1]", ("a",))]
