"""Reciprocal rank fusion, exact in its ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from engine.types import Floats, Ranking

_NEAR = 1e-12
"""Relative distance below which two scores may be one rational number that floating point rounded twice."""


def fuse_rrf(rankings: Mapping[str, Ranking], weights: Mapping[str, float], k: float) -> Ranking:
    """The ranking `fused`: for each chunk the sum over sources of weight / (k + rank), with each source's part.

    Ranks are 1-based; scores lie in (0, sum of weights / (k + 1)]. A source that did not return a chunk adds nothing
    for it. A source of weight 0 adds nothing and brings no chunk of its own, but keeps its column of zeros. Weights are
    never renormalised. Scores that are equal as rational numbers are made equal, so that ties go by id and not by
    rounding; weights and k count as the decimal numbers that they print as. k > 0 and weights ≥ 0 are the caller's to
    check (`Setup` does). Cormack, Clarke and Büttcher, SIGIR 2009; there all weights are 1 and k is 60.
    """
    ids = tuple(dict.fromkeys(i for name, ranking in rankings.items() if weights[name] > 0 for i in ranking.ids))
    row_of = {chunk_id: row for row, chunk_id in enumerate(ids)}
    parts = {name: _part(ranking, weights[name], k, row_of) for name, ranking in rankings.items()}
    scores = np.sum(list(parts.values()), axis=0) if parts else np.zeros(0)
    used = [(rankings[name], weight) for name, weight in weights.items() if weight > 0 and name in rankings]
    exact = _with_exact_ties(ids, scores, used, k) if ids else scores
    return Ranking.of("fused", ids, exact, parts)


def exact_score(chunk_id: str, used: Sequence[tuple[Ranking, float]], k: float) -> Fraction:
    """The fused score of a chunk as a rational number, over (ranking, weight) pairs."""
    return sum(
        (
            Fraction(repr(weight)) / (Fraction(repr(k)) + rank)
            for ranking, weight in used
            if (rank := ranking.rank(chunk_id)) is not None
        ),
        Fraction(0),
    )


def _part(ranking: Ranking, weight: float, k: float, row_of: Mapping[str, int]) -> Floats:
    part = np.zeros(len(row_of))
    if weight > 0:
        rows = np.fromiter((row_of[chunk_id] for chunk_id in ranking.ids), dtype=np.intp, count=len(ranking))
        part[rows] = weight / (k + np.arange(1, len(ranking) + 1))
    return part


def _with_exact_ties(ids: Sequence[str], scores: Floats, used: Sequence[tuple[Ranking, float]], k: float) -> Floats:
    """The scores, with each run of nearly equal ones replaced by the correctly rounded rational numbers."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    gaps = falling[:-1] - falling[1:]
    near = gaps <= _NEAR * falling[:-1]
    run_of = np.concatenate(([0], np.cumsum(~near)))
    doubtful = run_of[:-1][near & (gaps > 0)]
    exact = scores.copy()
    for row in order[np.isin(run_of, doubtful)]:
        exact[row] = float(exact_score(ids[row], used, k))
    return exact
