"""Borda count."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.fusion.units import Units, ranks_of
from engine.types import Ranking


def borda_units(rankings: Mapping[str, Ranking]) -> Units:
    """Points: of c candidates a source gives its first c, its second c - 1, and so on.

    The candidates are all chunks that any source returned, whatever its weight, so that a weight moved to 0 is the end
    of a scale and no jump. Those that a source did not return share its remaining points evenly: with n chunks
    returned, each gets (c - n + 1) / 2. Aslam and Montague, Models for Metasearch, SIGIR 2001.
    """
    ids, ranks = ranks_of(rankings)
    candidates = len(ids)
    sizes = np.array([len(ranking) for ranking in rankings.values()], dtype=np.float64)
    shared = (candidates + 1 - sizes) / 2
    values = np.where(ranks > 0, candidates + 1.0 - ranks, shared)
    return Units(ids, tuple(rankings), values, ranks)
