"""The first chunks at each step of a knob, found by running it: for fusions that have no exact answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from engine.errors import BadInput
from engine.sensitivity.events import K
from engine.sensitivity.values import exact
from engine.types import RerankSetup, Setup, Trace

LABEL = "Swept on the slider's steps; between two steps nothing is proved."


@dataclass(frozen=True, slots=True)
class Sweep:
    """The fused list at every step of a knob (`k`, or the channel whose weight it is), cut at the results shown."""

    knob: str
    values: tuple[Fraction, ...]
    lists: tuple[tuple[str, ...], ...]
    label: str = LABEL

    def where(self, chunk_id: str) -> tuple[tuple[Fraction, Fraction], ...]:
        """The runs of steps that list the chunk, as first and last value."""
        runs = groupby(zip(self.values, self.lists, strict=True), key=lambda step: chunk_id in step[1])
        listed = [[value for value, _ in run] for inside, run in runs if inside]
        return tuple((run[0], run[-1]) for run in listed)

    def changes(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The neighbouring steps between which the list changes."""
        steps = list(zip(self.values, self.lists, strict=True))
        return tuple((one, other) for (one, before), (other, after) in pairwise(steps) if before != after)


def sweep(run: Callable[[Setup], Trace], setup: Setup, knob: str, values: Sequence[Fraction]) -> Sweep:
    """The fused list, before fused threshold and rerank, at each of `values` of the knob; one run a step.

    `run` makes the trace of a setup. A step between two of `values` may still change the list and back.
    """
    bare = setup.model_copy(update={"rerank": RerankSetup()})
    lists = tuple(run(_turned(bare, knob, value)).fused.ids[: setup.shown] for value in values)
    return Sweep(knob, tuple(values), lists)


def steps(low: float, high: float, step: float) -> tuple[Fraction, ...]:
    """The values of a slider, both ends included where the step meets them.

    `BadInput` for a step or range that is none.
    """
    start, end, width = exact(low), exact(high), exact(step)
    if width <= 0 or end < start:
        raise BadInput(
            f"No steps of {step:g} from {low:g} to {high:g}.", "Use a step above 0 and a range that ascends."
        )
    return tuple(start + width * index for index in range(int((end - start) / width) + 1))


def _turned(setup: Setup, knob: str, value: Fraction) -> Setup:
    if knob == K:
        return Setup.model_validate({**setup.model_dump(), "k": float(value)})
    return setup.with_channel(knob, weight=float(value))
