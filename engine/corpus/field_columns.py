"""The values of one field over a corpus, as numbers, so that filters and counts take no walk over the chunks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.corpus.cells import as_text
from engine.types import Mask, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class FieldColumn:
    """The rows that have a value (int32, ascending) with, for each, the place of that value in `values`.

    `values` are texts, first met first; `size` is the number of rows of the corpus.
    """

    values: tuple[str, ...]
    rows: NDArray[np.int32]
    codes: NDArray[np.int32]
    size: int

    @classmethod
    def of(cls, values: Iterable[Scalar]) -> FieldColumn:
        """The column of these values, one a row."""
        draft, size = _Draft(), 0
        for row, value in enumerate(values):
            size = row + 1
            if value is not None:
                draft.add(row, value)
        return draft.column(size)

    def among(self, wanted: Collection[str]) -> Mask:
        """Which rows have one of these values."""
        codes = [place for place, value in enumerate(self.values) if value in wanted]
        mask = np.zeros(self.size, dtype=np.bool_)
        mask[self.rows[np.isin(self.codes, codes)]] = True
        return mask

    def by_frequency(self) -> tuple[str, ...]:
        """The values, most frequent first, equally frequent ones as they were met."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        return tuple(self.values[place] for place in np.argsort(-counts, kind="stable"))

    @property
    def tells_apart(self) -> bool:
        """Whether two rows differ in it: by their values, or in having one."""
        return len(self.values) > 1 or 0 < len(self.rows) < self.size


class _Draft:
    """A column while its rows are met."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._rows: list[int] = []
        self._codes: list[int] = []

    def add(self, row: int, value: Scalar) -> None:
        self._rows.append(row)
        self._codes.append(self._places.setdefault(as_text(value), len(self._places)))

    def column(self, size: int) -> FieldColumn:
        rows, codes = (np.array(numbers, dtype=np.int32) for numbers in (self._rows, self._codes))
        return FieldColumn(tuple(self._places), rows, codes, size)


def metadata_columns(every: Iterable[Mapping[str, Scalar]], size: int) -> dict[str, FieldColumn]:
    """One column for each metadata key, those that most rows have first."""
    drafts: dict[str, _Draft] = {}
    for row, metadata in enumerate(every):
        for key, value in metadata.items():
            if value is not None:
                drafts.setdefault(key, _Draft()).add(row, value)
    columns = {key: draft.column(size) for key, draft in drafts.items()}
    return dict(sorted(columns.items(), key=lambda item: -len(item[1].rows)))
