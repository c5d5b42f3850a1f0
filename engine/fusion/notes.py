"""What a reader should know of a fusion: a knob that does nothing, a threshold out of reach, values that mislead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.fusion.highest import highest_score
from engine.fusion.normalisers import NORMALISERS
from engine.fusion.registry import FUSIONS
from engine.types import Note, Ranking, Setup


def fusion_notes(rankings: Mapping[str, Ranking], setup: Setup) -> Iterator[Note]:
    """The notes on the fusion of those lists. A knob at its default is never called idle."""
    if not any(setup.channel(name).weight for name in rankings):
        yield Note("no-weight", "Every weight is 0, so the fusion has nothing to add up.")
    yield from _idle_knobs(rankings, setup)
    if setup.fusion == "combmnz" and setup.normaliser == "z-score":
        yield Note(
            "agreement-punished",
            "CombMNZ multiplies by the channels that match; a z-score below the average is negative, and there "
            "agreement pushes a chunk down.",
        )
    highest = highest_score(rankings, setup)
    if setup.fused_threshold is not None and setup.fused_threshold > highest:
        yield Note(
            "fused-threshold-too-high",
            f"No result can reach the minimum fused score of {setup.fused_threshold:g}: "
            f"the highest possible is {highest:.6f}.",
        )


def _idle_knobs(rankings: Mapping[str, Ranking], setup: Setup) -> Iterator[Note]:
    """The knobs that were moved and that the fusion does not read."""
    method = FUSIONS[setup.fusion]
    for knob in ("k", "normaliser", "absence"):
        info = Setup.model_fields[knob]
        if knob not in method.knobs and getattr(setup, knob) != info.default:
            yield Note(f"idle-{knob}", f"{info.title} has no effect: {method.label} does not use it.")
    reads_floor = method.of_scores and "floor" in NORMALISERS[setup.normaliser].knobs
    floored = [name for name in rankings if setup.channel(name).floor is not None]
    if floored and not reads_floor:
        label = NORMALISERS["floor"].label
        yield Note("idle-floor", f"The floor of {', '.join(floored)} has no effect: only {label} uses it.")
