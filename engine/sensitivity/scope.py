"""For which list an exact answer holds, in one sentence."""

from __future__ import annotations

from engine.types import Setup


def scope_of(setup: Setup) -> str:
    """The sentence that stands by every exact answer; it names the later stages that are on."""
    later = [
        name
        for name, is_on in (
            (f"the agreement “{setup.agreement}”", setup.agreement != "each"),
            ("the minimum fused score", setup.fused_threshold is not None),
            ("the rerank", bool(setup.rerank.model)),
        )
        if is_on
    ]
    answer = "Holds for the fused list after filters and minimum channel scores"
    return f"{answer}, before {_joined(later)}." if later else f"{answer}."


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
