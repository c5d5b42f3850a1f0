"""Which texts an encoder cannot read in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.corpus.fields import is_blank
from engine.encoders.batching import slices
from engine.types import Encoder, Progress, no_progress


@dataclass(frozen=True, slots=True)
class OverLong:
    """A text beyond an encoder's limit: its row, its tokens, and how many of them the encoder never reads.

    `lost` is 0 where the encoder reads long texts in windows and averages them.
    """

    row: int
    tokens: int
    lost: int


def over_long(encoder: Encoder, texts: Sequence[str], progress: Progress = no_progress) -> tuple[OverLong, ...]:
    """The texts with more tokens than the encoder reads at once, in their order; blank texts are never encoded.

    `progress` is called with ("measuring", texts done, texts in all) and may raise to stop.
    """
    limit = encoder.max_tokens
    if limit is None:
        return ()
    rows = [row for row, text in enumerate(texts) if not is_blank(text)]
    counts: list[int] = []
    for part in slices([texts[row] for row in rows]):
        progress("measuring", len(counts), len(rows))
        counts += encoder.count_tokens(part)
    progress("measuring", len(rows), len(rows))
    truncated = encoder.overflow == "truncated"
    return tuple(
        OverLong(row, tokens, lost=tokens - limit if truncated else 0)
        for row, tokens in zip(rows, counts, strict=True)
        if tokens > limit
    )
