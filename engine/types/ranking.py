"""One ordered answer of one source to one query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from engine.types.values import Floats


@dataclass(frozen=True, slots=True)
class Hit:
    """One row of a ranking. `contributions` is empty unless the ranking is a fused one."""

    chunk_id: str
    rank: int
    score: float
    contributions: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a channel puts one chunk among everything it can return, however deep."""

    rank: int
    score: float


def _frozen(values: Floats | Sequence[float]) -> Floats:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """One ordered answer of one source to one query.

    `ids` and `scores` (float64, read-only) are parallel and in the order (-score, id); ranks are 1..n. A fused ranking
    carries in `contributions` one parallel array per source, and they add up to the scores. Everything is checked on
    construction, so nothing downstream re-sorts or re-checks. An empty ranking is a valid answer.
    """

    source: str
    ids: tuple[str, ...]
    scores: Floats
    contributions: Mapping[str, Floats] = field(default_factory=dict)
    _rank_of: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", _frozen(self.scores))
        frozen = {source: _frozen(values) for source, values in self.contributions.items()}
        object.__setattr__(self, "contributions", MappingProxyType(frozen))
        object.__setattr__(self, "_rank_of", {chunk_id: rank for rank, chunk_id in enumerate(self.ids, start=1)})
        self._check()

    @classmethod
    def of(
        cls,
        source: str,
        ids: Sequence[str],
        scores: Floats | Sequence[float],
        contributions: Mapping[str, Floats] | None = None,
    ) -> Ranking:
        """A ranking of `ids` with parallel `scores` and `contributions`, given in any order."""
        values = np.asarray(scores, dtype=np.float64)
        by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.intp)
        order = by_id[np.argsort(-values[by_id], kind="stable")]
        parts = {name: np.asarray(part)[order] for name, part in (contributions or {}).items()}
        return cls(source, tuple(ids[row] for row in order.tolist()), values[order], parts)

    def __len__(self) -> int:
        return len(self.ids)

    def rank(self, chunk_id: str) -> int | None:
        """The 1-based rank of a chunk, or None where this source did not return it."""
        return self._rank_of.get(chunk_id)

    def score(self, chunk_id: str) -> float | None:
        """The score of a chunk, or None where this source did not return it."""
        rank = self.rank(chunk_id)
        return None if rank is None else float(self.scores[rank - 1])

    def hits(self, n: int | None = None) -> tuple[Hit, ...]:
        """The first `n` rows (all where `n` is None), as objects for display."""
        return tuple(self._hit(row) for row in range(len(self.ids) if n is None else min(max(n, 0), len(self.ids))))

    def keep(self, wanted: Iterable[str]) -> Ranking:
        """The ranking of only those chunks, in the same order with new ranks."""
        chosen = set(wanted)
        rows = [row for row, chunk_id in enumerate(self.ids) if chunk_id in chosen]
        parts = {source: part[rows] for source, part in self.contributions.items()}
        return Ranking(self.source, tuple(self.ids[row] for row in rows), self.scores[rows], parts)

    def _hit(self, row: int) -> Hit:
        parts = {source: float(part[row]) for source, part in self.contributions.items()}
        return Hit(self.ids[row], row + 1, float(self.scores[row]), MappingProxyType(parts))

    def _check(self) -> None:
        if self.scores.shape != (len(self.ids),):
            raise ValueError(f"{self.source}: {len(self.ids)} ids but scores of shape {self.scores.shape}")
        if len(self._rank_of) != len(self.ids):
            raise ValueError(f"{self.source}: ids are not unique")
        if not np.isfinite(self.scores).all():
            raise ValueError(f"{self.source}: scores are not finite")
        falls = np.diff(self.scores)
        if (falls > 0).any() or any(self.ids[row] >= self.ids[row + 1] for row in np.flatnonzero(falls == 0).tolist()):
            raise ValueError(f"{self.source}: not in the order (score descending, id ascending)")
        if self.contributions and not np.allclose(sum(self.contributions.values()), self.scores, rtol=1e-9, atol=1e-12):
            raise ValueError(f"{self.source}: contributions do not add up to the scores")
