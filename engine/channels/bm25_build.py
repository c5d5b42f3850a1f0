"""Token lists to posting lists, chunk after chunk: what stays in memory is four bytes a token and the vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.channels.bm25_postings import BLANK, Form, Postings, Space, tagged
from engine.channels.bm25_vocabulary import Vocabulary

Forms = tuple[str, str]
"""The exact and the folded form of a token."""
TokenForms = Forms | str
"""The forms of a token; one text where they are the same, which is quicker to number."""

Lists = tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[Any], NDArray[np.int32], NDArray[np.int32]]

_NO_ANALYSERS: Mapping[str, str] = MappingProxyType({})


class _Numbering(dict[TokenForms, int]):
    """Numbers for the forms of tokens, given in the order of first use; several numberings can share one counter."""

    def __init__(self, numbers: Iterator[int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, forms: TokenForms) -> int:
        number = self[forms] = next(self._numbers)
        return number


class PostingsBuilder:
    """Collects the tokens of one chunk after the other, and then makes the posting lists."""

    def __init__(self) -> None:
        self._counter = count()
        self._numberings: dict[str, _Numbering] = {}
        self._pairs = array("i")
        self._ends = array("q")
        self._blank: list[int] = []

    def add(self, tokens: Iterable[TokenForms], tag: str = "") -> None:
        """Take the tokens of the next chunk, none where it has only stop words. `tag` keeps languages apart."""
        numbering = self._numberings.get(tag)
        if numbering is None:
            numbering = self._numberings[tag] = _Numbering(self._counter)
        self._pairs.extend(map(numbering.__getitem__, tokens))
        self._ends.append(len(self._pairs))

    def add_blank(self) -> None:
        """Pass over the next chunk, which has no letter and no digit."""
        self._blank.append(len(self._ends))
        self._ends.append(len(self._pairs))

    def finish(self, analysers: Mapping[str, str] = _NO_ANALYSERS) -> Postings:
        """The posting lists of everything taken in. `analysers` may name more tags than were used."""
        spaces, exact_of, folded_of = _spaces(self._terms())
        pairs = np.frombuffer(self._pairs, dtype=np.intc).astype(np.int32, copy=False)
        ends = np.frombuffer(self._ends, dtype=np.int64)
        lengths = np.diff(ends, prepend=0).astype(np.int32)
        lists = _fill(pairs, ends, exact_of, folded_of, int(lengths.max(initial=0)))
        lengths[self._blank] = BLANK
        for values in (lengths, *lists):
            values.setflags(write=False)
        used = {tag: analysers[tag] for tag in sorted(self._numberings) if tag in analysers}
        return Postings(lengths, *lists, spaces, MappingProxyType(used))

    def _terms(self) -> list[Forms]:
        """The two terms of each pair, tag in front, by the number of the pair."""
        terms = [("", "")] * sum(map(len, self._numberings.values()))
        for tag, numbering in self._numberings.items():
            for forms, number in numbering.items():
                exact, folded = (forms, forms) if isinstance(forms, str) else forms
                terms[number] = (tagged(tag, exact), tagged(tag, folded))
        return terms


def _spaces(terms: Sequence[Forms]) -> tuple[Mapping[Form, Space], NDArray[np.int32], NDArray[np.int32]]:
    """The spaces, and for each pair its exact list and its folded one, -1 where that is the same.

    A term has one list in both spaces unless it is in a pair of two different forms: then one of its lists has words
    that the other has not.
    """
    unlike = {form for pair in terms if pair[0] != pair[1] for form in pair}
    exact_terms = sorted({exact for exact, _ in terms})
    exact = dict(zip(exact_terms, range(len(exact_terms)), strict=True))
    exact_space = Space(Vocabulary.of(exact_terms), np.arange(len(exact_terms), dtype=np.int32))
    exact_of = np.fromiter((exact[pair[0]] for pair in terms), dtype=np.int32, count=len(terms))
    if not unlike:
        return _both(exact_space, exact_space), exact_of, np.full(len(terms), -1, dtype=np.int32)
    folded_terms = sorted({folded for _, folded in terms})
    own_terms = [term for term in folded_terms if term in unlike]
    own = dict(zip(own_terms, range(len(exact), len(exact) + len(own_terms)), strict=True))
    lists = np.array([own[term] if term in own else exact[term] for term in folded_terms], dtype=np.int32)
    folded_of = np.fromiter((own.get(pair[1], -1) for pair in terms), dtype=np.int32, count=len(terms))
    return _both(exact_space, Space(Vocabulary.of(folded_terms), lists)), exact_of, folded_of


def _both(exact: Space, folded: Space) -> Mapping[Form, Space]:
    return MappingProxyType({"exact": exact, "folded": folded})


def _fill(
    pairs: NDArray[np.int32],
    ends: NDArray[np.int64],
    exact_of: NDArray[np.int32],
    folded_of: NDArray[np.int32],
    longest: int,
) -> Lists:
    """The arrays `offsets`, `rows`, `codes`, `code_frequencies`, `code_lengths`."""
    from engine.channels.bm25_grouping import fill_lists, measure_lists

    sizes = np.zeros(1 + max(exact_of.max(initial=-1), folded_of.max(initial=-1)), dtype=np.int64)
    highest = np.zeros(longest + 1, dtype=np.int32)
    measure_lists(pairs, ends, exact_of, folded_of, sizes, highest)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    first_code = np.concatenate(([0], np.cumsum(highest, dtype=np.int64)))[:-1]
    rows = np.empty(offsets[-1], dtype=np.uint32)
    codes = np.empty(offsets[-1], dtype=np.uint32)
    fill_lists(pairs, ends, exact_of, folded_of, offsets[:-1].copy(), first_code, rows, codes)
    return offsets, rows, *_compact(codes, highest, first_code)


def _compact(
    codes: NDArray[np.uint32], highest: NDArray[np.int32], first_code: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.int32]]:
    """The codes renumbered to those that occur, in as few bytes as they need, with their frequencies and lengths."""
    used = np.zeros(int(highest.sum(dtype=np.int64)), dtype=np.bool_)
    used[codes] = True
    kept = np.flatnonzero(used)
    width = np.uint16 if len(kept) <= np.iinfo(np.uint16).max + 1 else np.uint32
    renumbered = np.zeros(len(used), dtype=width)
    renumbered[kept] = np.arange(len(kept))
    lengths = np.repeat(np.arange(len(highest)), highest)[kept]
    frequencies = kept - first_code[lengths] + 1
    return renumbered[codes], frequencies.astype(np.int32), lengths.astype(np.int32)
