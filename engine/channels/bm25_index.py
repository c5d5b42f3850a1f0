"""A BM25 index: which chunks share terms with a query, and with what score, for any variant, k1 and b."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.channels.bm25_build import Forms, PostingsBuilder
from engine.channels.bm25_files import read_postings, write_postings
from engine.channels.bm25_formulas import FORMULAS, Idf, gains, length_factors
from engine.channels.bm25_postings import BLANK, FORMS, Form, Postings
from engine.text.analysers import Token
from engine.types import Bm25Setup, Floats, Mask

_GAIN_TABLES = 8
_NO_FORM = (-1, -1)


@dataclass(frozen=True, slots=True)
class FormWeight:
    """What one form of a query term is worth: its posting list, in how many chunks it is, and its idf."""

    form: Form
    posting_list: int
    document_frequency: int
    idf: Idf


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """A query as the compiled loops read it; see `bm25_kernels`. `base` is what every searchable chunk gets."""

    spans: NDArray[np.int64]
    values: Floats
    base: float


class Bm25Index:
    """Term frequencies and lengths over the rows of a corpus, and the scores that follow from them.

    A query is a sequence of (exact, folded) terms; a repeated term counts as often as it occurs. Its contribution to a
    chunk is the larger of what its exact and its folded form contribute where they match. `plus` gives a chunk without
    a form idf x delta: there the contribution is the larger of both forms' own contributions, absent ones included, so
    that a match never scores below none. With `forms=("exact",)` or `("folded",)` the scores are those of rank-bm25
    over the token lists of that space. Equal texts get the same bits, and so does a query in another word order.
    """

    def __init__(self, postings: Postings) -> None:
        self.postings = postings
        table = partial(_gains, postings.code_frequencies, postings.code_lengths, postings.average_length)
        self._gains: Callable[[float, float], Floats] = lru_cache(maxsize=_GAIN_TABLES)(table)

    @classmethod
    def build(
        cls,
        token_lists: Iterable[Sequence[Token] | None],
        tags: Iterable[str] = repeat(""),
        analysers: Mapping[str, str] | None = None,
    ) -> Bm25Index:
        """The index of one token list per chunk: None where the chunk is blank, empty where it has only stop words.

        `tags` names the analyser of each chunk and `analysers` the fingerprint of each; terms of different tags never
        match each other.
        """
        forms = attrgetter("exact", "folded")
        pairs = (None if tokens is None else map(forms, tokens) for tokens in token_lists)
        return cls.of_forms(pairs, tags, analysers or {})

    @classmethod
    def of_terms(cls, term_lists: Iterable[Sequence[str] | None]) -> Bm25Index:
        """The index of one list of plain terms per chunk, with no folded forms: one space."""
        return cls.of_forms(None if terms is None else zip(terms, terms, strict=True) for terms in term_lists)

    @classmethod
    def of_forms(
        cls,
        pair_lists: Iterable[Iterable[Forms] | None],
        tags: Iterable[str] = repeat(""),
        analysers: Mapping[str, str] | None = None,
    ) -> Bm25Index:
        """The index of one stream of (exact, folded) terms per chunk; otherwise as `build`."""
        builder = PostingsBuilder()
        for pairs, tag in zip(pair_lists, tags, strict=False):
            if pairs is None:
                builder.add_blank()
            else:
                builder.add(pairs, tag)
        index = cls(builder.finish(analysers or {}))
        index.warm()
        return index

    @classmethod
    def load(cls, folder: Path) -> Bm25Index:
        """The index saved in `folder`, read by memory map; `StaleIndex` where its files do not fit together."""
        return cls(read_postings(folder))

    def save(self, folder: Path) -> None:
        """Write the index into `folder` as plain arrays."""
        write_postings(self.postings, folder)

    def __len__(self) -> int:
        return len(self.postings.lengths)

    def warm(self) -> None:
        """Compile the loops, or load them compiled, so that the first query does not wait for it."""
        self.scores((), Bm25Setup())
        self.best((), Bm25Setup(), 1, order=np.arange(len(self)))

    def scores(self, query: Sequence[Forms], setup: Bm25Setup, forms: Sequence[Form] = FORMS) -> Floats:
        """The score of every row, float64: what rank-bm25's `get_scores` has for it; 0 for a blank chunk."""
        plan = self._plan(query, setup, forms)
        scores = self._sums(plan, setup) + plan.base
        scores[self.postings.lengths == BLANK] = 0.0
        return scores

    def matches(self, query: Sequence[Forms], forms: Sequence[Form] = FORMS) -> Mask:
        """Which rows share a term with the query, whatever their score."""
        return _touched(self._sums(self._plan(query, Bm25Setup(), forms), Bm25Setup()))

    def matching(self, query: Sequence[Forms], setup: Bm25Setup) -> tuple[NDArray[np.int64], Floats]:
        """The rows that share a term with the query, ascending, and their scores."""
        plan = self._plan(query, setup, FORMS)
        sums = self._sums(plan, setup)
        rows = np.flatnonzero(_touched(sums))
        return rows, sums[rows] + plan.base

    def best(
        self,
        query: Sequence[Forms],
        setup: Bm25Setup,
        most: int,
        *,
        order: NDArray[np.int64],
        allowed: Mask | None = None,
    ) -> tuple[NDArray[np.int64], Floats]:
        """The rows of the `most` best matching chunks and their scores, in the order (-score, `order` of the row).

        `allowed` masks the rows that may be returned; it changes no score.
        """
        from engine.channels.bm25_kernels import best_rows

        plan, postings = self._plan(query, setup, FORMS), self.postings
        mask = _read_only(np.zeros(0, dtype=np.bool_) if allowed is None else allowed)
        table = self._gains(setup.k1, setup.b)
        arrays = (postings.rows, postings.codes, table, plan.spans, plan.values)
        return best_rows(*arrays, plan.base, mask, _read_only(order), most)

    def weights(self, term: Forms, setup: Bm25Setup, forms: Sequence[Form] = FORMS) -> tuple[FormWeight, ...]:
        """What each form of a query term is worth that occurs in the corpus, exact first; one form where they agree."""
        found: list[FormWeight] = []
        for form, text in zip(FORMS, term, strict=True):
            posting_list = self.postings.spaces[form].posting_list(text) if form in forms else None
            if posting_list is None:
                continue
            start, end = self.postings.span(posting_list)
            idf = FORMULAS[setup.variant].idf(end - start, self.postings.statistics[form])
            found.append(FormWeight(form, posting_list, end - start, idf))
        if len(found) == 2 and found[0].posting_list == found[1].posting_list:
            return (max(found, key=lambda weight: weight.idf.value),)
        return tuple(found)

    def _plan(self, query: Sequence[Forms], setup: Bm25Setup, forms: Sequence[Form]) -> _Plan:
        spans: list[tuple[int, ...]] = []
        values: list[tuple[float, ...]] = []
        base, delta = 0.0, FORMULAS[setup.variant].delta
        for term, occurrences in sorted(Counter(query).items()):
            weights = self.weights(term, setup, forms)
            if not weights:
                continue
            absent = max(delta * weight.idf.value * occurrences for weight in weights)
            base += absent
            floor = 0.0 if delta else -math.inf
            second = _NO_FORM if len(weights) == 1 else self.postings.span(weights[1].posting_list)
            spans.append((*self.postings.span(weights[0].posting_list), *second))
            pairs = [(w.idf.value * occurrences + 0.0, delta * w.idf.value * occurrences - absent) for w in weights]
            values.append((*pairs[0], *pairs[-1], floor))
        shaped = np.array(spans, dtype=np.int64).reshape(-1, 4)
        return _Plan(shaped, np.array(values, dtype=np.float64).reshape(-1, 5), base)

    def _sums(self, plan: _Plan, setup: Bm25Setup) -> Floats:
        from engine.channels.bm25_kernels import sum_all

        table = self._gains(setup.k1, setup.b)
        sums: Floats = sum_all(self.postings.rows, self.postings.codes, table, plan.spans, plan.values, len(self))
        return sums


def _gains(frequencies: NDArray[Any], lengths: NDArray[Any], average_length: float, k1: float, b: float) -> Floats:
    return gains(frequencies, length_factors(lengths, average_length, b), k1)


def _touched(sums: Floats) -> Mask:
    touched: Mask = (sums != 0) | ~np.signbit(sums)
    return touched


def _read_only(values: NDArray[Any]) -> NDArray[Any]:
    """The same values, contiguous and read-only: the one kind of array for which the loops are compiled."""
    view = np.ascontiguousarray(values).view()
    view.setflags(write=False)
    return view
