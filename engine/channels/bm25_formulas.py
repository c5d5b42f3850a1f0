"""The formulas of BM25: what a term is worth in a corpus (idf), and what its occurrences in a chunk add to that.

score(chunk) = sum over the query's terms of idf x (delta + tf x (k1 + 1) / (tf + k1 x length factor)),
length factor = 1 - b + b x length / average length.

`okapi` and `plus` are rank-bm25's BM25Okapi and BM25Plus, digit for digit: Trotman, Puurula and Burgess, "Improvements
to BM25 and Language Models Examined", ADCS 2014. `lucene` has the idf of Apache Lucene and the constant factor k1 + 1
that Elasticsearch keeps, over exact chunk lengths (Lucene itself rounds them to one byte).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.types import Floats, Variant

OKAPI_EPSILON = 0.25
PLUS_DELTA = 1.0


@dataclass(frozen=True, slots=True)
class Idf:
    """The weight of a term. `floored` says that okapi replaced a negative value by a quarter of the average idf."""

    value: float
    floored: bool = False


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an idf depends on: the searchable chunks, and the average raw okapi idf of the vocabulary."""

    chunks: int
    average_okapi_idf: float


@dataclass(frozen=True, slots=True)
class Formula:
    """A variant: the idf of a term in `n` of the chunks, and what a chunk without the term gets, in units of idf."""

    idf: Callable[[int, Statistics], Idf]
    delta: float


def raw_okapi_idf(chunks: int, n: int) -> float:
    """ln((N - n + 0.5) / (n + 0.5)): 0 in half of the chunks, negative in more."""
    return math.log(chunks - n + 0.5) - math.log(n + 0.5)


def average_okapi_idf(chunks: int, document_frequencies: NDArray[Any]) -> float:
    """The mean of the raw okapi idf over a vocabulary, 0 for an empty one; the same in whatever order it is given."""
    if not len(document_frequencies):
        return 0.0
    counts = enumerate(np.bincount(document_frequencies).tolist())
    parts = (count * raw_okapi_idf(chunks, n) for n, count in counts if count)
    return math.fsum(parts) / len(document_frequencies)


def _okapi(n: int, statistics: Statistics) -> Idf:
    raw = raw_okapi_idf(statistics.chunks, n)
    return Idf(OKAPI_EPSILON * statistics.average_okapi_idf, floored=True) if raw < 0 else Idf(raw)


def _plus(n: int, statistics: Statistics) -> Idf:
    return Idf(math.log((statistics.chunks + 1) / n))


def _lucene(n: int, statistics: Statistics) -> Idf:
    return Idf(math.log(1 + (statistics.chunks - n + 0.5) / (n + 0.5)))


FORMULAS: Mapping[Variant, Formula] = MappingProxyType(
    {"okapi": Formula(_okapi, 0.0), "plus": Formula(_plus, PLUS_DELTA), "lucene": Formula(_lucene, 0.0)}
)


def length_factors(lengths: NDArray[Any] | int, average_length: float, b: float) -> Floats:
    """1 - b + b x length / average length; 1 - b where every length is 0."""
    return 1 - b + b * np.asarray(lengths) / (average_length or 1.0)


def gains(frequencies: NDArray[Any] | int, factors: Floats | float, k1: float) -> Floats:
    """What frequencies of 1 and more add, in units of idf: tf x (k1 + 1) / (tf + k1 x length factor)."""
    tf = np.asarray(frequencies)
    return tf * (k1 + 1) / (tf + k1 * factors)
