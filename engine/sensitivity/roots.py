"""The real roots of a polynomial in an interval: rational ones as they are, irrational ones in a bracket of 2^-64."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import isqrt

from engine.sensitivity.polynomials import (
    Polynomial,
    common_divisor,
    degree,
    most_roots,
    primitive,
    quotient,
    sign_at,
    square_free_factors,
)

_BITS = 64


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """An irrational number, exactly: the only root of `polynomial` between `low` and `high`, and a simple one.

    The bracket is rational, open, and at most 2^-64 wide. Comparing with rational numbers and other roots is exact, and
    two roots are equal where they are the same number, whatever polynomial each comes from.
    """

    polynomial: Polynomial
    low: Fraction
    high: Fraction

    @property
    def cell(self) -> int:
        """The number times 2^64, rounded down."""
        return (self.low.numerator << _BITS) // self.low.denominator

    def __float__(self) -> float:
        return (2 * self.cell + 1) / (1 << (_BITS + 1))

    def __hash__(self) -> int:
        return hash(self.cell)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Root):
            return False
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low >= high:
            return False
        shared = common_divisor(self.polynomial, other.polynomial)
        return degree(shared) > 0 and sign_at(shared, low) != sign_at(shared, high)

    def __lt__(self, other: Root | Fraction | int) -> bool:
        if isinstance(other, Root):
            if self == other:
                return False
            one, two = _apart(self, other)
            return one.high <= two.low
        one = self
        while one.low < other < one.high:
            one = one.halved()
        return one.high <= other

    def halved(self) -> Root:
        """The same number in half the bracket."""
        middle = (self.low + self.high) / 2
        below = sign_at(self.polynomial, middle) == sign_at(self.polynomial, self.low)
        return Root(self.polynomial, middle, self.high) if below else Root(self.polynomial, self.low, middle)


Number = Fraction | Root
"""A value of a knob, exactly."""


def rational_between(one: Number, other: Number) -> Fraction:
    """A rational number strictly between two different ones, and one that a float holds where there is room for it."""
    if isinstance(one, Root) and isinstance(other, Root):
        one, other = _apart(one, other)
    while isinstance(one, Root) and isinstance(other, Fraction) and one.high >= other:
        one = one.halved()
    while isinstance(other, Root) and isinstance(one, Fraction) and other.low <= one:
        other = other.halved()
    low, high = one.high if isinstance(one, Root) else one, other.low if isinstance(other, Root) else other
    middle = (float(low) + float(high)) / 2  # rounding keeps the order, so what is between the floats is between
    return Fraction(middle) if float(low) < middle < float(high) else (low + high) / 2


def _apart(one: Root, other: Root) -> tuple[Root, Root]:
    """Two different roots in brackets that do not overlap."""
    while one.high > other.low and other.high > one.low:
        one, other = one.halved(), other.halved()
    return one, other


def roots_between(polynomial: Polynomial, low: Fraction, high: Fraction) -> tuple[tuple[Number, bool], ...]:
    """The roots in the closed interval, ascending, each with whether the polynomial changes its sign there.

    Up to degree 2 by formula with integer square roots. Above, per factor without double roots: Descartes' rule bounds
    the roots of an interval and is exact at 0 and 1, so halving ends with each root alone in its bracket (Collins and
    Akritas 1976). A rational root of an integer polynomial times the leading coefficient is an integer, so one exact
    evaluation at the nearest such number tells it from an irrational one. The sign changes where the multiplicity is
    odd. The zero polynomial and constants have no root here.
    """
    found: list[tuple[Number, bool]]
    if degree(polynomial) <= 2:
        found = [(root, changes) for root, changes in _by_formula(polynomial) if low <= root <= high]
    elif most_roots(polynomial, low, high) <= 1 and sign_at(polynomial, low) and sign_at(polynomial, high):
        found = [(root, True) for root in _simple_roots(polynomial, low, high)]
    else:
        found = [
            (root, multiplicity % 2 == 1)
            for factor, multiplicity in square_free_factors(polynomial)
            for root in _simple_roots(factor, low, high)
        ]
    return tuple(sorted(found, key=lambda pair: pair[0]))


def _by_formula(polynomial: Polynomial) -> list[tuple[Number, bool]]:
    if degree(polynomial) < 1:
        return []
    if degree(polynomial) == 1:
        return [(Fraction(-polynomial[1], polynomial[0]), True)]
    a, b, c = polynomial if polynomial[0] > 0 else [-value for value in polynomial]
    discriminant = b * b - 4 * a * c
    if discriminant <= 0:
        return [(Fraction(-b, 2 * a), False)] if discriminant == 0 else []
    root = isqrt(discriminant)
    if root * root == discriminant:
        return [(Fraction(-b - root, 2 * a), True), (Fraction(-b + root, 2 * a), True)]
    scaled = isqrt(discriminant << (2 * _BITS))
    lower, upper = ((-b << _BITS) - scaled - 1) // (2 * a), ((-b << _BITS) + scaled) // (2 * a)
    vertex, unit = Fraction(-b, 2 * a), Fraction(1, 1 << _BITS)
    return [
        (Root((a, b, c), lower * unit, min((lower + 1) * unit, vertex)), True),
        (Root((a, b, c), max(upper * unit, vertex), (upper + 1) * unit), True),
    ]


def _simple_roots(polynomial: Polynomial, low: Fraction, high: Fraction) -> list[Number]:
    """The roots of a square-free polynomial in the closed interval, in any order."""
    for end in {low, high}:
        if sign_at(polynomial, end) == 0:
            return [end, *_simple_roots(_without(polynomial, end), low, high)]
    found: list[Number] = []
    open_intervals = [(low, high)]
    while open_intervals:
        start, end = open_intervals.pop()
        most = most_roots(polynomial, start, end)
        if most == 1:
            found.append(_refined(polynomial, start, end))
        elif most > 1:
            middle = (start + end) / 2
            if sign_at(polynomial, middle) == 0:
                return [middle, *_simple_roots(_without(polynomial, middle), low, high)]
            open_intervals += [(start, middle), (middle, end)]
    return found


def _without(polynomial: Polynomial, root: Fraction) -> Polynomial:
    return quotient(polynomial, primitive((root.denominator, -root.numerator)))


def _refined(polynomial: Polynomial, low: Fraction, high: Fraction) -> Number:
    """The only root between `low` and `high`, where the polynomial has opposite signs."""
    bits = max(_BITS, polynomial[0].bit_length() + 2)
    below = (low.numerator << bits) // low.denominator
    above = -((-high.numerator << bits) // high.denominator)
    start = sign_at(polynomial, low)
    scaled = [coefficient << (bits * power) for power, coefficient in enumerate(polynomial)]
    while above - below > 1:  # the integer points lie strictly between low and high
        middle = (below + above) // 2
        value = 0
        for coefficient in scaled:
            value = value * middle + coefficient
        if (value > 0) - (value < 0) == start:
            below = middle
        else:
            above = middle
    lead = polynomial[0]
    nearest = Fraction(round(Fraction(lead * (below + above), 2 << bits)), lead)
    if sign_at(polynomial, nearest) == 0:
        return nearest
    return Root(polynomial, max(low, Fraction(below, 1 << bits)), min(high, Fraction(above, 1 << bits)))
