"""Exact fused scores of chunks at ranks that they do not have, but another chunk has."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from engine.fusion.units import Units
from engine.sensitivity.curves import NEAR
from engine.sensitivity.values import exact


class SupposedScores:
    """The scores of a linear fusion for chunks with whatever listed ranks.

    `weights` has the weights above 0 by column, `depths` the length of each source's list. A source adds at a rank what
    it adds for the chunk that has it.
    """

    def __init__(self, units: Units, weights: Mapping[str, float]) -> None:
        self.units = units
        self.weights = {column: exact(weights[name]) for column, name in enumerate(units.sources) if weights[name] > 0}
        self.depths = [int(depth) for depth in units.ranks.max(axis=0, initial=0)]
        self._row_at = [dict(zip(ranks.tolist(), range(len(ranks)), strict=True)) for ranks in units.ranks.T]
        self._floats = [self._by_rank(column) for column in range(len(units.sources))]

    def absent(self, column: int) -> Fraction | None:
        """What a source adds at weight 1 to a chunk that it did not return; None where that depends on the chunk."""
        if self.units.rational is not None:
            return self.units.rational(column, 0)
        values = np.unique(self.units.values[self.units.ranks[:, column] == 0, column])
        return exact(float(values[0])) if len(values) == 1 else None

    def is_found(self, ranks: Mapping[int, int], row: int | None = None) -> bool:
        """Whether a source that is used returns a chunk with these ranks."""
        return self._matches(self._completed(ranks, row)) > 0

    def total(self, ranks: Mapping[int, int], row: int | None = None) -> Fraction:
        """The score of a chunk with these ranks by column; its other ranks are those of `row`, or it has no others."""
        found = self._completed(ranks, row)
        total = sum(
            (weight * self._value(column, found[column], row) for column, weight in self.weights.items()), Fraction(0)
        )
        return total * self._matches(found) if self.units.by_matches else total

    def reaches(self, ranks: Mapping[int, int], bar: Fraction) -> bool:
        """Whether such a chunk scores as much as `bar` at least; floating point decides where it is clear."""
        found = self._completed(ranks, None)
        parts = [float(weight) * self._floats[column][found[column]] for column, weight in self.weights.items()]
        factor = self._matches(found) if self.units.by_matches else 1
        lead = factor * sum(parts) - float(bar)
        if abs(lead) > NEAR * factor * sum(map(abs, parts)):
            return lead > 0
        return self.total(ranks) >= bar

    def _by_rank(self, column: int) -> list[float]:
        ranks, values = self.units.ranks[:, column], np.zeros(self.depths[column] + 1)
        values[ranks] = self.units.values[:, column]
        values[0] = float(self.absent(column) or 0)
        return [float(value) for value in values]

    def _value(self, column: int, rank: int, row: int | None) -> Fraction:
        if row is not None and self.units.ranks[row, column] == rank:
            return self.units.exact(row, column)
        if rank == 0:
            return self.absent(column) or Fraction(0)
        return self.units.exact(self._row_at[column][rank], column)

    def _completed(self, ranks: Mapping[int, int], row: int | None) -> list[int]:
        own = [0] * len(self.units.sources) if row is None else self.units.ranks[row].tolist()
        return [ranks.get(column, rank) for column, rank in enumerate(own)]

    def _matches(self, found: list[int]) -> int:
        return sum(1 for column in self.weights if found[column])
