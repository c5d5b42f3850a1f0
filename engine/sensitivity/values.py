"""Where a knob stands and how far an answer holds: exact numbers, intervals between them, stretches of one list."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.sensitivity.roots import Number


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`; each end belongs to it where it is closed. A single point is closed twice."""

    low: Number
    high: Number
    low_closed: bool
    high_closed: bool

    def __contains__(self, value: Number | int) -> bool:
        after = self.low <= value if self.low_closed else self.low < value
        before = value <= self.high if self.high_closed else value < self.high
        return after and before

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{{{float(self.low):g}}}"
        start, end = "[" if self.low_closed else "(", "]" if self.high_closed else ")"
        return f"{start}{float(self.low):g}, {float(self.high):g}{end}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a knob's range on which the first chunks are the same, in the same order."""

    interval: Interval
    ids: tuple[str, ...]


def exact(value: float | Fraction) -> Fraction:
    """The rational number that a knob's value stands for: a float is the decimal number that it prints as."""
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))
