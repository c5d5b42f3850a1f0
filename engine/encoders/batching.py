"""Many texts of mixed lengths, encoded in batches of similar length on every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.types import Progress, Vectors

TOKEN_BUDGET = 2048
"""Tokens of one batch, padding included: measured fastest of 1,024 to 8,192 for MiniLM on two cores."""

TOKENISED_AT_ONCE = 1024
"""Texts that a tokeniser reads at once: what it tells of each is many times the text, and must not pile up."""

EncodeBatch = Callable[[Sequence[int]], Vectors]


def slices(texts: Sequence[str], most: int = TOKENISED_AT_ONCE) -> Iterator[Sequence[str]]:
    """The texts in pieces of at most `most`, in their order; no piece where there is no text."""
    return (texts[start : start + most] for start in range(0, len(texts), most))


def length_batches(lengths: Sequence[int], budget: int = TOKEN_BUDGET) -> list[list[int]]:
    """Rows in batches, longest first, so that a batch padded to its longest text holds at most `budget` tokens.

    Every row is in one batch; a text longer than the budget is a batch of its own.
    """
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        if batches and (len(batches[-1]) + 1) * max(lengths[batches[-1][0]], 1) <= budget:
            batches[-1].append(row)
        else:
            batches.append([row])
    return batches


def encode_batches(
    batches: Sequence[Sequence[int]], encode: EncodeBatch, dimension: int, progress: Progress
) -> Vectors:
    """The vectors of all rows, shape (rows, dimension): each batch on one core, as many at once as there are cores.

    One thread per batch beats several threads inside one: nothing waits between the layers. `encode` must release the
    interpreter lock and be safe to call from several threads. An exception from `progress` cancels the batches that
    have not begun.
    """
    total = sum(len(batch) for batch in batches)
    vectors = np.empty((total, dimension), dtype=np.float32)
    done = 0
    pool = ThreadPoolExecutor(max_workers=max(1, min(os.cpu_count() or 1, len(batches))))
    try:
        for batch, encoded in zip(batches, pool.map(encode, batches), strict=True):
            vectors[batch] = encoded
            done += len(batch)
            progress("embedding", done, total)
    finally:
        pool.shutdown(cancel_futures=True)
    return vectors
