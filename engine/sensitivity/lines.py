"""Scores as straight lines in one source's weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine.errors import BadInput, UnknownName
from engine.fusion.units import Units
from engine.sensitivity.curves import NEAR, Rows
from engine.sensitivity.values import exact
from engine.types import Floats, Mask


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The scores of a fusion's chunks in the weight of one source: constant + slope * weight, for weights above 0.

    Arrays have one value per row of the units. `constants` come from the other sources that are used, `slopes` from the
    source of the knob; both have the factor of `by_matches` in them. `same_inputs` labels rows whose constants are made
    of the same values, `twins` those whose slopes are, too.
    """

    units: Units
    low: Fraction
    high: Fraction
    column: int
    others: Mapping[int, Fraction]
    rows: Rows
    factors: Rows
    constants: Floats
    slopes: Floats
    scale: tuple[float, float]
    same_inputs: Rows
    twins: Rows
    _exact: dict[int, tuple[Fraction, Fraction]] = field(default_factory=dict, repr=False)

    def edges(self, cells: int) -> Floats:
        """Cells in each of which every normalised score changes by the same share of its whole change.

        Over (A + B * weight), with A and B the largest constant and slope, a line is linear in B * weight / (A + B *
        weight).
        """
        most, steepest = self.scale
        low, high = float(self.low), float(self.high)
        start, end = (steepest * value / (most + steepest * value) for value in (low, high))
        share = np.linspace(start, end, cells + 1)[1:-1]
        inner = np.clip(most * share / (steepest * (1 - share)), low, high)
        return np.concatenate(([low], inner, [high]))

    def bounds(self, edges: Floats, rows: Rows) -> tuple[Floats, Floats]:
        """The lesser and the greater of the scores at both ends of each cell."""
        scores = self.scores(edges, rows)
        return np.minimum(scores[:-1], scores[1:]) - NEAR, np.maximum(scores[:-1], scores[1:]) + NEAR

    def may_meet(self, edges: Floats, rows: Rows) -> Mask:
        """Two lines that are in the same order at both ends of a cell do not meet in it."""
        constants, slopes = self.constants[rows], self.slopes[rows]
        most, steepest = self.scale
        start, end = (
            (constants + slopes * edge[:, None]) / (most + steepest * edge)[:, None] for edge in (edges[:-1], edges[1:])
        )
        at_start = start[:, :, None] - start[:, None, :]
        at_end = end[:, :, None] - end[:, None, :]
        meet = (np.minimum(at_start, at_end) <= NEAR) & (np.maximum(at_start, at_end) >= -NEAR)
        if self.low == 0:  # lines with equal constants meet at 0 and nowhere else
            labels = self.same_inputs[rows]
            meet &= labels[:, :, None] != labels[:, None, :]
        return np.asarray(meet)

    def meetings(self, one: int, other: int) -> tuple[tuple[Fraction, bool], ...]:
        """The weight at which two lines cross."""
        (one_constant, one_slope), (other_constant, other_slope) = self.line(one), self.line(other)
        rise, run = _difference(other_constant, one_constant), _difference(one_slope, other_slope)
        if run[0] == 0:
            return ()
        weight = Fraction(rise[0] * run[1], rise[1] * run[0])
        return ((weight, True),) if weight.numerator > 0 and self.low <= weight <= self.high else ()

    def scores(self, points: Floats, rows: Rows) -> Floats:
        """The scores over (A + B * weight)."""
        most, steepest = self.scale
        raised = self.constants[rows] + points[:, None] * self.slopes[rows]
        return np.asarray(raised / (most + steepest * points)[:, None])

    def score(self, row: int, point: Fraction) -> Fraction:
        """The score, exactly."""
        constant, slope = self.line(row)
        return constant + slope * point

    def line(self, row: int) -> tuple[Fraction, Fraction]:
        """Constant and slope, exactly."""
        if row not in self._exact:
            factor = int(self.factors[row])
            constant = sum(
                (weight * self.units.exact(row, column) for column, weight in self.others.items()), Fraction(0)
            )
            self._exact[row] = factor * constant, factor * self.units.exact(row, self.column)
        return self._exact[row]


def lines_of(units: Units, weights: Mapping[str, float], source: str, n: int, low: Fraction, high: Fraction) -> Lines:
    """The lines in the weight of `source` from `low` to `high`; the other weights are fixed.

    Of rows with the same constant, all but the n steepest are left out of `rows`: at every weight above 0 those n come
    before them. `UnknownName` for a source that the units do not have; `BadInput` for a range that is none.
    """
    column = column_of(units, source)
    if not 0 <= low <= high:
        raise BadInput(f"Weights from {float(low):g} to {float(high):g} are no range.", "Use 0 or more, ascending.")
    others = {
        index: exact(weights[name]) for index, name in enumerate(units.sources) if index != column and weights[name] > 0
    }
    columns = list(others)
    brought = units.ranks[:, [*columns, column]] > 0
    factors = brought.sum(axis=1) if units.by_matches else np.ones(len(units.ids), dtype=np.int64)
    parts = units.values[:, columns] * np.array([float(weight) for weight in others.values()]) * factors[:, None]
    slopes = units.values[:, column] * factors
    constants = parts.sum(axis=1)
    inputs = units.ranks if units.rational is not None else units.values  # what the exact values are made of
    keys = [factors, *inputs[:, columns].T]
    order = np.lexsort((np.arange(len(slopes)), -slopes, *keys))
    order = order[brought[order].any(axis=1)]
    same_inputs, within = _groups(order, keys)
    twins, _ = _groups(order, [*keys, inputs[:, column]])
    return Lines(
        units=units,
        low=low,
        high=high,
        column=column,
        others=others,
        rows=np.sort(order[within < n]),
        factors=factors,
        constants=constants,
        slopes=slopes,
        scale=(_largest(np.abs(parts).sum(axis=1)), _largest(np.abs(slopes))),
        same_inputs=same_inputs,
        twins=twins,
    )


def column_of(units: Units, source: str) -> int:
    """The column of a source; `UnknownName` where there is none."""
    if source not in units.sources:
        raise UnknownName(f"No source {source!r} in this fusion.", f"Choose one of: {', '.join(units.sources)}.")
    return units.sources.index(source)


def _groups(order: Rows, keys: list[NDArray[np.int64] | Floats]) -> tuple[Rows, Rows]:
    """A label per row, equal where all keys are (rows not in `order` have 0), and the place in the group by order."""
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    labels = np.zeros(len(keys[0]), dtype=np.intp)
    labels[order] = np.cumsum(starts)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
    return labels, np.arange(len(order)) - first


def _difference(left: Fraction, right: Fraction) -> tuple[int, int]:
    """Numerator and denominator of the difference, not reduced: quicker, where one reduction at the end is enough."""
    return (
        left.numerator * right.denominator - right.numerator * left.denominator,
        left.denominator * right.denominator,
    )


def _largest(values: Floats) -> float:
    return float(values.max(initial=0.0)) or 1.0
