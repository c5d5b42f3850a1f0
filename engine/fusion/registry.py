"""The fusions, the normalisers and the presets that are offered, each with the words that describe it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.fusion.borda import borda_units
from engine.fusion.combmax import weigh_highest
from engine.fusion.isr import isr_units
from engine.fusion.normalisers import NORMALISERS, Normaliser
from engine.fusion.rrf import rrf_units
from engine.fusion.score_units import TrueScores, score_units
from engine.fusion.units import Units, weigh
from engine.types import FusionName, NormaliserName, Ranking, Setup

__all__ = ["FUSIONS", "NORMALISERS", "PRESETS", "FusionMethod", "Normaliser", "Preset", "summary"]

UnitsOf = Callable[[Mapping[str, Ranking], Setup, Mapping[str, float], TrueScores | None], Units]
Weigh = Callable[[Units, Mapping[str, float]], Ranking]

_SCORE_KNOBS = ("normaliser", "absence")


@dataclass(frozen=True, slots=True)
class FusionMethod:
    """A fusion. In its `formula` w is the weight of a channel, s its normalised score, m the channels that match.

    `knobs` are the fields of `Setup` that it reads beside the weights. `linear`: the score is the sum of weight times
    value, so that the values alone decide every weight; `units` gives the values, `combine` makes them a ranking.
    """

    name: FusionName
    label: str
    help: str
    formula: str
    source: str
    knobs: tuple[str, ...]
    units: UnitsOf
    combine: Weigh = weigh
    linear: bool = True

    @property
    def of_scores(self) -> bool:
        """Whether it reads the channels' scores and not only their ranks."""
        return "normaliser" in self.knobs


FUSIONS: Mapping[FusionName, FusionMethod] = MappingProxyType(
    {
        method.name: method
        for method in (
            FusionMethod(
                name="rrf",
                label="RRF",
                help="Reciprocal rank fusion adds up weight / (k + rank), and so looks at ranks only.",
                formula="sum of w / (k + rank)",
                source="Cormack, Clarke and Büttcher, SIGIR 2009",
                knobs=("k",),
                units=lambda rankings, setup, *_: rrf_units(rankings, setup.k),
            ),
            FusionMethod(
                name="isr",
                label="ISR",
                help="Inverse square rank adds up weight / rank², times the number of channels that found the chunk.",
                formula="m · sum of w / rank²",
                source="Mourão, Martins and Magalhães, Computerized Medical Imaging and Graphics 39, 2015",
                knobs=(),
                units=lambda rankings, *_: isr_units(rankings),
            ),
            FusionMethod(
                name="borda",
                label="Borda count",
                help="Each channel gives its first of c candidates c points, its second c - 1, and shares the rest.",
                formula="sum of w · (c - rank + 1); absent: w · (c - n + 1) / 2",
                source="Aslam and Montague, Models for Metasearch, SIGIR 2001",
                knobs=(),
                units=lambda rankings, *_: borda_units(rankings),
            ),
            FusionMethod(
                name="wsum",
                label="Weighted sum",
                help="Adds up weight times normalised score, and so looks at how far scores lie apart.",
                formula="sum of w · s",
                source="Fox and Shaw, CombSUM, TREC-2, 1993; with weights: Vogt and Cottrell, 1999",
                knobs=_SCORE_KNOBS,
                units=score_units,
            ),
            FusionMethod(
                name="combmnz",
                label="CombMNZ",
                help="The weighted sum of normalised scores, times the number of channels that found the chunk.",
                formula="m · sum of w · s",
                source="Fox and Shaw, TREC-2, 1993",
                knobs=_SCORE_KNOBS,
                units=score_units,
            ),
            FusionMethod(
                name="combmax",
                label="CombMAX",
                help="The highest of the weighted normalised scores, so that one channel that is sure is enough.",
                formula="max of w · s",
                source="Fox and Shaw, TREC-2, 1993",
                knobs=_SCORE_KNOBS,
                units=score_units,
                combine=weigh_highest,
                linear=False,
            ),
        )
    }
)
"""Every fusion by name, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A fusion with its normaliser under one name; weights and k stay, absent chunks get what the normaliser says."""

    label: str
    help: str
    fusion: FusionName
    normaliser: NormaliserName = "min-max"

    def applied(self, setup: Setup) -> Setup:
        """The setup with this fusion."""
        return setup.model_copy(update={"fusion": self.fusion, "normaliser": self.normaliser, "absence": "auto"})

    def holds(self, setup: Setup) -> bool:
        """Whether the setup fuses as this preset does."""
        if setup.fusion != self.fusion or not FUSIONS[self.fusion].of_scores:
            return setup.fusion == self.fusion
        return setup.normaliser == self.normaliser and setup.absence == "auto"


PRESETS: tuple[Preset, ...] = (
    Preset("RRF", "By ranks: robust, and blind to how far scores lie apart.", "rrf"),
    Preset("Weighted min-max", "By scores, each list stretched from 0 to 1.", "wsum", "min-max"),
    Preset("Weighted three-sigma", "By scores, each list by its mean and deviation.", "wsum", "three-sigma"),
)
"""The fusions that are offered first."""


def summary(setup: Setup) -> str:
    """The fusion of a setup in a few words, such as `RRF · k 60` or `Weighted sum · Z-score`."""
    method = FUSIONS[setup.fusion]
    words = [method.label]
    if "k" in method.knobs:
        words.append(f"k {setup.k:g}")
    if method.of_scores:
        words.append(NORMALISERS[setup.normaliser].label)
        words += [] if setup.absence == "auto" else [f"absent: {setup.absence}"]
    return " · ".join(words)
