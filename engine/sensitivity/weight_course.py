"""The first n chunks along one source's weight, the jump at weight 0 included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from engine.fusion.units import Units
from engine.sensitivity.course import Course, course_of
from engine.sensitivity.lines import lines_of
from engine.sensitivity.present import first_rows
from engine.sensitivity.values import exact


def weight_course(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    n: int,
    *,
    low: float | Fraction = 0,
    high: float | Fraction = 10,
    members: bool = False,
) -> Course:
    """The course of the first `n` rows of the units in the weight of `source`; the other weights are fixed.

    Proof sketch, beside that of `course_of`: above 0 the candidates are fixed (those of every source that is used) and
    each score is linear in the weight. At 0 the source brings nothing, so the candidates are others, and that point is
    a fusion of its own.
    """
    start, end = exact(low), exact(high)
    course = course_of(lines_of(units, weights, source, n, start, end), n, members=members)
    if start > 0:
        return course
    first = first_rows(units, {**weights, source: 0.0}, n)
    return replace(course, at=(tuple(sorted(first)) if members else first, *course.at[1:]))
