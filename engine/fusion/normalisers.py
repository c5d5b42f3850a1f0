"""Normalisers: how the scores of one list become comparable with those of another.

Every one but the last moves and stretches: value = (score - origin) / spread, with both read from the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType

import numpy as np

from engine.errors import BadInput
from engine.types import Floats, NormaliserName, Ranking

_DECIMALS = 12
"""Values are rounded to so many decimals: then they are exact decimal numbers, and what ties is no matter of chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What a normaliser knows of one list; all 0 for an empty one.

    `deviation` is the standard deviation over the list itself (divided by n, not n - 1), `total` the sum of the scores,
    `floor` what the list's channel has for a floor, used by the fixed floor only. `scores` falls.
    """

    source: str
    scores: Floats = field(repr=False)
    minimum: float
    maximum: float
    mean: float
    deviation: float
    total: float
    floor: float

    @classmethod
    def of(cls, ranking: Ranking, floor: float) -> Inputs:
        """The inputs of a list."""
        scores = ranking.scores
        if not len(scores):
            return cls(ranking.source, scores, 0.0, 0.0, 0.0, 0.0, 0.0, floor)
        low, high, total = float(scores[-1]), float(scores[0]), float(scores.sum())
        constant = low == high  # then rounding must not make a deviation
        mean, deviation = (low, 0.0) if constant else (total / len(scores), float(scores.std()))
        return cls(ranking.source, scores, low, high, mean, deviation, total, floor)

    @property
    def constant(self) -> bool:
        """Whether every score is the same, as in a list of one."""
        return self.minimum == self.maximum


OfList = Callable[[Inputs], float]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """A normaliser. `formula` is with s a score, n the length of the list; `source` says where it comes from.

    `knobs` are the channel's fields that it reads. `constant` is what each chunk of a list gets whose scores are all
    the same. `highest` gives the highest value that a list of n can hold. `from_zero`: no score of a list lies below 0,
    so an absent chunk gets 0; otherwise it gets the list's lowest value. `clips`: scores below the origin count as it.
    """

    name: NormaliserName
    label: str
    help: str
    formula: str
    source: str
    origin: OfList
    spread: OfList
    constant: OfList
    knobs: tuple[str, ...] = ()
    from_zero: bool = True
    clips: bool = False
    refuses_negative: bool = False
    by_rank: bool = False
    highest: Callable[[int], float] = lambda _: 1.0

    def listed(self, inputs: Inputs) -> Floats:
        """The value of each chunk of the list, parallel to it, rounded to 12 decimals.

        `BadInput` where a score is below 0 and the normaliser refuses that.
        """
        self._refuse_negative(inputs, inputs.minimum)
        length = len(inputs.scores)
        if self.by_rank:
            return _rounded(1 - np.arange(length) / max(length, 1))
        if inputs.constant:
            return _rounded(np.full(length, self.constant(inputs)))
        return self._stretched(inputs.scores, inputs)

    def absent(self, inputs: Inputs) -> float:
        """What a chunk gets that the list does not have, unless another treatment is chosen."""
        return 0.0 if self.from_zero else self.lowest(inputs)

    def lowest(self, inputs: Inputs) -> float:
        """The lowest value in the list; 0 where it is empty."""
        return float(self.listed(inputs)[-1]) if len(inputs.scores) else 0.0

    def true(self, scores: Floats, inputs: Inputs) -> Floats:
        """The values of true scores that the list does not have, on the list's scale, which may go below its lowest.

        As `absent` where there is no score (NaN), and in a list that has no scale. `BadInput` as in `listed`.
        """
        known = ~np.isnan(scores)
        values = np.full(len(scores), self.absent(inputs))
        if self.by_rank and len(inputs.scores):  # behind every listed chunk that scores no less
            before = np.searchsorted(-inputs.scores, -scores[known], side="right")
            values[known] = _rounded(1 - before / len(inputs.scores))
        elif len(inputs.scores) and self.spread(inputs) > 0:
            self._refuse_negative(inputs, float(scores[known].min(initial=0.0)))
            values[known] = self._stretched(scores[known], inputs)
        return values

    def _stretched(self, scores: Floats, inputs: Inputs) -> Floats:
        origin, spread = self.origin(inputs), self.spread(inputs)
        if spread <= 0:  # a fixed floor above every score, or a deviation too small for a float
            return _rounded(np.full(len(scores), 0.0 if self.clips else self.constant(inputs)))
        moved = (np.maximum(scores, origin) if self.clips else scores) - origin
        return _rounded(moved / spread)

    def _refuse_negative(self, inputs: Inputs, lowest: float) -> None:
        if self.refuses_negative and lowest < 0:
            raise BadInput(
                f"The scores of {inputs.source} go down to {lowest:.6g}; "
                f"the normaliser {self.label!r} takes none below 0.",
                "Choose min-max, fixed floor, z-score, three-sigma or rank.",
            )


def _rounded(values: Floats) -> Floats:
    return np.round(values, _DECIMALS) + 0.0  # no negative zero


def _zero(_: Inputs) -> float:
    return 0.0


def _one(_: Inputs) -> float:
    return 1.0


NORMALISERS: Mapping[NormaliserName, Normaliser] = MappingProxyType(
    {
        normaliser.name: normaliser
        for normaliser in (
            Normaliser(
                name="min-max",
                label="Min-max",
                help="Stretches each list so that its lowest score becomes 0 and its highest 1.",
                formula="(s - min) / (max - min)",
                source="Lee, Analyses of Multiple Evidence Combination, SIGIR 1997",
                origin=lambda inputs: inputs.minimum,
                spread=lambda inputs: inputs.maximum - inputs.minimum,
                constant=_one,
            ),
            Normaliser(
                name="floor",
                label="Min-max, fixed floor",
                help="Stretches each list from a fixed floor, which becomes 0 like all below it, to its highest score.",
                formula="(max(s, floor) - floor) / (max - floor)",
                source="Theoretical minimum-maximum: Bruch, Gai and Ingber, ACM TOIS 42, 2023",
                origin=lambda inputs: inputs.floor,
                spread=lambda inputs: inputs.maximum - inputs.floor,
                constant=_one,
                knobs=("floor",),
                clips=True,
            ),
            Normaliser(
                name="maximum",
                label="Maximum",
                help="Divides each list by its highest score, which becomes 1; no score may be below 0.",
                formula="s / max",
                source="Lee, Combining Multiple Evidence, SIGIR 1995",
                origin=_zero,
                spread=lambda inputs: inputs.maximum,
                constant=_one,
                refuses_negative=True,
            ),
            Normaliser(
                name="sum",
                label="Sum",
                help="Divides each list by the sum of its scores, so long lists give less each; none may be below 0.",
                formula="s / sum of all s",
                source="Montague and Aslam, CIKM 2001, there after taking the lowest score off",
                origin=_zero,
                spread=lambda inputs: inputs.total,
                constant=lambda inputs: 1 / max(len(inputs.scores), 1),
                refuses_negative=True,
            ),
            Normaliser(
                name="z-score",
                label="Z-score",
                help="Counts each score in standard deviations from its list's mean; 0 is the average.",
                formula="(s - mean) / deviation",
                source="Zero mean, unit variance: Montague and Aslam, CIKM 2001",
                origin=lambda inputs: inputs.mean,
                spread=lambda inputs: inputs.deviation,
                constant=_zero,
                from_zero=False,
                highest=lambda length: sqrt(max(length - 1, 0)),
            ),
            Normaliser(
                name="three-sigma",
                label="Three-sigma",
                help="Puts three standard deviations below the mean at 0 and three above at 1; 0.5 is the average.",
                formula="(s - (mean - 3 deviation)) / (6 deviation)",
                source="Distribution-based score fusion: Mazzeschi, 2023",
                origin=lambda inputs: inputs.mean - 3 * inputs.deviation,
                spread=lambda inputs: 6 * inputs.deviation,
                constant=lambda _: 0.5,
                from_zero=False,
                highest=lambda length: 0.5 + sqrt(max(length - 1, 0)) / 6,
            ),
            Normaliser(
                name="rank",
                label="Rank",
                help="Puts the ranks of each list in even steps from 1 down to 1 / n, whatever the scores.",
                formula="1 - (rank - 1) / n",
                source="Lee, Analyses of Multiple Evidence Combination, SIGIR 1997",
                origin=_zero,
                spread=_one,
                constant=_one,
                by_rank=True,
            ),
        )
    }
)
"""Every normaliser by name, in the order in which it is offered."""
