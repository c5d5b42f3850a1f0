"""The range of a knob as stretches, on each of which the first n chunks are the same in the same order."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sensitivity.course import Course
from engine.sensitivity.values import Stretch


def stretches_of(course: Course, ids: Sequence[str]) -> tuple[Stretch, ...]:
    """The stretches, ascending and without a hole between them. Neighbours differ."""
    pieces = course.pieces
    starts = [index for index, piece in enumerate(pieces) if index == 0 or piece != pieces[index - 1]]
    ends = [*(start - 1 for start in starts[1:]), len(pieces) - 1]
    return tuple(
        Stretch(course.interval(start, end), tuple(ids[row] for row in pieces[start]))
        for start, end in zip(starts, ends, strict=True)
    )
