"""The compiled loops that score. Importing this module imports numba, so it is imported where a loop is first needed.

Posting lists lie one after the other in `rows` (uint32, ascending within a list) and `codes`. A code stands for a pair
of term frequency and chunk length, so `gains[code]` is the term-frequency part of the score, worked out once per k1
and b. A query term is a row of `spans` (int64: start and end of its exact, then of its folded postings; -1 where there
is no second form) and of `values` (float64: weight and shift of the exact, then of the folded form, then a floor). Its
contribution to a chunk is the largest of the floor and of `weight * gain + shift` of each form that occurs there; with
one form, first in both, it is `weight * gain`.

A sum starts at -0.0, which no sum of contributions can be (+0.0 is), so it also tells whether a chunk matched, even at
a score of exactly 0. Each chunk adds its contributions in the order of the query terms, whatever the postings look
like: equal texts get equal bits. Arguments are flat arrays because numba takes longer to unpack a tuple of them than
to score a short list. All loops that call each other stand in this file, because numba looks for changes in no other
when it takes a loop from its cache.
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
BLOCK = 64  # sums compared at a time with the lowest score kept
FIRST: Any = np.int64(0)  # a plain 0 would be a type of its own, and every loop called with it compiled twice
UNTOUCHED = np.int64(-(2**63))  # the bits of -0.0


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
        sums[min(exact_row, folded_row) - first] += best + 0.0  # never -0.0, which would read as no match


@compiled
def _add_term(
    rows: Integers, codes: Integers, gains: Floats, span: Integers, values: Floats, low: int, sums: Floats
) -> int:
    """Add a term's contributions to the rows from `low` and move its span past them; how many postings there were."""
    exact, folded = span[0], span[2]
    exact_end = _end_before(rows, exact, span[1], low + len(sums))
    span[0] = exact_end
    if folded < 0:
        _add_one(rows[exact:exact_end], codes[exact:exact_end], gains, values[0], low, sums)
        return int(exact_end - exact)
    folded_end = _end_before(rows, folded, span[3], low + len(sums))
    span[2] = folded_end
    _add_larger(rows, codes, gains, (exact, exact_end, folded, folded_end), values, low, sums)
    return int(exact_end - exact + folded_end - folded)


@compiled
def sum_all(rows: Integers, codes: Integers, gains: Floats, spans: Integers, values: Floats, count: int) -> Floats:
    """The sum of contributions of each of `count` rows; -0.0 where nothing matches."""
    sums = np.full(count, -0.0)
    todo = spans.copy()
    for term in range(len(todo)):
        _add_term(rows, codes, gains, todo[term], values[term], FIRST, sums)
    return sums


@compiled
def _split(scores: Floats, rows: Integers, order: Integers, low: int, high: int) -> int:
    """Quicksort's step: what comes before the pivot in the order (-score, order) goes in front; the pivot's place."""
    middle = (low + high) >> 1
    score, row = scores[middle], rows[middle]
    scores[middle], rows[middle] = scores[low], rows[low]
    last = low
    for place in range(low + 1, high):
        other, other_row = scores[place], rows[place]
        if other > score or (other == score and order[other_row] < order[row]):
            last += 1
            scores[place], rows[place] = scores[last], rows[last]
            scores[last], rows[last] = other, other_row
    scores[low], rows[low] = scores[last], rows[last]
    scores[last], rows[last] = score, row
    return last


@compiled
def _select(scores: Floats, rows: Integers, order: Integers, count: int, size: int) -> float:
    """Put the `size` best of the first `count` in front, in any order; the lowest score of them."""
    low, high = FIRST, count
    while high - low > 1:
        middle = _split(scores, rows, order, low, high)
        if middle < size:
            low = middle + 1
        else:
            high = middle
    return float(scores[:size].min())


@compiled
def _sort(scores: Floats, rows: Integers, order: Integers) -> None:
    """Put everything in the order (-score, order): quicksort, the larger side of each step kept for later."""
    lows, highs = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int64)
    lows[0], highs[0] = 0, len(scores)
    depth = 1
    while depth:
        depth -= 1
        low, high = lows[depth], highs[depth]
        while high - low > 1:
            middle = _split(scores, rows, order, low, high)
            if middle - low > high - middle:
                lows[depth], highs[depth] = low, middle
                low = middle + 1
            else:
                lows[depth], highs[depth] = middle + 1, high
                high = middle
            depth += 1


@compiled
def _keep_blocks(
    sums: Floats,
    base: float,
    low: int,
    allowed: Mask,
    order: Integers,
    scores: Floats,
    kept: Integers,
    state: tuple[int, int, float],
) -> tuple[int, int, float]:
    """Add what reaches the lowest score kept to `scores` and `kept`, of the rows from `low`; clear the sums.

    `state` has the number wanted, the number kept and the lowest score that still counts. `scores` and `kept` have room
    for twice the number wanted and two blocks, and always for one block more than is kept.
    """
    size, count, lowest = state
    bits = sums.view(np.int64)
    for start in range(0, len(sums), BLOCK):
        block, block_bits = sums[start : start + BLOCK], bits[start : start + BLOCK]
        reached = 0
        for place in range(len(block)):
            reached += (block[place] + base >= lowest) & (block_bits[place] != UNTOUCHED)
        if reached == 0:
            continue
        for place in range(len(block)):
            row = low + start + place
            if block[place] + base >= lowest and block_bits[place] != UNTOUCHED and (len(allowed) == 0 or allowed[row]):
                scores[count], kept[count] = block[place] + base, row
                count += 1
        if count + BLOCK > len(scores):
            lowest = _select(scores, kept, order, count, size)
            count = size
    sums[:] = -0.0
    return size, count, lowest


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

    `order` has one value per row; `allowed` too, or none where every row is allowed. Rows are scored window by window;
    what reaches the lowest score kept is added, and when twice as much is kept as wanted, the better half stays.
    """
    size = min(most, len(order))
    scores = np.empty(2 * size + 2 * BLOCK)
    kept = np.empty(len(scores), dtype=np.int64)
    todo = spans.copy()
    window = np.full(min(WINDOW, len(order)), -0.0)
    state = (size, FIRST, -np.inf)
    for low in range(0, len(order) if size else 0, WINDOW):
        sums = window[: len(order) - low]
        postings = 0
        for term in range(len(todo)):
            postings += _add_term(rows, codes, gains, todo[term], values[term], low, sums)
        if postings:
            state = _keep_blocks(sums, base, low, allowed, order, scores, kept, state)
    if state[1] > size:
        _select(scores, kept, order, state[1], size)
    found = min(state[1], size)
    _sort(scores[:found], kept[:found], order)
    return kept[:found], scores[:found]
