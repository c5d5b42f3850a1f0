"""Chunks whose fused scores are equal as rational numbers, and the rule that orders them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from engine.fusion.units import Units
from engine.sensitivity.curves import nearly_equal_runs
from engine.sensitivity.present import present_of

RULE = "Equal scores go by id, ascending."


@dataclass(frozen=True, slots=True)
class Tie:
    """Neighbours in the fused list with exactly the same score. `place` is that of the first; `rule` orders them."""

    ids: tuple[str, ...]
    place: int
    score: Fraction
    rule: str = RULE


def exact_ties(units: Units, weights: Mapping[str, float], n: int) -> tuple[Tie, ...]:
    """The ties that touch the first `n` places at these weights, from the top; each has all its chunks.

    Proof sketch: scores that floating point holds to be far apart are different, since its error is thousands of times
    smaller than what counts as far; all others are compared as rational numbers.
    """
    present = present_of(units, weights)
    ties: list[Tie] = []
    place = 1
    for run in nearly_equal_runs(present.scores, present.rows):
        if place > n:
            break
        scored = sorted(((present.score(row), row) for row in run), key=lambda pair: (-pair[0], pair[1]))
        for score, tied in groupby(scored, key=lambda pair: pair[0]):
            ids = tuple(units.ids[row] for _, row in tied)
            if len(ids) > 1 and place <= n:
                ties.append(Tie(ids, place, score))
            place += len(ids)
    return tuple(ties)
