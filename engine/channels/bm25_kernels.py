"""The compiled loops that score. Importing this module imports numba, so it is imported where a loop is first needed.

Posting lists lie one after the other in `rows` (uint32, ascending within a list) and `codes`. A code stands for a pair
of term frequency and chunk length, so `gains[code]` is the term-frequency part of the score, worked out once per k1
and b. A query term is a row of `spans` (int64: start and end of its exact, then of its folded postings; an empty span
is a form that is not searched) and of `values` (float64: weight and shift of the exact, then of the folded form, then
a floor). Its contribution to a chunk is the largest of the floor and of `weight * gain + shift` of each form that
occurs there. With one form alone, shift and floor are not read.

A sum starts at -0.0, which no sum of contributions can be (+0.0 is), so it also tells whether a chunk matched, even at
a score of exactly 0. Each chunk adds its contributions in the order of the query terms, whatever the postings look
like: equal texts get equal bits. Arguments are flat arrays because numba takes longer to unpack a tuple of them than
to score a short list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.types import Floats, Mask

Integers = NDArray[Any]
Span = tuple[int, int, int, int]
Loop = TypeVar("Loop", bound=Callable[..., Any])

WINDOW = 8192  # rows scored at a time: their sums, 64 KiB, stay in the processor's cache
BATCH = 16  # sums compared at a time with the lowest score kept


def compiled(loop: Loop) -> Loop:
    """The loop in machine code, kept on disk; where no folder can be written, compiled anew in each process."""
    try:
        return njit(loop, cache=True, nogil=True)  # type: ignore[no-any-return]
    except RuntimeError:
        return njit(loop, nogil=True)  # type: ignore[no-any-return]


@compiled
def _end_before(rows: Integers, start: int, end: int, row: int) -> int:
    """Where the postings of rows below `row` end, between `start` and `end`."""
    while start < end:
        middle = (start + end) >> 1
        if rows[middle] < row:
            start = middle + 1
        else:
            end = middle
    return start


@compiled
def _add_one(rows: Integers, codes: Integers, gains: Floats, weight: float, low: int, sums: Floats) -> None:
    """Add the contributions of postings in one form; `low` is the row of the first sum."""
    first = np.uint32(low)
    for place in range(len(rows)):
        sums[rows[place] - first] += weight * gains[codes[place]]


@compiled
def _add_larger(
    rows: Integers,
    codes: Integers,
    gains: Floats,
    span: Span,
    values: Floats,
    low: int,
    sums: Floats,
) -> None:
    """Add the contributions of postings in two forms, for each row the larger one that is not below the floor."""
    exact, exact_end, folded, folded_end = span
    first = np.uint32(low)
    last = np.uint32(low + len(sums))
    while exact < exact_end or folded < folded_end:
        exact_row = rows[exact] if exact < exact_end else last
        folded_row = rows[folded] if folded < folded_end else last
        best = values[4]
        if exact_row <= folded_row:
            best = max(best, values[0] * gains[codes[exact]] + values[1])
            exact += 1
        if folded_row <= exact_row:
            best = max(best, values[2] * gains[codes[folded]] + values[3])
            folded += 1
        sums[min(exact_row, folded_row) - first] += best + 0.0


@compiled
def _add_terms(
    rows: Integers, codes: Integers, gains: Floats, spans: Integers, values: Floats, low: int, sums: Floats
) -> bool:
    """Add every term's contributions to the rows from `low`; move `spans` past them. Whether there were any."""
    added = False
    for term in range(len(spans)):
        exact, folded = spans[term, 0], spans[term, 2]
        exact_end = _end_before(rows, exact, spans[term, 1], low + len(sums))
        folded_end = _end_before(rows, folded, spans[term, 3], low + len(sums))
        if folded < 0:
            _add_one(rows[exact:exact_end], codes[exact:exact_end], gains, values[term, 0], low, sums)
        else:
            span = (exact, exact_end, folded, folded_end)
            _add_larger(rows, codes, gains, span, values[term], low, sums)
        added = added or exact < exact_end or folded < folded_end
        spans[term, 0] = exact_end
        spans[term, 2] = folded_end
    return added


