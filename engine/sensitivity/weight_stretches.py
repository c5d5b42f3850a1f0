"""Stretches of one source's weight in which the first n chunks cannot change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.fusion.units import Units
from engine.sensitivity.stretches import stretches_of
from engine.sensitivity.values import Stretch
from engine.sensitivity.weight_course import weight_course


def weight_stretches(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    n: int,
    low: float | Fraction = 0,
    high: float | Fraction = 10,
) -> tuple[Stretch, ...]:
    """The range of the weight of `source` as stretches, each with its list of at most `n` chunks.

    The other weights are fixed. Where the tie order makes them so, stretches are single points; 0 is one wherever the
    source brings chunks of its own.

    Proof sketch: that of `weight_course`; neighbouring pieces with the same list are one stretch.
    """
    return stretches_of(weight_course(units, weights, source, n, low=low, high=high), units.ids)
