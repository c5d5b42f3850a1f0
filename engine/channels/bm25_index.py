"""A BM25 index: which chunks share terms with a query, and with what score, for any variant, k1 and b."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.channels.bm25_build import Forms, PostingsBuilder, TokenForms
from engine.channels.bm25_files import read_postings, write_postings
from engine.channels.bm25_formulas import FORMULAS, Idf, gains, length_factors
from engine.channels.bm25_postings import BLANK, FORMS, Form, Postings
from engine.channels.origin import Origin
from engine.text.analysers import Token
from engine.types import Bm25Setup, Floats, Mask, Variant

_GAIN_TABLES = 8
_NOWHERE = (-1, -1)
_EVERYWHERE = np.zeros(0, dtype=np.bool_)
_EVERYWHERE.setflags(write=False)


class _Loops(NamedTuple):
    plan_terms: Callable[..., Any]
    sum_all: Callable[..., Any]
    best_rows: Callable[..., Any]


@cache
def _loops() -> _Loops:
    """The compiled loops; numba is imported when they are first needed."""
    from engine.channels.bm25_kernels import best_rows, sum_all
    from engine.channels.bm25_planning import plan_terms

    return _Loops(plan_terms, sum_all, best_rows)


@dataclass(frozen=True, slots=True)
class FormWeight:
    """What one form of a query term is worth: its posting list, in how many chunks it is, and its idf."""

    form: Form
    posting_list: int
    document_frequency: int
    idf: Idf


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
        self._idfs: Callable[[Variant], Floats] = lru_cache(maxsize=None)(partial(_idfs, postings))

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
        return cls.of_forms(term_lists)

    @classmethod
    def of_forms(
        cls,
        form_lists: Iterable[Iterable[TokenForms] | None],
        tags: Iterable[str] = repeat(""),
        analysers: Mapping[str, str] | None = None,
        origin: Origin | None = None,
    ) -> Bm25Index:
        """As `build`, from a stream of (exact, folded) terms per chunk; one text where the two are the same.

        `origin` is kept with the index: the texts that the terms are of.
        """
        builder = PostingsBuilder()
        for forms, tag in zip(form_lists, tags, strict=False):
            if forms is None:
                builder.add_blank()
            else:
                builder.add(forms, tag)
        index = cls(replace(builder.finish(analysers or {}), origin=origin))
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
        sums, base = self._sums(query, setup, forms)
        scores = sums + base
        scores[self.postings.lengths == BLANK] = 0.0
        return scores

    def matches(self, query: Sequence[Forms], forms: Sequence[Form] = FORMS) -> Mask:
        """Which rows share a term with the query, whatever their score."""
        return _touched(self._sums(query, Bm25Setup(), forms)[0])

    def matching(self, query: Sequence[Forms], setup: Bm25Setup) -> tuple[NDArray[np.int64], Floats]:
        """The rows that share a term with the query, ascending, and their scores."""
        sums, base = self._sums(query, setup, FORMS)
        rows = np.flatnonzero(_touched(sums))
        return rows, sums[rows] + base

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
        arrays = (self.postings.rows, self.postings.codes, self._gains(setup.k1, setup.b))
        mask = _EVERYWHERE if allowed is None else allowed
        plan = self._plan(query, setup, FORMS)
        rows, scores = _loops().best_rows(*arrays, *plan, _read_only(mask), _read_only(order), most)
        return rows, scores

    def weights(self, term: Forms, setup: Bm25Setup, forms: Sequence[Form] = FORMS) -> tuple[FormWeight, ...]:
        """What each form of a query term is worth that occurs in the corpus, exact first; one form where they agree."""
        found: list[FormWeight] = []
        for form, posting_list in zip(FORMS, self._lists([term], forms)[0], strict=True):
            if posting_list < 0:
                continue
            start, end = self.postings.span(posting_list)
            idf = FORMULAS[setup.variant].idf(end - start, self.postings.statistics[form])
            found.append(FormWeight(form, posting_list, end - start, idf))
        if len(found) == 2 and found[0].posting_list == found[1].posting_list:
            return (max(found, key=lambda weight: weight.idf.value),)
        return tuple(found)

    def _plan(self, query: Sequence[Forms], setup: Bm25Setup, forms: Sequence[Form]) -> tuple[Any, Floats, float]:
        """What `plan_terms` makes of the query: the spans, the values, and what every searchable chunk gets."""
        counts: dict[tuple[int, int], int] = {}
        for pair in self._lists(query, forms):
            counts[pair] = counts.get(pair, 0) + 1
        counts.pop(_NOWHERE, None)
        ordered = sorted(counts)  # by list, as the vocabulary is sorted: the same bits in whatever word order
        terms = np.array([(*pair, counts[pair]) for pair in ordered], dtype=np.int64).reshape(-1, 3)
        idfs, delta = self._idfs(setup.variant), FORMULAS[setup.variant].delta
        plan: tuple[Any, Floats, float] = _loops().plan_terms(self.postings.offsets, idfs, terms, delta)
        return plan

    def _lists(self, query: Sequence[Forms], forms: Sequence[Form]) -> list[tuple[int, int]]:
        """The posting lists of the exact and the folded form of each term, -1 where there is none."""
        exact, folded = (self.postings.spaces[form].list_of if form in forms else {} for form in FORMS)
        return [(exact.get(one, -1), folded.get(other, -1)) for one, other in query]

    def _sums(self, query: Sequence[Forms], setup: Bm25Setup, forms: Sequence[Form]) -> tuple[Floats, float]:
        """The sum of contributions of every row, -0.0 where nothing matches, and what every searchable chunk gets."""
        spans, values, base = self._plan(query, setup, forms)
        arrays = (self.postings.rows, self.postings.codes, self._gains(setup.k1, setup.b))
        return _loops().sum_all(*arrays, spans, values, len(self)), base


def _gains(frequencies: NDArray[Any], lengths: NDArray[Any], average_length: float, k1: float, b: float) -> Floats:
    return gains(frequencies, length_factors(lengths, average_length, b), k1)


def _idfs(postings: Postings, variant: Variant) -> Floats:
    """The idf in each space by document frequency, shape (2, highest document frequency + 1)."""
    sizes = postings.document_frequencies
    table = np.zeros((len(FORMS), int(sizes.max(initial=0)) + 1))
    for row, form in enumerate(FORMS):
        for size in np.flatnonzero(np.bincount(sizes)).tolist():
            table[row, size] = FORMULAS[variant].idf(size, postings.statistics[form]).value
    return table


def _touched(sums: Floats) -> Mask:
    touched: Mask = (sums != 0) | ~np.signbit(sums)
    return touched


def _read_only(values: NDArray[Any]) -> NDArray[Any]:
    """The same values, contiguous and read-only: the one kind of array for which the loops are compiled."""
    if values.flags.c_contiguous and not values.flags.writeable:
        return values
    view = np.ascontiguousarray(values).view()
    view.setflags(write=False)
    return view
