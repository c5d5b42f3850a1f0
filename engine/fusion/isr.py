"""Inverse square rank."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from engine.fusion.units import Units, ranks_of
from engine.types import Ranking


def isr_units(rankings: Mapping[str, Ranking]) -> Units:
    """1 / rank² for each source that returned a chunk, multiplied by how many of the used sources returned it.

    Ranks are 1-based; a source that did not return a chunk adds nothing. Mourão, Martins and Magalhães, Computerized
    Medical Imaging and Graphics 39, 2015; there all weights are 1.
    """
    ids, ranks = ranks_of(rankings)
    values = np.where(ranks > 0, 1.0 / np.maximum(ranks, 1) ** 2, 0.0)
    return Units(ids, tuple(rankings), values, ranks, _exact, by_matches=True)


def _exact(_: int, rank: int) -> Fraction:
    return Fraction(1, rank * rank) if rank else Fraction(0)
