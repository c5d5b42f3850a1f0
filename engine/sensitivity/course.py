"""The first n chunks along the whole range of a knob: between which exact values they stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, zip_longest

import numpy as np

from engine.sensitivity.curves import NEAR, Curves, Rows, first_at
from engine.sensitivity.roots import Number, rational_between
from engine.sensitivity.values import Interval
from engine.types import Floats, Mask

CELLS = 64
_COARSE = 8
_CLEAR = 1e-12
"""Relative distance at which the floats of two values tell their order."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two rows that are equal at a breakpoint; `crossing` where they change sides there, else they touch."""

    one: int
    other: int
    crossing: bool


@dataclass(frozen=True, slots=True)
class Course:
    """The first rows at every breakpoint and between each two; the first and the last breakpoint end the range.

    `meetings` are parallel to `breakpoints` and have every pair that is equal there on a place of the first rows (other
    pairs may be among them).
    """

    breakpoints: tuple[Number, ...]
    meetings: tuple[tuple[Meeting, ...], ...]
    at: tuple[tuple[int, ...], ...]
    between: tuple[tuple[int, ...], ...]

    @property
    def pieces(self) -> tuple[tuple[int, ...], ...]:
        """The rows at breakpoint 0, in the gap after it, at breakpoint 1, …: breakpoints have the even numbers."""
        return tuple(chain.from_iterable(zip_longest(self.at, self.between)))[: 2 * len(self.at) - 1]

    def interval(self, first: int, last: int) -> Interval:
        """The part of the range from piece `first` to piece `last`."""
        points = self.breakpoints
        return Interval(points[first // 2], points[(last + 1) // 2], first % 2 == 0, last % 2 == 0)


def course_of(curves: Curves, n: int, *, members: bool = False) -> Course:
    """The first `n` rows along the range, in order; with `members` only which they are, ascending, which is quicker.

    Proof sketch. (1) The list changes only where two rows are equal that stand on its places, or, for the members,
    where rows are equal across the edge of the n-th place. (2) In a cell, n rows never fall below the n-th largest
    lower bound, so rows whose upper bound is below it are not among the first n there; of the others, pairs that cannot
    be equal in the cell are left out. What remains has every pair of (1). (3) The values at which a remaining pair is
    equal are exact; between two neighbours of all those values the list is constant, so one rational point between them
    tells it, by exact scores wherever floating point is too near to call. (4) At a breakpoint scores are continuous:
    rows that are unequal there keep the order that they have beside it, and equal ones go by id.
    """
    rows, pairs = _pairs(curves, n, members=members)
    values, meetings = _breakpoints(curves, pairs)
    if len(values) == 1:
        return Course(values, meetings, (first_at(curves, rows, curves.low, n),), ())
    between = _between(curves, rows, values, n, members=members)
    beside = (between[0], *between)
    place = _members_at if members else _list_at
    at = tuple(place(first, met, n) for first, met in zip(beside, meetings, strict=True))
    return Course(values, meetings, at, between)


def _pairs(curves: Curves, n: int, *, members: bool) -> tuple[Rows, Sequence[tuple[int, int]]]:
    """The rows that can be among the first n somewhere, and the pairs that can be equal where it matters."""
    edges = curves.edges(CELLS)
    rows = curves.rows
    rows = rows[_can_be_first(*curves.bounds(edges[::_COARSE], rows), n).any(axis=0)]
    lower, upper = curves.bounds(edges, rows)
    chosen = _can_be_first(lower, upper, n)
    kept = rows[chosen.any(axis=0)]
    if members:
        chosen &= (lower <= _nth_largest(upper, n)) & (n < len(rows))
    most = int(chosen.sum(axis=1).max(initial=0))
    columns = np.argsort(~chosen, axis=1, kind="stable")[:, :most]  # each cell's chosen rows first, ascending
    real = np.take_along_axis(chosen, columns, axis=1)
    meet = curves.may_meet(edges, rows[columns]) & real[:, :, None] & real[:, None, :]
    cells, one, other = np.nonzero(np.triu(meet, 1))
    codes = np.unique(columns[cells, one] * len(rows) + columns[cells, other])
    first, second = rows[codes // max(len(rows), 1)], rows[codes % max(len(rows), 1)]
    return kept, list(zip(first.tolist(), second.tolist(), strict=True))


def _can_be_first(lower: Floats, upper: Floats, n: int) -> Mask:
    return np.asarray(upper >= _nth_largest(lower, n))


def _nth_largest(values: Floats, n: int) -> Floats:
    count = values.shape[1]
    if n > count:
        return np.full((len(values), 1), -np.inf)
    return np.partition(values, count - n, axis=1)[:, count - n, None]


def _breakpoints(
    curves: Curves, pairs: Sequence[tuple[int, int]]
) -> tuple[tuple[Number, ...], tuple[tuple[Meeting, ...], ...]]:
    """The ends of the range and all values at which a pair is equal, ascending, with what meets there."""
    met: list[tuple[Number, Meeting | None]] = [(curves.low, None), (curves.high, None)]
    for one, other in pairs:
        met += [(value, Meeting(one, other, crossing)) for value, crossing in curves.meetings(one, other)]
    values: list[Number] = []
    meetings: list[list[Meeting]] = []
    for value, meeting in _ascending(met):
        if not values or value != values[-1]:
            values.append(value)
            meetings.append([])
        if meeting is not None:
            meetings[-1].append(meeting)
    return tuple(values), tuple(map(tuple, meetings))


def _ascending(met: list[tuple[Number, Meeting | None]]) -> Iterator[tuple[Number, Meeting | None]]:
    """In exact order; floating point sorts what is clearly apart, since exact comparing costs more."""
    keyed = sorted(((float(value), index) for index, (value, _) in enumerate(met)))
    run: list[int] = []
    for position, (key, index) in enumerate(keyed):
        run.append(index)
        following = keyed[position + 1][0] if position + 1 < len(keyed) else np.inf
        if following - key > _CLEAR * abs(key):
            yield from sorted((met[index] for index in run), key=lambda pair: pair[0]) if run[1:] else [met[index]]
            run = []


def _between(
    curves: Curves, rows: Rows, values: Sequence[Number], n: int, *, members: bool
) -> tuple[tuple[int, ...], ...]:
    """The first n rows between each two neighbours."""
    points = _points_between(values)
    scores = curves.scores(np.array([float(point) for point in points]), rows)
    order = np.argsort(-scores, axis=1, kind="stable")
    falling = np.take_along_axis(scores, order, axis=1)
    near = falling[:, :-1] - falling[:, 1:] <= NEAR
    near &= curves.twins[rows[order[:, :-1]]] != curves.twins[rows[order[:, 1:]]]
    near = near[:, n - 1 : n] if members else near[:, :n]
    firsts = [tuple(first) for first in rows[order[:, :n]].tolist()]
    for index in np.flatnonzero(near.any(axis=1)).tolist():
        firsts[index] = first_at(curves, rows, Fraction(points[index]), n)
    return tuple(tuple(sorted(first)) for first in firsts) if members else tuple(firsts)


def _points_between(values: Sequence[Number]) -> list[float | Fraction]:
    """A rational number between each two neighbours: a float, unless they are so near that it has to be a fraction."""
    floats = np.array([float(value) for value in values])
    middles = (floats[:-1] + floats[1:]) / 2
    clear = np.minimum(middles - floats[:-1], floats[1:] - middles) > _CLEAR * floats[1:]
    points: list[float | Fraction] = middles.tolist()
    for index in np.flatnonzero(~clear).tolist():
        points[index] = rational_between(values[index], values[index + 1])
    return points


def _list_at(first: tuple[int, ...], met: tuple[Meeting, ...], n: int) -> tuple[int, ...]:
    """The first rows at a breakpoint from those beside it: in each group of equal ones the order is that of the ids."""
    if not met:
        return first
    place = {row: index for index, row in enumerate(first)}
    for group in _equal_groups(met):
        best = min((place[row] for row in group if row in place), default=None)
        if best is not None:
            place |= dict.fromkeys(group, best)
    return tuple(sorted(place, key=lambda row: (place[row], row))[:n])


def _members_at(first: tuple[int, ...], met: tuple[Meeting, ...], _: int) -> tuple[int, ...]:
    """The same for the members: a group across the edge keeps its number of places, and its lowest rows take them."""
    if all((meeting.one in first) == (meeting.other in first) for meeting in met):
        return first
    members = set(first)
    for group in _equal_groups(met):
        inside = members & group
        if inside and inside != group:
            members = (members - group) | set(sorted(group)[: len(inside)])
    return tuple(sorted(members))


def _equal_groups(met: tuple[Meeting, ...]) -> list[set[int]]:
    group_of: dict[int, set[int]] = {}
    for meeting in met:
        pair = {meeting.one, meeting.other}
        merged = pair.union(*(group_of.get(row, ()) for row in pair))
        group_of |= dict.fromkeys(merged, merged)
    return list({id(group): group for group in group_of.values()}.values())
