"""The fusion at the present weights, with exact scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from engine.fusion.units import Units
from engine.sensitivity.curves import Rows, first_of
from engine.sensitivity.values import exact
from engine.types import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Present:
    """The candidates at some weights: `rows` of the units, ascending, and parallel `scores` on the scale of `NEAR`.

    `weights` are those above 0 by column; `factors` are parallel to the rows of the units.
    """

    units: Units
    weights: Mapping[int, Fraction]
    rows: Rows
    scores: Floats
    factors: Rows

    def score(self, row: int) -> Fraction:
        """The score of a row of the units, exactly."""
        parts = (weight * self.units.exact(row, column) for column, weight in self.weights.items())
        return int(self.factors[row]) * sum(parts, Fraction(0))


def present_of(units: Units, weights: Mapping[str, float]) -> Present:
    """The candidates of the sources whose weight is above 0."""
    used = {column: exact(weights[name]) for column, name in enumerate(units.sources) if weights[name] > 0}
    columns = list(used)
    brought = units.ranks[:, columns] > 0
    factors = brought.sum(axis=1) if units.by_matches else np.ones(len(units.ids), dtype=np.intp)
    rows = np.flatnonzero(brought.any(axis=1))
    parts = units.values[:, columns] * np.array([float(weight) for weight in used.values()]) * factors[:, None]
    size = float(np.abs(parts[rows]).sum(axis=1).max(initial=0.0)) or 1.0
    return Present(units, used, rows, parts[rows].sum(axis=1) / size, factors)


def first_rows(units: Units, weights: Mapping[str, float], n: int) -> tuple[int, ...]:
    """The first `n` rows of the units at these weights, in exact order; none where every weight is 0."""
    present = present_of(units, weights)
    return first_of(present.scores, present.rows, present.score, n)
