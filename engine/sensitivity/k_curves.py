"""Reciprocal rank fusion as functions of k: their bounds, and the polynomials at whose roots two chunks are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from engine.errors import BadInput
from engine.fusion.units import Ranks, ranks_of
from engine.sensitivity.curves import NEAR, Rows
from engine.sensitivity.polynomials import Polynomial, primitive, product
from engine.sensitivity.roots import Number, roots_between
from engine.sensitivity.values import exact
from engine.types import Floats, Mask, Ranking


@dataclass(frozen=True, slots=True, eq=False)
class KCurves:
    """The scores of reciprocal rank fusion in k: the sum of weight / (k + rank) over the sources that are used.

    `ids` ascend; `ranks` (chunks, sources) has 0 where a source did not return the chunk. `whole_weights` are the
    weights in whole multiples of one unit, `pivot` the rank at which the scale of the bounds is flattest.
    """

    ids: tuple[str, ...]
    ranks: Ranks
    whole_weights: tuple[int, ...]
    low: Fraction
    high: Fraction
    pivot: int
    rows: Rows
    twins: Rows

    def edges(self, cells: int) -> Floats:
        """Cells of equal ratio of k + pivot."""
        low, high = float(self.low), float(self.high)
        inner = np.geomspace(low + self.pivot, high + self.pivot, cells + 1)[1:-1] - self.pivot
        return np.concatenate(([low], np.clip(inner, low, high), [high]))

    def bounds(self, edges: Floats, rows: Rows) -> tuple[Floats, Floats]:
        """Sums of bounds per source: each part weight * (k + pivot) / (k + rank) rises or falls all along."""
        parts = self._parts(edges, rows, self.pivot)
        return self._bounds(parts[:-1], parts[1:])

    def may_meet(self, edges: Floats, rows: Rows) -> Mask:
        """Two curves do not meet in a cell where the bounds of one lie above those of the other."""
        start, end = self._parts(edges[:-1], rows, self.pivot), self._parts(edges[1:], rows, self.pivot)
        lower, upper = self._bounds(start, end)
        overlap = upper[:, :, None] >= lower[:, None, :]
        return np.asarray(overlap & overlap.transpose(0, 2, 1))

    def meetings(self, one: int, other: int) -> tuple[tuple[Number, bool], ...]:
        """The k at which two chunks are equal."""
        return roots_between(self.difference(one, other), self.low, self.high)

    def scores(self, points: Floats, rows: Rows) -> Floats:
        """The scores times (k + 1), over the sum of the weights."""
        return np.asarray(self._parts(points, rows, 1).sum(axis=-1))

    def score(self, row: int, point: Fraction) -> Fraction:
        """The score, exactly, in the unit of `whole_weights`."""
        pairs = zip(self.whole_weights, self.ranks[row].tolist(), strict=True)
        return sum((weight / (point + rank) for weight, rank in pairs if rank), Fraction(0))

    def difference(self, one: int, other: int) -> Polynomial:
        """The numerator of one score less the other: its sign for every k above 0; `()` where they are always equal.

        Parts of one rank are added up first and those that cancel left out, so the denominators that remain are
        different; with two sources the degree is 2 at most, with three 4.
        """
        parts: Counter[int] = Counter()
        for row, sign in ((one, 1), (other, -1)):
            for weight, rank in zip(self.whole_weights, self.ranks[row].tolist(), strict=True):
                parts[rank] += sign * weight if rank else 0
        kept = {rank: weight for rank, weight in parts.items() if weight}
        numerator = [0] * max(len(kept), 1)
        for rank, weight in kept.items():
            term = [weight]
            for factor in kept.keys() - {rank}:
                term = product(term, (1, factor))
            numerator = [a + b for a, b in zip(numerator, term, strict=True)]
        return primitive(numerator)

    def _parts(self, points: Floats, rows: Rows, pivot: int) -> Floats:
        """Parts times (k + pivot), shape (points, rows, sources); `rows` are those of all points, or (points, m)."""
        ranks, total = self.ranks[rows], sum(self.whole_weights)
        shares = np.array([weight / total for weight in self.whole_weights])
        raised = points[:, None, None]
        return np.asarray(np.where(ranks > 0, shares * (raised + pivot) / (raised + ranks), 0.0))

    @staticmethod
    def _bounds(start: Floats, end: Floats) -> tuple[Floats, Floats]:
        lower, upper = np.minimum(start, end).sum(axis=-1), np.maximum(start, end).sum(axis=-1)
        margin = NEAR * upper.max(initial=0.0)
        return lower - margin, upper + margin


def k_curves_of(
    rankings: Mapping[str, Ranking], weights: Mapping[str, float], n: int, low: float | Fraction, high: float | Fraction
) -> KCurves:
    """The curves for k from `low` to `high`, of the sources whose weight is above 0.

    `BadInput` for a range that is none.
    """
    start, end = exact(low), exact(high)
    if not 0 < start <= end:
        raise BadInput(f"k from {float(start):g} to {float(end):g} is no range.", "Use more than 0, ascending.")
    used = {source: exact(weights[source]) for source in rankings if weights[source] > 0}
    ids, ranks = ranks_of({source: rankings[source] for source in used})
    unit = lcm(*(weight.denominator for weight in used.values()))
    whole = tuple(int(weight * unit) for weight in used.values())
    rows = np.arange(len(ids))
    return KCurves(ids, ranks, whole, start, end, n, rows, twins=_twins(ranks, whole))


def _twins(ranks: Ranks, weights: tuple[int, ...]) -> Rows:
    """One label for rows with the same ranks in sources of the same weights, in whatever order."""
    codes = np.where(ranks > 0, ranks * 1.0, np.inf)
    sorted_codes = codes.copy()
    for weight in set(weights):
        columns = [column for column, other in enumerate(weights) if other == weight]
        sorted_codes[:, columns] = np.sort(codes[:, columns], axis=1)
    return np.unique(sorted_codes, axis=0, return_inverse=True)[1].reshape(-1)
