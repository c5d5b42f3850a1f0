import pytest
from pydantic import ValidationError

from engine.types import Value


class Point(Value):
    x: int
    y: int = 0


def test_a_value_is_frozen_and_refuses_unknown_fields():
    point = Point(x=1)
    with pytest.raises(ValidationError, match="frozen"):
        point.x = 2
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Point(x=1, z=3)
    assert {point: "a key"}[Point(x=1, y=0)] == "a key"
