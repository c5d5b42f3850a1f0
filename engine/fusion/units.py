"""A fusion before its weights: what each source would add to each chunk at weight 1, and how that is weighed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from engine.types import Floats, Ranking

Ranks = NDArray[np.int64]
Rows = NDArray[np.intp]

_NEAR = 1e-12
"""Distance, in parts of what they are made of, below which two scores may be one number that was rounded twice."""

_EXACT = Context(prec=200)
"""More digits than any sum of products of floats of a usual size has."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What every source adds to every chunk at weight 1, for fusions whose score is the weighted sum of that.

    `ids` are all chunks that any source returned, ascending (the tie order); `sources` the names of the columns.
    `values` (float64) and `ranks` (1-based, 0 where the source did not return the chunk) have the shape
    (chunks, sources). `rational` gives a value as the rational number that it stands for, by column and rank; None
    where the values stand for the decimal numbers that they print as. With `by_matches` a chunk's sum is multiplied by
    the number of used sources that returned it.
    """

    ids: tuple[str, ...]
    sources: tuple[str, ...]
    values: Floats
    ranks: Ranks
    rational: Callable[[int, int], Fraction] | None = None
    by_matches: bool = False

    def exact(self, row: int, column: int) -> Fraction:
        """The value at a row and a column as a rational number."""
        if self.rational is None:
            return as_rational(self.values[row, column])
        return self.rational(column, int(self.ranks[row, column]))


def ranks_of(rankings: Mapping[str, Ranking]) -> tuple[tuple[str, ...], Ranks]:
    """Every id that any ranking has, ascending, and the ranks by id and ranking, 0 where it has none."""
    ids = tuple(sorted(set().union(*(ranking.ids for ranking in rankings.values()))))
    row_of = dict(zip(ids, range(len(ids)), strict=True))
    ranks = np.zeros((len(ids), len(rankings)), dtype=np.int64)
    for column, ranking in enumerate(rankings.values()):
        rows = np.fromiter(map(row_of.__getitem__, ranking.ids), dtype=np.intp, count=len(ranking))
        ranks[rows, column] = np.arange(1, len(ranking) + 1)
    return ids, ranks


def weigh(units: Units, weights: Mapping[str, float]) -> Ranking:
    """The ranking `fused`: for each chunk the sum over sources of weight times value, with each source's part.

    A source of weight 0 adds nothing and brings no chunk of its own, but keeps its column of zeros. Weights are never
    renormalised. Scores that are equal as rational numbers are made equal, so that ties go by id and not by rounding;
    weights count as the decimal numbers that they print as. Weights ≥ 0 are the caller's to check (`Setup` does).
    """
    weight = np.array([weights[source] for source in units.sources], dtype=np.float64)
    rows = brought_rows(units, weight)
    factors = (units.ranks[rows][:, weight > 0] > 0).sum(axis=1) if units.by_matches else np.ones(len(rows), np.int64)
    parts = units.values[rows] * weight * factors[:, None]
    exact_sum = _decimal_sum(units, weight) if units.rational is None else _rational_sum(units, weight)
    scores = with_exact_ties(
        parts.sum(axis=1),
        np.abs(parts).sum(axis=1),
        lambda row: float(int(factors[row]) * exact_sum(int(rows[row]))),
    )
    return ordered(units, rows, scores, parts)


def _rational_sum(units: Units, weight: Floats) -> Callable[[int], Fraction]:
    used = [(column, as_rational(each)) for column, each in enumerate(weight.tolist()) if each]
    return lambda row: sum((each * units.exact(row, column) for column, each in used), Fraction(0))


def _decimal_sum(units: Units, weight: Floats) -> Callable[[int], Fraction]:
    """As `_rational_sum` for values that are decimal numbers, several times as fast."""
    used = [(column, _EXACT.create_decimal(repr(each))) for column, each in enumerate(weight.tolist()) if each]

    def exact_sum(row: int) -> Fraction:
        total = Decimal(0)
        for column, each in used:
            total = _EXACT.fma(each, _EXACT.create_decimal(repr(float(units.values[row, column]))), total)
        return Fraction(total)

    return exact_sum


def as_rational(number: float) -> Fraction:
    """The decimal number that a float prints as."""
    return Fraction(repr(float(number)))


def brought_rows(units: Units, weight: Floats) -> Rows:
    """The rows of the chunks that a source of a weight above 0 returned, ascending."""
    return np.flatnonzero((units.ranks[:, weight > 0] > 0).any(axis=1))


def ordered(units: Units, rows: Rows, scores: Floats, parts: Floats) -> Ranking:
    """The ranking `fused` of the chunks of those rows, which ascend, with their scores and each source's part."""
    order = np.argsort(-scores, kind="stable")  # rows ascend by id, and so do ties
    ids = tuple(units.ids[row] for row in rows[order].tolist())
    columns = {source: parts[order, column] for column, source in enumerate(units.sources)}
    return Ranking("fused", ids, scores[order], columns)


def with_exact_ties(scores: Floats, sizes: Floats, exact_score: Callable[[int], float]) -> Floats:
    """The scores, with each run of nearly equal ones replaced by the correctly rounded rational numbers.

    Near is judged by `sizes`: what the parts of each score add up to without their signs, since parts that cancel leave
    a rounding error of their own size. `exact_score` gives the rational number of a row, correctly rounded.
    """
    order = np.argsort(-scores, kind="stable")
    falling, size = scores[order], sizes[order]
    gaps = falling[:-1] - falling[1:]
    near = gaps <= _NEAR * np.maximum(size[:-1], size[1:])
    run_of = np.concatenate(([0], np.cumsum(~near)))
    doubtful = run_of[:-1][near & (gaps > 0)]
    exact = scores.copy()
    for row in order[np.isin(run_of[: len(order)], doubtful)].tolist():
        exact[row] = exact_score(row)
    return exact
