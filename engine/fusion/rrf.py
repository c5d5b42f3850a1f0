"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from engine.fusion.units import Units, ranks_of, weigh
from engine.types import Ranking


def rrf_units(rankings: Mapping[str, Ranking], k: float) -> Units:
    """1 / (k + rank) for each source that returned a chunk, 0 for the others; k > 0 is the caller's to check."""
    ids, ranks = ranks_of(rankings)
    values = np.where(ranks > 0, 1.0 / (k + ranks), 0.0)
    constant = Fraction(repr(float(k)))
    return Units(ids, tuple(rankings), values, ranks, lambda _, rank: 1 / (constant + rank) if rank else Fraction(0))


def fuse_rrf(rankings: Mapping[str, Ranking], weights: Mapping[str, float], k: float) -> Ranking:
    """The ranking `fused`: for each chunk the sum over sources of weight / (k + rank), with each source's part.

    Ranks are 1-based; scores lie in (0, sum of weights / (k + 1)]. A source that did not return a chunk adds nothing
    for it. Cormack, Clarke and Büttcher, SIGIR 2009; there all weights are 1 and k is 60. Weights as in `weigh`.
    """
    return weigh(rrf_units(rankings, k), weights)
