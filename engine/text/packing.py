"""Words with their lengths packed into windows of a budget, which end where sentences end and overlap."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

SENTENCE: Final = 2
CLAUSE: Final = 1
# A sentence end so early that it leaves three quarters of the budget empty is passed over for a later clause or word.
_EMPTIEST: Final = 4


@dataclass(frozen=True, slots=True)
class Window:
    """Words `start` to `end` (exclusive); those from `new` on were in no window before."""

    start: int
    new: int
    end: int


def pack(lengths: Sequence[int], stops: Sequence[int], budget: int, overlap: int) -> tuple[Window, ...]:
    """Windows that cover all words in order, each of at most `budget` (a word that is longer stands alone).

    `stops[i]` says what ends after word i: `SENTENCE`, `CLAUSE` or 0. Windows are of about equal length, and end after
    a sentence, else a clause, else a word. Each but the first begins with up to `overlap` (less than `budget`) of the
    one before it, from the beginning of a sentence where one lies in that stretch, and never with all that was new
    there; it begins with nothing repeated where only so it can end after a sentence.
    """
    packer = _Packer(tuple(accumulate(lengths, initial=0)), stops, budget, overlap)
    windows: list[Window] = []
    start = new = 0
    while new < len(lengths):
        window = packer.window(start, new)
        windows.append(window)
        start, new = packer.overlap_start(window), window.end
    return tuple(windows)


@dataclass(frozen=True, slots=True)
class _Packer:
    sums: Sequence[int]
    stops: Sequence[int]
    budget: int
    overlap: int

    def window(self, start: int, new: int) -> Window:
        found = [(begin, *self._end(begin, new)) for begin in dict.fromkeys((start, new))]
        begin, end, _ = max(found, key=lambda option: option[2])
        return Window(begin, new, end)

    def overlap_start(self, last: Window) -> int:
        if last.end == len(self.stops):
            return last.end
        room = min(self.overlap, self.budget - self._length(last.end, last.end + 1))
        words = [word for word in range(last.new + 1, last.end) if self._length(word, last.end) <= room]
        return next((word for word in words if self.stops[word - 1] == SENTENCE), (words or [last.end])[0])

    def _end(self, start: int, new: int) -> tuple[int, int]:
        """Where a window from `start` ends at best, and what ends there."""
        last = len(self.stops)
        furthest = max(bisect_right(self.sums, self.sums[start] + self.budget) - 1, new + 1)
        if furthest >= last:
            return last, SENTENCE
        aim = self._aim(start)
        for kind in (SENTENCE, CLAUSE):
            ends = [end for end in range(new + 1, furthest + 1) if self.stops[end - 1] >= kind]
            ends = [end for end in ends if self._length(start, end) * _EMPTIEST >= self.budget]
            if ends:
                return next((end for end in ends if self._length(start, end) >= aim), ends[-1]), kind
        return furthest, 0

    def _aim(self, start: int) -> int:
        # n windows of length L hold n·L − (n − 1)·overlap; the fewest n that fit say how long this one is
        beyond = self.sums[-1] - self.sums[start] - self.overlap
        return self.overlap + math.ceil(beyond / math.ceil(beyond / (self.budget - self.overlap)))

    def _length(self, start: int, end: int) -> int:
        return self.sums[end] - self.sums[start]
