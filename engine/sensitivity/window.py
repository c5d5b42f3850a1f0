"""The window certificate of reciprocal rank fusion: whether a deeper search could still change the first n."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor

import numpy as np

from engine.fusion.rrf import rrf_units
from engine.sensitivity.curves import NEAR
from engine.sensitivity.present import first_rows
from engine.sensitivity.values import exact
from engine.types import Ranking


@dataclass(frozen=True, slots=True)
class Entrant:
    """A chunk that a deeper search could lift into the first n; `chunk_id` is None for one that no list has yet.

    `most` is the highest score that it could get. `within` has, for each source that has not returned it but may, the
    deepest rank there that would be enough, were its ranks in the others the best that are left; None for any rank.
    """

    chunk_id: str | None
    most: Fraction
    within: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a deeper search could do to the first n. Both are proofs where they are True.

    `members_final`: they stay the same chunks. `order_final`: in the same order, too. `entrants` could still come in,
    the likeliest first.
    """

    members_final: bool
    order_final: bool
    entrants: tuple[Entrant, ...]


def window_certificate(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    k: float,
    n: int,
    depths: Mapping[str, int],
    *,
    corpus_size: int | None = None,
) -> Certificate:
    """The certificate for the first `n` of lists that were searched to `depths`.

    A list that is shorter than its depth, or that has all of `corpus_size` chunks, is complete. Proof sketch: a deeper
    search keeps the lists as they are and appends to them, so no score falls, and a chunk that a list of length L does
    not have gains weight / (k + L + 1) from it at most, and nothing where the list is complete. If with all it can gain
    no other chunk comes before the n-th, none ever will; and else one may: nothing keeps it from those ranks, nor the
    n-th from gaining nothing. The same between neighbours in the list decides the order. A chunk not seen yet may have
    any id, so it wins ties. An approximate search may also change what it has returned; then this is no proof.
    """
    window = _Window(rankings, weights, k, depths, corpus_size)
    first = first_rows(window.units, window.weights, n)
    entrants = [*window.known_entrants(first, n), *window.unseen_entrant(first, n)]
    entrants.sort(key=lambda entrant: (-entrant.most, entrant.chunk_id or ""))
    kept = all(not window.can_pass(lower, upper) for upper, lower in pairwise(first))
    return Certificate(not entrants, kept and not entrants, tuple(entrants))


def smallest_safe_depth(
    rankings: Mapping[str, Ranking],
    weights: Mapping[str, float],
    k: float,
    n: int,
    depths: Mapping[str, int],
    *,
    order: bool = False,
    corpus_size: int | None = None,
) -> int | None:
    """The smallest depth at which the first `n` are certified, with `order` their order too; None within `depths`.

    Proof sketch: whatever may still come after a search to some depth may come after a shallower one, so what is final
    at one depth is final at every greater one, and halving finds the first.
    """

    def is_final(depth: int) -> bool:
        cut = {source: ranking.keep(ranking.ids[:depth]) for source, ranking in rankings.items()}
        reached = {source: min(depth, depths[source]) for source in rankings}
        certificate = window_certificate(cut, weights, k, n, reached, corpus_size=corpus_size)
        return certificate.order_final if order else certificate.members_final

    candidates = range(1, max((depths[source] for source in rankings), default=0) + 1)
    found = bisect_left(candidates, True, key=is_final)
    return candidates[found] if found < len(candidates) else None


class _Window:
    """What each chunk has, and what it can gain from the lists that are not complete."""

    def __init__(
        self,
        rankings: Mapping[str, Ranking],
        weights: Mapping[str, float],
        k: float,
        depths: Mapping[str, int],
        corpus_size: int | None,
    ) -> None:
        used = {source: ranking for source, ranking in rankings.items() if weights[source] > 0}
        self.units = rrf_units(used, k)
        self.weights = {source: weights[source] for source in used}
        self.k = exact(k)
        self.gains = {
            column: exact(weights[source]) / (self.k + len(ranking) + 1)
            for column, (source, ranking) in enumerate(used.items())
            if len(ranking) >= depths[source] and (corpus_size is None or len(ranking) < corpus_size)
        }
        self.all_seen = corpus_size is not None and len(self.units.ids) >= corpus_size

    def score(self, row: int) -> Fraction:
        """The present score."""
        weights = (exact(weight) for weight in self.weights.values())
        return sum((weight * self.units.exact(row, column) for column, weight in enumerate(weights)), Fraction(0))

    def missing(self, row: int) -> list[int]:
        """The columns of the incomplete lists that do not have the chunk."""
        return [column for column in self.gains if not self.units.ranks[row, column]]

    def can_pass(self, row: int, above: int) -> bool:
        """Whether the chunk can get before another one that gains nothing."""
        most = self.score(row) + sum((self.gains[column] for column in self.missing(row)), Fraction(0))
        return (-most, row) < (-self.score(above), above)

    def known_entrants(self, first: tuple[int, ...], n: int) -> Iterator[Entrant]:
        """The chunks of some list that can get before the n-th; floating point leaves out those that are far off."""
        if len(first) < n:
            return
        last = first[-1]
        weights = np.array(list(self.weights.values()))
        gains = np.array([float(self.gains.get(column, 0)) for column in range(len(weights))])
        scores = self.units.values @ weights
        most = scores + (self.units.ranks == 0) @ gains
        near = np.flatnonzero(most >= scores[last] * (1 - NEAR)).tolist()
        for row in near:
            if row not in first and self.can_pass(row, last):
                yield self._entrant(row, self.score(row), self.missing(row), (self.score(last), row < last))

    def unseen_entrant(self, first: tuple[int, ...], n: int) -> Iterator[Entrant]:
        """A chunk that no list has, if it can get among the first n."""
        if not self.gains or self.all_seen:
            return
        bar = self.score(first[-1]) if len(first) >= n else Fraction(0)
        if sum(self.gains.values()) >= bar:
            yield self._entrant(None, Fraction(0), list(self.gains), (bar, True))

    def _entrant(self, row: int | None, score: Fraction, missing: list[int], bar: tuple[Fraction, bool]) -> Entrant:
        most = score + sum((self.gains[column] for column in missing), Fraction(0))
        names = list(self.weights)
        within = {
            names[column]: self._deepest(column, bar[0] - (most - self.gains[column]), wins_ties=bar[1])
            for column in missing
        }
        return Entrant(None if row is None else self.units.ids[row], most, within)

    def _deepest(self, column: int, lacking: Fraction, *, wins_ties: bool) -> int | None:
        """The deepest rank at which a source gives what is lacking, or more where a tie is lost; None for any rank."""
        if lacking <= 0:
            return None
        deepest = exact(list(self.weights.values())[column]) / lacking - self.k
        return floor(deepest) if wins_ties or deepest.denominator > 1 else int(deepest) - 1
