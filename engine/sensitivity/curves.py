"""Scores of chunks as functions of one knob, and their exact order at one of its values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.sensitivity.roots import Number
from engine.types import Floats, Mask

Rows = NDArray[np.intp]

NEAR = 1e-12
"""Distance within which floating point decides nothing, on a scale on which the parts of any score, without their
signs, add up to 1 at most: there its errors are thousands of times smaller, also where parts cancel."""


class Curves(Protocol):
    """The scores of chunks as functions of one knob. Rows ascend by id: of equal scores the lower row comes first."""

    @property
    def low(self) -> Fraction:
        """Where the range of the knob starts."""

    @property
    def high(self) -> Fraction:
        """Where it ends."""

    @property
    def rows(self) -> Rows:
        """The rows that can be among the first, ascending; a row that n others always beat may be missing."""

    @property
    def twins(self) -> Rows:
        """One label for every row; equal labels mean the same function."""

    def edges(self, cells: int) -> Floats:
        """Ends of the cells that cover the range, ascending, shape (cells + 1,)."""

    def bounds(self, edges: Floats, rows: Rows) -> tuple[Floats, Floats]:
        """Lower and upper bounds in each cell, shape (cells, rows), on a scale that may differ from cell to cell.

        They are wider than the truth by far more than their rounding errors.
        """

    def may_meet(self, edges: Floats, rows: Rows) -> Mask:
        """Whether two of a cell's `rows` (cells, m) can be equal in it, shape (cells, m, m); never wrongly False."""

    def meetings(self, one: int, other: int) -> tuple[tuple[Number, bool], ...]:
        """Where two rows are equal, in the closed range, and whether they change sides; none where they always are."""

    def scores(self, points: Floats, rows: Rows) -> Floats:
        """The scores on the scale of `NEAR`, which is one factor per point, shape (points, rows)."""

    def score(self, row: int, point: Fraction) -> Fraction:
        """The score, exactly, up to one positive factor per point."""


def first_at(curves: Curves, rows: Rows, point: Fraction, n: int) -> tuple[int, ...]:
    """The first n of the rows at a rational point, in exact order."""
    return first_of(curves.scores(np.array([float(point)]), rows)[0], rows, lambda row: curves.score(row, point), n)


def first_of(scores: Floats, rows: Rows, exact_score: Callable[[int], Fraction], n: int) -> tuple[int, ...]:
    """The first n of the rows by score and row: by floating point, and by exact scores where it is too near to call."""
    first: list[int] = []
    for run in nearly_equal_runs(scores, rows):
        if len(first) >= n:
            break
        first += sorted(run, key=lambda row: (-exact_score(row), row)) if len(run) > 1 else run
    return tuple(first[:n])


def nearly_equal_runs(scores: Floats, rows: Rows) -> Iterator[list[int]]:
    """The rows from the highest score down, in runs: between runs floating point decides, inside one it does not."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    start = 0
    for end in (*(np.flatnonzero(falling[:-1] - falling[1:] > NEAR) + 1).tolist(), len(order)):
        yield rows[order[start:end]].tolist()
        start = end