@compiled
def sum_all(rows: Integers, codes: Integers, gains: Floats, spans: Integers, values: Floats, count: int) -> Floats:
    """The sum of contributions of each of `count` rows; -0.0 where nothing matches."""
    sums = np.full(count, -0.0)
    _add_terms(rows, codes, gains, spans.copy(), values, 0, sums)
    return sums


@compiled
def _comes_after(score: float, tie: int, other_score: float, other_tie: int) -> bool:
    """Whether (score, tie) stands after the other in the order (-score, tie)."""
    return score < other_score or (score == other_score and tie > other_tie)


@compiled
def _sink(scores: Floats, ties: Integers, rows: Integers, size: int) -> None:
    """Move the root of a heap to its place; the root of a heap comes after all the others in the order."""
    score, tie, row = scores[0], ties[0], rows[0]
    place, child = 0, 1
    while child < size:
        other = child + 1
        if other < size and _comes_after(scores[other], ties[other], scores[child], ties[child]):
            child = other
        if _comes_after(score, tie, scores[child], ties[child]):
            break
        scores[place], ties[place], rows[place] = scores[child], ties[child], rows[child]
        place, child = child, 2 * child + 1
    scores[place], ties[place], rows[place] = score, tie, row


@compiled
def _drain(scores: Floats, ties: Integers, rows: Integers) -> None:
    """Put a heap in its order, the first in front."""
    for last in range(len(scores) - 1, 0, -1):
        scores[0], scores[last] = scores[last], scores[0]
        ties[0], ties[last] = ties[last], ties[0]
        rows[0], rows[last] = rows[last], rows[0]
        _sink(scores, ties, rows, last)


@compiled
def _keep_best(
    sums: Floats, base: float, low: int, allowed: Mask, order: Integers, scores: Floats, ties: Integers, kept: Integers
) -> None:
    """Let the matching, allowed rows from `low` into the heap of the best so far."""
    bits = sums.view(np.int64)
    untouched = np.int64(-(2**63))
    for start in range(0, len(sums), BATCH):
        stop = min(start + BATCH, len(sums))
        reached = False
        for place in range(start, stop):
            reached |= (sums[place] + base >= scores[0]) & (bits[place] != untouched)
        if not reached:
            continue
        for place in range(start, stop):
            row, score = low + place, sums[place] + base
            if bits[place] == untouched or (len(allowed) and not allowed[row]):
                continue
            if _comes_after(scores[0], ties[0], score, order[row]):
                scores[0], ties[0], kept[0] = score, order[row], row
                _sink(scores, ties, kept, len(scores))


@compiled
def best_rows(
    rows: Integers,
    codes: Integers,
    gains: Floats,
    spans: Integers,
    values: Floats,
    base: float,
    allowed: Mask,
    order: Integers,
    most: int,
) -> tuple[Integers, Floats]:
    """The `most` best matching rows with their scores, `base` included, in the order (-score, `order` of the row).

    `order` has one value per row; `allowed` too, or none where every row is allowed.
    """
    size = min(most, len(order))
    scores = np.full(size, -np.inf)
    ties = np.full(size, np.int64(2**63 - 1))
    kept = np.full(size, np.int64(-1))
    todo = spans.copy()
    window = np.empty(min(WINDOW, len(order)))
    for low in range(0, len(order) if size else 0, WINDOW):
        sums = window[: len(order) - low]
        sums[:] = -0.0
        if _add_terms(rows, codes, gains, todo, values, low, sums):
            _keep_best(sums, base, low, allowed, order, scores, ties, kept)
    _drain(scores, ties, kept)
    found = np.count_nonzero(kept >= 0)
    return kept[:found], scores[:found]
