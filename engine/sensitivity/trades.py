"""The exact weights and the exact k at which two chunks trade places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.errors import UnknownName
from engine.fusion.units import Units
from engine.sensitivity.k_curves import k_curves_of
from engine.sensitivity.lines import lines_of
from engine.sensitivity.roots import Number
from engine.sensitivity.values import exact
from engine.types import Ranking

Verdict = Literal["trades", "never", "tied"]


@dataclass(frozen=True, slots=True)
class Trades:
    """Where two chunks trade places along a knob: `values`, ascending, each rational or a root in a narrow bracket.

    At `touches` they are equal without changing sides, which is no trade. With `always_tied` they are equal at every
    value of the knob, and the ids order them.
    """

    values: tuple[Number, ...]
    touches: tuple[Number, ...] = ()
    always_tied: bool = False

    @property
    def verdict(self) -> Verdict:
        """`trades`, `never`, or `tied` at every value."""
        return "tied" if self.always_tied else "trades" if self.values else "never"


def weight_trade(
    units: Units,
    weights: Mapping[str, float],
    source: str,
    a: str,
    b: str,
    *,
    low: float | Fraction = 0,
    high: float | Fraction = 10,
) -> Trades:
    """The weight of `source` at which chunks `a` and `b` trade places, the other weights fixed; one at most.

    Proof sketch: above 0 both scores are linear in the weight, so their difference is 0 once, never or always. At 0,
    where the range ends, there is no other side to change to. `UnknownName` for a chunk that no used source returned.
    """
    lines = lines_of(units, weights, source, len(units.ids), exact(low), exact(high))
    brought = {units.ids[row] for row in lines.rows.tolist()}
    one, other = (_row(units.ids, chunk_id, brought) for chunk_id in (a, b))
    if lines.line(one) == lines.line(other):
        return Trades((), always_tied=True)
    return Trades(tuple(value for value, _ in lines.meetings(one, other)))


def k_trades(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    a: str,
    b: str,
    low: float | Fraction = 1,
    high: float | Fraction = 1000,
) -> Trades:
    """The k at which chunks `a` and `b` trade places in reciprocal rank fusion, `low` and `high` included.

    Proof sketch: the difference of the scores times all its denominators, which are positive for k above 0, is a
    polynomial in k with rational coefficients: of degree 2 at most with two sources, 4 with three. They trade places at
    its roots of odd multiplicity and touch at the others; where it is the zero polynomial, they are equal at every k.
    Roots are isolated exactly (`roots_between`). `UnknownName` for a chunk that no used source returned.
    """
    curves = k_curves_of(rankings, weights, 1, low, high)
    brought = set(curves.ids)
    one, other = (_row(curves.ids, chunk_id, brought) for chunk_id in (a, b))
    if not curves.difference(one, other):
        return Trades((), always_tied=True)
    met = curves.meetings(one, other)
    return Trades(
        tuple(value for value, crossing in met if crossing), tuple(value for value, crossing in met if not crossing)
    )


def _row(ids: Sequence[str], chunk_id: str, brought: set[str]) -> int:
    if chunk_id not in brought:
        raise UnknownName(
            f"No source with a weight above 0 returned the chunk {chunk_id!r}.", "Search deeper, or raise a weight."
        )
    return ids.index(chunk_id)
