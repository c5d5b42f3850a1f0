"""The values of one field over a corpus, as numbers, so that filters and counts take no walk over the chunks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.types import Mask, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class FieldColumn:
    """For each row the place of its value in `values`, -1 where it has none; values as text, first met first."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, values: Iterable[Scalar], rows: int) -> FieldColumn:
        """The column of these values, one a row."""
        places: dict[str, int] = {}
        found = (-1 if value is None else places.setdefault(str(value), len(places)) for value in values)
        codes = np.fromiter(found, dtype=np.int32, count=rows)
        return cls(tuple(places), codes)

    def among(self, wanted: Collection[str]) -> Mask:
        """Which rows have one of these values."""
        codes = [place for place, value in enumerate(self.values) if value in wanted]
        return np.isin(self.codes, codes)

    def by_frequency(self) -> tuple[str, ...]:
        """The values, most frequent first, equally frequent ones as they were met."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))
        return tuple(self.values[place] for place in np.argsort(-counts, kind="stable"))

    @property
    def tells_apart(self) -> bool:
        """Whether two rows differ in it: by their values, or in having one."""
        return len(self.values) > 1 or (len(self.values) == 1 and bool((self.codes < 0).any()))


def metadata_columns(every: Iterable[Mapping[str, Scalar]], rows: int) -> dict[str, FieldColumn]:
    """One column for each metadata key."""
    places: dict[str, dict[str, int]] = {}
    codes: dict[str, NDArray[np.int32]] = {}
    for row, metadata in enumerate(every):
        for key, value in metadata.items():
            if value is None:
                continue
            if key not in places:
                places[key], codes[key] = {}, np.full(rows, -1, dtype=np.int32)
            known = places[key]
            codes[key][row] = known.setdefault(str(value), len(known))
    return {key: FieldColumn(tuple(known), codes[key]) for key, known in places.items()}
