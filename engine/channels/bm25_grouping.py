"""The compiled loops that turn tokens, chunk after chunk, into posting lists. Importing this module imports numba.

A token is the number of a pair (exact form, folded form). Each pair belongs to one exact posting list and, unless its
folded list is the same as an exact one, to a folded list of its own (-1 where it is the same). Arguments are flat
arrays, as in `bm25_kernels`.
"""

from __future__ import annotations

import numpy as np

from engine.channels.bm25_kernels import Integers, compiled


@compiled
def _count(pairs: Integers, exact_of: Integers, folded_of: Integers, counts: Integers, seen: Integers) -> int:
    """Count the occurrences of each list in one chunk; `seen` gets the lists, the number of them is returned."""
    found = 0
    for pair in pairs:
        for posting_list in (exact_of[pair], folded_of[pair]):
            if posting_list < 0:
                continue
            if counts[posting_list] == 0:
                seen[found] = posting_list
                found += 1
            counts[posting_list] += 1
    return found


@compiled
def measure_lists(
    pairs: Integers, ends: Integers, exact_of: Integers, folded_of: Integers, sizes: Integers, highest: Integers
) -> None:
    """Fill `sizes` with the chunks of each list, and `highest` with the highest frequency in chunks of each length."""
    counts = np.zeros(len(sizes), dtype=np.int32)
    seen = np.empty(2 * len(highest), dtype=np.int32)
    start = 0
    for end in ends:
        found = _count(pairs[start:end], exact_of, folded_of, counts, seen)
        for place in range(found):
            posting_list = seen[place]
            sizes[posting_list] += 1
            highest[end - start] = max(highest[end - start], counts[posting_list])
            counts[posting_list] = 0
        start = end


@compiled
def fill_lists(
    pairs: Integers,
    ends: Integers,
    exact_of: Integers,
    folded_of: Integers,
    cursors: Integers,
    first_code: Integers,
    rows: Integers,
    codes: Integers,
) -> None:
    """Fill `rows` and `codes`, list after list; `cursors` holds where each list begins, and is moved to its end.

    A code is `first_code[length of the chunk] + frequency - 1`.
    """
    counts = np.zeros(len(cursors), dtype=np.int32)
    seen = np.empty(2 * len(first_code), dtype=np.int32)
    start = 0
    for row in range(len(ends)):
        end = ends[row]
        found = _count(pairs[start:end], exact_of, folded_of, counts, seen)
        for place in range(found):
            posting_list = seen[place]
            target = cursors[posting_list]
            rows[target] = row
            codes[target] = first_code[end - start] + counts[posting_list] - 1
            cursors[posting_list] = target + 1
            counts[posting_list] = 0
        start = end
