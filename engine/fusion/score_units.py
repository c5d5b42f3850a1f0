"""What each source adds in a fusion of scores: its normalised score, or what stands for a chunk that it has not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engine.errors import BadInput
from engine.fusion.normalisers import NORMALISERS, Inputs, Normaliser
from engine.fusion.units import Units, ranks_of
from engine.types import Floats, Ranking, Setup

TrueScores = Callable[[str, Sequence[str]], Floats]
"""Called with a source and chunk ids, gives the score of each in that source however deep, NaN where it has none."""


def score_units(
    rankings: Mapping[str, Ranking],
    setup: Setup,
    floors: Mapping[str, float],
    true_scores: TrueScores | None = None,
) -> Units:
    """The normalised scores by chunk and source, rounded to 12 decimals; for CombMNZ with its factor.

    A source that returned nothing adds 0. `floors` and the absence as in `fuse`. `BadInput` where a normaliser refuses
    scores, or where true scores are asked for and `true_scores` is not given.
    """
    normaliser = NORMALISERS[setup.normaliser]
    ids, ranks = ranks_of(rankings)
    values = np.zeros(ranks.shape)
    for column, inputs in enumerate(normaliser_inputs(rankings, setup, floors).values()):
        there = ranks[:, column] > 0
        values[there, column] = normaliser.listed(inputs)[ranks[there, column] - 1]
        missing = [ids[row] for row in np.flatnonzero(~there).tolist()]
        values[~there, column] = _absent(normaliser, inputs, setup, missing, true_scores)
    return Units(ids, tuple(rankings), values, ranks, by_matches=setup.fusion == "combmnz")


def normaliser_inputs(rankings: Mapping[str, Ranking], setup: Setup, floors: Mapping[str, float]) -> dict[str, Inputs]:
    """What the normaliser reads from each list. The floor is the setup's for the channel, or else that of `floors`."""
    return {source: Inputs.of(ranking, _floor(source, setup, floors)) for source, ranking in rankings.items()}


def _floor(source: str, setup: Setup, floors: Mapping[str, float]) -> float:
    chosen = setup.channel(source).floor
    return floors.get(source, 0.0) if chosen is None else chosen


def _absent(
    normaliser: Normaliser, inputs: Inputs, setup: Setup, missing: Sequence[str], true_scores: TrueScores | None
) -> Floats | float:
    """What the chunks get that the list does not have: one value for all, or with true scores one for each."""
    if not missing or not len(inputs.scores) or setup.absence == "zero":
        return 0.0
    if setup.absence == "lowest":
        return normaliser.lowest(inputs)
    if setup.absence == "auto":
        return normaliser.absent(inputs)
    if true_scores is None:
        raise BadInput("Absent chunks are to get their true score, but none is at hand.", "Pass `true_scores`.")
    return normaliser.true(true_scores(inputs.source, missing), inputs)
