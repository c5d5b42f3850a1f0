"""How far a knob can move before the first n chunks change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.errors import UnknownName
from engine.fusion.units import Units
from engine.sensitivity.k_stretches import k_stretches
from engine.sensitivity.roots import Number
from engine.sensitivity.values import Interval, Stretch, exact
from engine.sensitivity.weight_stretches import weight_stretches
from engine.types import Ranking


@dataclass(frozen=True, slots=True)
class Reach:
    """Where around the present value nothing changes: in `interval`; `below` and `above` are the next changes.

    They are the ends of the interval, or None where the range of the knob ends without a change. A closed end still
    belongs to it, and the change comes right behind it. `distance` is that to the nearest change, None where there is
    none; 0 where the chunks are tied at the present value and any move decides between them.
    """

    present: Fraction
    interval: Interval
    below: Number | None
    above: Number | None

    @property
    def distance(self) -> float | None:
        """The way to the nearest change, in units of the knob."""
        ends = [end for end in (self.below, self.above) if end is not None]
        return min((abs(_less(end, self.present)) for end in ends), default=None)


@dataclass(frozen=True, slots=True)
class Stability:
    """How far a knob can move until the `order` of the first n changes, and until their `members` do."""

    order: Reach
    members: Reach


def weight_stability(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    n: int,
    low: float | Fraction = 0,
    high: float | Fraction = 10,
) -> Stability:
    """The stability of the first `n` chunks in the weight of `source`, seen from its present weight.

    Proof sketch: the stretches of the weight cover its range and each has one list, so the next change is at the end of
    the run of stretches with the same list (or the same members) around the present value. A present weight outside the
    range widens it.
    """
    if source not in weights:
        raise UnknownName(f"No source {source!r} in this fusion.", f"Choose one of: {', '.join(weights)}.")
    present = exact(weights[source])
    start, end = min(present, exact(low)), max(present, exact(high))
    return _stability(weight_stretches(units, weights, source, n, start, end), present)


def k_stability(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    k: float | Fraction,
    n: int,
    low: float | Fraction = 1,
    high: float | Fraction = 1000,
) -> Stability:
    """The stability of the first `n` chunks of reciprocal rank fusion in k, seen from the present `k`; as above."""
    present = exact(k)
    start, end = min(present, exact(low)), max(present, exact(high))
    return _stability(k_stretches(rankings, weights, n, start, end), present)


def _stability(stretches: Sequence[Stretch], present: Fraction) -> Stability:
    return Stability(_reach(stretches, present, tuple), _reach(stretches, present, frozenset))


def _reach(stretches: Sequence[Stretch], present: Fraction, alike: Callable[[tuple[str, ...]], Hashable]) -> Reach:
    here = next(index for index, stretch in enumerate(stretches) if present in stretch.interval)
    same = [alike(stretch.ids) == alike(stretches[here].ids) for stretch in stretches]
    first = max((index + 1 for index in range(here) if not same[index]), default=0)
    last = min((index - 1 for index in range(here, len(stretches)) if not same[index]), default=len(stretches) - 1)
    start, end = stretches[first].interval, stretches[last].interval
    interval = Interval(start.low, end.high, start.low_closed, end.high_closed)
    below = start.low if first > 0 else None
    return Reach(present, interval, below, end.high if last < len(stretches) - 1 else None)


def _less(value: Number, present: Fraction) -> float:
    return float(value - present) if isinstance(value, Fraction) else float(value) - float(present)
