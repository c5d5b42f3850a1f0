"""Stretches of k in which the first n chunks of reciprocal rank fusion cannot change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.sensitivity.course import course_of
from engine.sensitivity.k_curves import k_curves_of
from engine.sensitivity.stretches import stretches_of
from engine.sensitivity.values import Stretch
from engine.types import Ranking


def k_stretches(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    n: int,
    low: float | Fraction = 1,
    high: float | Fraction = 1000,
) -> tuple[Stretch, ...]:
    """The range of k, `low` and `high` included, as stretches, each with its list of at most `n` chunks.

    Single points are stretches of their own where the tie order makes them so, also where two curves only touch.

    Proof sketch: two chunks are equal at the roots of a polynomial (`KCurves.difference`), which are isolated exactly;
    `course_of` has every one at which the list can change, and evaluates the list between each two of them.
    """
    curves = k_curves_of(rankings, weights, n, low, high)
    return stretches_of(course_of(curves, n), curves.ids)
