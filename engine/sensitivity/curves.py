"""Scores of chunks as functions of one knob, and their exact order at one of its values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.sensitivity.roots import Number
from engine.types import Floats, Mask

Rows = NDArray[np.intp]

NEAR = 1e-12
"""Relative distance within which floating point decides nothing: its error is thousands of times smaller."""


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
        """Lower and upper bounds in each cell, shape (cells, rows), on a scale that may differ from cell to cell."""

    def may_meet(self, edges: Floats, rows: Rows) -> Mask:
        """Whether two of a cell's `rows` (cells, m) can be equal in it, shape (cells, m, m); never wrongly False."""

    def meetings(self, one: int, other: int) -> tuple[tuple[Number, bool], ...]:
        """Where two rows are equal, in the closed range, and whether they change sides; none where they always are."""

    def scores(self, points: Floats, rows: Rows) -> Floats:
        """The scores up to a positive factor per point, shape (points, rows)."""

    def score(self, row: int, point: Fraction) -> Fraction:
        """The score, exactly, up to a positive factor per point."""


def first_at(curves: Curves, rows: Rows, point: Fraction, n: int) -> tuple[int, ...]:
    """The first n rows at a rational point, in order: by floating point, and by exact scores where it is too near."""
    first: list[int] = []
    for run in nearly_equal_runs(curves, rows, point):
        if len(first) >= n:
            break
        first += sorted(run, key=lambda row: (-curves.score(row, point), row)) if len(run) > 1 else run
    return tuple(first[:n])


def nearly_equal_runs(curves: Curves, rows: Rows, point: Fraction) -> Iterator[list[int]]:
    """The rows from the highest score down, in runs: between runs floating point decides, inside one it does not."""
    scores = curves.scores(np.array([float(point)]), rows)[0]
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    apart = falling[:-1] - falling[1:] > NEAR * np.abs(scores).max(initial=0.0)
    start = 0
    for end in (*(np.flatnonzero(apart) + 1).tolist(), len(order)):
        yield rows[order[start:end]].tolist()
        start = end
