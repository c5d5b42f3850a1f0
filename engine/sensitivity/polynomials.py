"""Polynomials with integer coefficients, exactly: signs, common divisors, and a bound on their roots in an interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd

Polynomial = tuple[int, ...]
"""Coefficients, highest power first, the first one not 0; `()` is the zero polynomial."""


def primitive(coefficients: Sequence[int]) -> Polynomial:
    """The same roots and signs with the smallest integers: leading zeros and common factors are taken out."""
    first = next((index for index, value in enumerate(coefficients) if value), len(coefficients))
    divisor = gcd(*coefficients)
    return tuple(value // divisor for value in coefficients[first:])


def degree(polynomial: Polynomial) -> int:
    """The highest power; -1 for the zero polynomial."""
    return len(polynomial) - 1


def sign_at(polynomial: Polynomial, point: Fraction) -> int:
    """-1, 0 or 1: the sign of the value at a rational point."""
    value, scale = 0, 1
    for coefficient in polynomial:
        value = value * point.numerator + coefficient * scale
        scale *= point.denominator
    return (value > 0) - (value < 0)


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The coefficients of the product."""
    out = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            out[i + j] += a * b
    return out


def derivative(polynomial: Polynomial) -> Polynomial:
    """The derivative, with the smallest integers."""
    top = degree(polynomial)
    return primitive([value * (top - index) for index, value in enumerate(polynomial[:-1])])


def common_divisor(left: Polynomial, right: Polynomial) -> Polynomial:
    """The greatest common divisor up to a constant factor: its roots are the common roots (Euclid)."""
    while right:
        left, right = right, _divided(left, right)[1]
    return left


def quotient(polynomial: Polynomial, divisor: Polynomial) -> Polynomial:
    """The polynomial over one of its divisors, up to a constant factor."""
    return _divided(polynomial, divisor)[0]


def square_free_factors(polynomial: Polynomial) -> Iterator[tuple[Polynomial, int]]:
    """Factors without double roots, each with the multiplicity that its roots have in the polynomial.

    With g1 the common divisor of p and p', the quotient p / g1 has every root of p once; the same step on g1 gives the
    roots of multiplicity 2 and more, and so on (Musser 1971). The quotient of neighbours in that row has the roots of
    one multiplicity.
    """
    multiplicity = 0
    at_least = _each_root_once(polynomial)
    while degree(at_least) > 0:
        multiplicity += 1
        polynomial = quotient(polynomial, at_least)
        more = _each_root_once(polynomial)
        factor = quotient(at_least, more)
        if degree(factor) > 0:
            yield factor, multiplicity
        at_least = more


def most_roots(polynomial: Polynomial, low: Fraction, high: Fraction) -> int:
    """An upper bound on the roots in the open interval, counted with multiplicity, and exact where it is 0 or 1.

    Descartes' rule for (1 + x)^n p((low + high x) / (1 + x)), whose positive roots are those of p between low and high.
    """
    denominator = low.denominator * high.denominator
    inner = (high.numerator * low.denominator, low.numerator * high.denominator)
    image: list[int] = []
    scale = [1]
    for coefficient in polynomial:
        image = product(image, inner) if image else [0]
        image = [a + coefficient * b for a, b in zip(image, scale, strict=True)]
        scale = product(scale, (denominator, denominator))
    signs = [value > 0 for value in image if value]
    return sum(one != following for one, following in pairwise(signs))


def _each_root_once(polynomial: Polynomial) -> Polynomial:
    return quotient(polynomial, common_divisor(polynomial, derivative(polynomial)))


def _divided(polynomial: Polynomial, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder, each up to a constant factor of its own."""
    steps = max(degree(polynomial) - degree(divisor) + 1, 0)
    rest = list(polynomial)
    quotients: list[int] = []
    for _ in range(steps):  # each step scales everything by the leading coefficient, so that no fraction arises
        lead = rest[0]
        quotients = [value * divisor[0] for value in quotients] + [lead]
        padded = [*divisor, *[0] * (len(rest) - len(divisor))]
        rest = [value * divisor[0] - lead * other for value, other in zip(rest, padded, strict=True)][1:]
    return primitive(quotients), primitive(rest)
