"""The receipt of a move: what passes what, and at which value, between two positions of a knob."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.fusion.units import Units
from engine.sensitivity.course import Course, course_of
from engine.sensitivity.k_curves import k_curves_of
from engine.sensitivity.lines import column_of
from engine.sensitivity.roots import Number
from engine.sensitivity.steps import steps_of
from engine.sensitivity.values import exact
from engine.sensitivity.weight_course import weight_course
from engine.types import Ranking

K = "k"
Parts = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Event:
    """At `value` the chunk `riser` passes the chunk `faller`; both then have the same score, made of these parts.

    Where a weight leaves or reaches 0, its source brings or withdraws chunks, so one may come in without passing
    another (`faller` None) or drop out without being passed (`riser` None). `enters`: the riser is new in the list
    after this value; `leaves`: the faller is out of it.
    """

    value: Number
    riser: str | None
    faller: str | None
    enters: bool
    leaves: bool
    riser_parts: Parts
    faller_parts: Parts


@dataclass(frozen=True, slots=True)
class Receipt:
    """A move of `knob` (`k`, or the source whose weight it is) from `start` to `end`, and all that it does to the list.

    `before` and `after` are the first `n` chunks at both positions; `events` are in the order of the move.
    """

    knob: str
    start: Fraction
    end: Fraction
    n: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    events: tuple[Event, ...]


def weight_events(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    start: float | Fraction,
    end: float | Fraction,
    *,
    n: int,
) -> Receipt:
    """What happens to the first `n` chunks while the weight of `source` goes from `start` to `end`, the others fixed.

    Proof sketch: `weight_course` has every weight at which the list changes, `steps_of` who trades places there. Where
    a weight leaves or reaches 0, the chunks that only this source brings come or go at once.
    """
    low, high = sorted((exact(start), exact(end)))
    course = weight_course(units, weights, source, n, low=low, high=high)
    column = column_of(units, source)
    used = [index for index, name in enumerate(units.sources) if index != column and weights[name] > 0]
    elsewhere = (units.ranks[:, used] > 0).any(axis=1)
    only_above_zero = frozenset(np.flatnonzero(~elsewhere).tolist())

    def parts(row: int, value: float) -> Parts:
        at = {name: value if name == source else weights[name] for name in units.sources}
        matches = sum(at[name] > 0 for name, rank in zip(units.sources, units.ranks[row], strict=True) if rank)
        factor = matches if units.by_matches else 1
        return {name: factor * at[name] * float(units.values[row, index]) for index, name in enumerate(units.sources)}

    move = exact(start), exact(end)
    return _receipt(course, source, move, units.ids, parts, n=n, only_above_zero=only_above_zero)


def k_events(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    start: float | Fraction,
    end: float | Fraction,
    *,
    n: int,
) -> Receipt:
    """What happens to the first `n` chunks of reciprocal rank fusion while k goes from `start` to `end`.

    Proof sketch: that of `k_stretches` for where the list changes, and that of `steps_of` for who trades places there.
    `BadInput` unless both are above 0.
    """
    low, high = sorted((exact(start), exact(end)))
    curves = k_curves_of(rankings, weights, n, low, high)

    def parts(row: int, value: float) -> Parts:
        ranks = {source: ranking.rank(curves.ids[row]) for source, ranking in rankings.items()}
        return {source: weights[source] / (value + rank) if rank else 0.0 for source, rank in ranks.items()}

    return _receipt(course_of(curves, n), K, (exact(start), exact(end)), curves.ids, parts, n=n)


def _receipt(
    course: Course,
    knob: str,
    move: tuple[Fraction, Fraction],
    ids: Sequence[str],
    parts: Callable[[int, float], Parts],
    *,
    n: int,
    only_above_zero: frozenset[int] = frozenset(),
) -> Receipt:
    upwards = move[0] <= move[1]
    lowest, highest = (tuple(ids[row] for row in rows) for rows in (course.at[0], course.at[-1]))
    events = [
        Event(
            value=step.value,
            riser=None if step.riser is None else ids[step.riser],
            faller=None if step.faller is None else ids[step.faller],
            enters=step.enters,
            leaves=step.leaves,
            riser_parts={} if step.riser is None else parts(step.riser, float(step.value)),
            faller_parts={} if step.faller is None else parts(step.faller, float(step.value)),
        )
        for step in steps_of(course, upwards=upwards, only_above_zero=only_above_zero)
    ]
    before, after = (lowest, highest) if upwards else (highest, lowest)
    return Receipt(knob, *move, n, before, after, tuple(events))
