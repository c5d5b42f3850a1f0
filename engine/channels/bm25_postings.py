"""The arrays of a BM25 index: who holds which term how often, and how long each chunk is. No weight, no k1, no b."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine.channels.bm25_formulas import Statistics, average_okapi_idf
from engine.channels.bm25_vocabulary import Vocabulary
from engine.channels.origin import Origin

Form = Literal["exact", "folded"]
FORMS: tuple[Form, ...] = ("exact", "folded")

BLANK = -1


@dataclass(frozen=True, eq=False)
class Space:
    """One of the two spaces: its sorted terms, and for each term (int32) the number of its posting list."""

    vocabulary: Vocabulary
    lists: NDArray[np.int32]

    @cached_property
    def list_of(self) -> Mapping[str, int]:
        """The number of the posting list of each term."""
        return dict(zip(self.vocabulary, self.lists.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Postings:
    """Posting lists over the rows of a corpus, in two spaces that share the lists that are the same in both.

    `lengths` (int32) has the tokens of each row, 0 for a chunk of stop words only, -1 for a blank chunk, which is not
    searchable and counts nowhere. List l is `rows[offsets[l]:offsets[l + 1]]` (uint32, ascending) and the same slice of
    `codes` (uint16, or uint32 from 65,536 codes on); code c stands for the term frequency `code_frequencies[c]` in a
    chunk of length `code_lengths[c]` (both int32). `analysers` has, per tag in front of the terms, the fingerprint of
    the analyser that made them; it is empty where terms have no tag.
    `origin` says from which texts they were made, None where from bare lists.
    """

    lengths: NDArray[np.int32]
    offsets: NDArray[np.int64]
    rows: NDArray[np.uint32]
    codes: NDArray[Any]
    code_frequencies: NDArray[np.int32]
    code_lengths: NDArray[np.int32]
    spaces: Mapping[Form, Space]
    analysers: Mapping[str, str]
    origin: Origin | None = None

    @cached_property
    def searchable(self) -> int:
        """N of the formulas: the chunks that are not blank."""
        return int(np.count_nonzero(self.lengths != BLANK))

    @cached_property
    def average_length(self) -> float:
        """Tokens per searchable chunk, 0.0 where there is none."""
        return int(np.maximum(self.lengths, 0).sum(dtype=np.int64)) / self.searchable if self.searchable else 0.0

    @cached_property
    def document_frequencies(self) -> NDArray[np.int64]:
        """In how many chunks the term of each posting list is."""
        return np.diff(self.offsets)

    @cached_property
    def statistics(self) -> Mapping[Form, Statistics]:
        """What the idf of a term depends on, in each space."""
        return {
            form: Statistics(
                self.searchable, average_okapi_idf(self.searchable, self.document_frequencies[space.lists])
            )
            for form, space in self.spaces.items()
        }

    def span(self, posting_list: int) -> tuple[int, int]:
        """Where a posting list starts and ends in `rows` and `codes`; the difference is its document frequency."""
        return int(self.offsets[posting_list]), int(self.offsets[posting_list + 1])

    def frequency(self, posting_list: int, row: int) -> int:
        """How often the term of a posting list occurs in a row; 0 where it does not."""
        start, end = self.span(posting_list)
        place = start + int(np.searchsorted(self.rows[start:end], row))
        return int(self.code_frequencies[self.codes[place]]) if place < end and self.rows[place] == row else 0


def tagged(tag: str, term: str) -> str:
    """The term as it stands in a vocabulary of several analysers."""
    return f"{tag}:{term}" if tag else term
