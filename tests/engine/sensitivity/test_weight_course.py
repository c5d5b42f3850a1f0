from engine.fusion.rrf import rrf_units
from engine.sensitivity.weight_course import weight_course
from tests.engine.sensitivity.plain_fusion import rankings_of

EVEN = {"bm25": 1.0, "dense": 1.0}


def test_the_list_at_zero_is_that_of_the_other_sources():
    units = rrf_units(rankings_of({"bm25": ["b"], "dense": ["a", "c"]}), 60.0)
    course = weight_course(units, EVEN, "dense", 3)
    assert course.at[0] == (1,)
    assert course.between[0] == (1, 0, 2)
    assert weight_course(units, EVEN, "dense", 3, low=1).at[0] == (0, 1, 2)
    assert weight_course(units, EVEN, "dense", 2, members=True).at[0] == (1,)
