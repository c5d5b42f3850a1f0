"""The weights of one source at which each chunk is among the first n."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.fusion.units import Units
from engine.sensitivity.course import Course
from engine.sensitivity.values import Interval, exact
from engine.sensitivity.weight_course import weight_course


def weight_intervals(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    n: int,
    low: float | Fraction = 0,
    high: float | Fraction = 10,
) -> Mapping[str, tuple[Interval, ...]]:
    """For every chunk that is among the first `n` somewhere: where, as disjoint intervals, ascending, rational ends.

    The weight of `source` goes from `low` to `high`, both included; the others are fixed. Ends are open or closed and
    single points stand alone as the tie order (score, then id) makes them. At 0 the source brings no chunk of its own.

    Proof sketch: `weight_course` gives the members at every weight where they can change and between each two, and they
    are the same all along between two; so a chunk's runs of such pieces are its intervals.
    """
    course = weight_course(units, weights, source, n, low=low, high=high, members=True)
    return {units.ids[row]: intervals for row, intervals in sorted(_intervals(course).items())}


@dataclass(frozen=True, slots=True)
class Change:
    """How far a weight must go: `by`, and where that end is not `included`, any little more."""

    by: Fraction
    included: bool


def needed_change(intervals: Iterable[Interval], present: float | Fraction) -> Change | None:
    """The smallest change of the present weight that reaches one of a chunk's intervals: 0 inside, None without any."""
    weight = exact(present)
    changes = []
    for interval in intervals:
        if weight in interval:
            return Change(Fraction(0), included=True)
        for end, closed in ((interval.low, interval.low_closed), (interval.high, interval.high_closed)):
            if isinstance(end, Fraction):  # weights always are; only k has roots
                changes.append(Change(end - weight, closed))
    return min(changes, key=lambda change: (abs(change.by), not change.included), default=None)


def _intervals(course: Course) -> dict[int, tuple[Interval, ...]]:
    """A row's run of pieces is one interval."""
    found: dict[int, list[Interval]] = {}
    since: dict[int, int] = {}
    previous: tuple[int, ...] = ()
    for index, piece in enumerate((*course.pieces, ())):  # the empty one ends every run
        if piece == previous:
            continue
        members = set(piece)
        for row in since.keys() - members:
            found.setdefault(row, []).append(course.interval(since.pop(row), index - 1))
        since |= dict.fromkeys(members - since.keys(), index)
        previous = piece
    return {row: tuple(intervals) for row, intervals in found.items()}
