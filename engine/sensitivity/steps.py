"""From one list to the next along a knob: who passes whom, at which value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import combinations
from math import inf

from engine.sensitivity.course import Course, Meeting
from engine.sensitivity.roots import Number

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """At `value`, row `riser` passes row `faller`.

    Where a weight leaves or reaches 0, a row may come in without passing another, or drop out without being passed:
    then `faller` or `riser` is None. `enters` says that the riser is new among the first rows after this value,
    `leaves` that the faller is gone.
    """

    value: Number
    riser: int | None
    faller: int | None
    enters: bool
    leaves: bool


def steps_of(course: Course, *, upwards: bool, only_above_zero: Set[int] = frozenset()) -> Iterator[Step]:
    """The steps from one end of the course to the other, in the order of the move, that touch the first rows.

    `only_above_zero` are the rows that are no candidates at a weight of 0. Proof sketch: inside the range, two rows
    change their order exactly at the breakpoints where they cross; a touch leaves both sides alike. At both ends the
    list is that of the end itself, where equal rows go by id, so leaving one end and arriving at the other reorders
    those. At a weight of 0 the list is another one, and what differs between the two lists is what has changed.
    """
    lists = [course.at[0], *course.between, course.at[-1]]
    if len(course.breakpoints) == 1:
        return
    last = len(course.breakpoints) - 1
    for index in range(last + 1) if upwards else range(last, -1, -1):
        value, met, (lower, upper) = course.breakpoints[index], course.meetings[index], lists[index : index + 2]
        before, after = (lower, upper) if upwards else (upper, lower)
        if value == 0:
            pairs = list(_differing(before, after, only_above_zero))
            yield from _come_and_gone(value, pairs, before, after)
        elif index == 0:
            pairs = list(_reordered(met, upper, leaving=upwards))
        elif index == last:
            pairs = list(_reordered(met, lower, leaving=not upwards))
        else:
            pairs = list(_crossed(met, before, after))
        yield from _in_order(value, pairs, before, after)


def _in_order(value: Number, pairs: Iterable[Pair], before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Step]:
    """The pairs as steps between neighbours: the highest place that is lost first."""
    was, is_now = _places(before), _places(after)
    for riser, faller in sorted(pairs, key=lambda pair: (was.get(pair[1], inf), was.get(pair[0], inf), pair)):
        enters, leaves = riser in is_now and riser not in was, faller in was and faller not in is_now
        yield Step(value, riser, faller, enters, leaves)


def _crossed(met: Iterable[Meeting], before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Pair]:
    """Riser and faller of each pair that changes sides and has one of the first rows on either side."""
    was, is_now = _places(before), _places(after)
    for meeting in met:
        one, other = meeting.one, meeting.other
        if meeting.crossing and not {one, other}.isdisjoint(was.keys() | is_now.keys()):
            lead = was.get(one, inf) - was.get(other, inf) if {one, other} & was.keys() else 0.0
            one_rises = lead > 0 if lead else is_now.get(one, inf) < is_now.get(other, inf)
            yield (one, other) if one_rises else (other, one)


def _reordered(met: Iterable[Meeting], inside: tuple[int, ...], *, leaving: bool) -> Iterator[Pair]:
    """Riser and faller of the pairs that are equal at an end, where the lower row is first, and not so inside."""
    place = _places(inside)
    for meeting in met:
        if place.get(meeting.other, inf) < place.get(meeting.one, inf):
            yield (meeting.other, meeting.one) if leaving else (meeting.one, meeting.other)


def _differing(before: tuple[int, ...], after: tuple[int, ...], excepted: Set[int]) -> Iterator[Pair]:
    """Riser and faller of the pairs that two lists have in different orders."""
    was, is_now = _places(before), _places(after)
    for one, other in combinations(sorted({*before, *after} - excepted), 2):
        first = was.get(one, inf) < was.get(other, inf), is_now.get(one, inf) < is_now.get(other, inf)
        second = was.get(other, inf) < was.get(one, inf), is_now.get(other, inf) < is_now.get(one, inf)
        if first[0] and second[1]:
            yield other, one
        elif second[0] and first[1]:
            yield one, other


def _come_and_gone(
    value: Number, pairs: Iterable[Pair], before: tuple[int, ...], after: tuple[int, ...]
) -> Iterator[Step]:
    """What no pair tells: sources bring and withdraw rows at 0, and others give way to them or take their places."""
    risers, fallers = {riser for riser, _ in pairs}, {faller for _, faller in pairs}
    for row in before:
        if row not in after and row not in fallers:
            yield Step(value, None, row, enters=False, leaves=True)
    for row in after:
        if row not in before and row not in risers:
            yield Step(value, row, None, enters=True, leaves=False)


def _places(rows: tuple[int, ...]) -> Mapping[int, int]:
    return {row: place for place, row in enumerate(rows)}
