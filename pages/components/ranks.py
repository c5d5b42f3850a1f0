"""How ranks, their changes and grades are put into signs and words, the same on every screen."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.pipelines.path import FUSED
from engine.types import Dropped, Ranking, Stage

Way = Literal["up", "down", "same", "absent", "new"]


@dataclass(frozen=True, slots=True)
class Move:
    """How a chunk's rank differs from its rank elsewhere: a sign (`▲2`) and the same in words."""

    sign: str
    way: Way
    word: str


def move(before: int | None, now: int, where: str, removed: str = "") -> Move:
    """How `now` compares with the rank `before` in `where`; ▲ means nearer to the top than there.

    `removed` says why a stage took the chunk out of that list, where one did.
    """
    if before is None:
        return Move("×", "absent", f"{removed} in {where}" if removed else f"not retrieved by {where}")
    if before == now:
        return Move("=", "same", f"same place as in {where}")
    way: Way = "up" if now < before else "down"
    steps = abs(before - now)
    places = "place" if steps == 1 else "places"
    words = {"up": "higher", "down": "lower"}
    return Move(
        f"{'▲' if way == 'up' else '▼'}{steps}", way, f"{steps} {places} {words[way]} than in {where} ({before})"
    )


def move_from_pin(pinned: Ranking, chunk_id: str, now: int) -> Move:
    """How a chunk's final rank compares with the one that it had under the pinned setup."""
    before = pinned.rank(chunk_id)
    return (
        Move("new", "new", "not among the pinned results") if before is None else move(before, now, "the pinned setup")
    )


@dataclass(frozen=True, slots=True)
class Grade:
    """A judgment as a shape and a word.

    `fill` is the grade as a share of the best one of the query; None where nobody judged.
    """

    fill: float | None
    word: str

    @property
    def sign(self) -> str:
        """`·` where nobody judged, `○` for not relevant, `◔ ◑ ●` the fuller the better."""
        if self.fill is None:
            return "·"
        return next(sign for most, sign in _SIGNS if self.fill <= most)


_SIGNS = ((0, "○"), (0.5 - 1e-9, "◔"), (1 - 1e-9, "◑"), (1, "●"))


def grade_of(chunk_id: str, grades: Mapping[str, int]) -> Grade:
    """The grade of a chunk among the judgments of one query; not judged is not the same as not relevant."""
    value = grades.get(chunk_id)
    if value is None:
        return Grade(None, "not judged")
    if value <= 0:
        return Grade(0.0, f"judged not relevant (grade {value})")
    highest = max(grades.values())
    return Grade(value / highest, f"judged relevant (grade {value} of {highest})")


def initials(labels: Mapping[str, str]) -> dict[str, str]:
    """The shortest beginnings (one letter at least) that tell the labels apart, by the same keys."""
    return {
        key: _shortest(label, [other for name, other in labels.items() if name != key]) for key, label in labels.items()
    }


def _shortest(label: str, others: Iterable[str]) -> str:
    taken = [other.casefold() for other in others]
    for length in range(1, len(label)):
        if not any(other.startswith(label[:length].casefold()) for other in taken):
            return label[:length]
    return label


FUSED_LABEL = "Fused"
"""What the list of the fusion is called on every screen."""

_TAKEN_OUT: Mapping[Stage | Literal["depth"], str] = {
    "filter": "taken out by a filter",
    "threshold": "below the minimum score {}",
    "depth": "beyond the depth {}",
    "agreement": "taken out by the agreement rule",
    "fused threshold": "below the minimum fused score {}",
    "rerank depth": "beyond the first {} reranked",
    "rerank threshold": "below the minimum rerank score {}",
}


def taken_out(stage: Stage | Literal["depth"], limit: float | None) -> str:
    """Why a stage, or the depth of a channel, took a chunk out, in a few words."""
    said = "" if limit is None else f"{limit:,}" if isinstance(limit, int) else f"{limit:g}"
    return _TAKEN_OUT[stage].format(said).rstrip()


def removals(dropped: Iterable[Dropped], named: Container[str]) -> Mapping[str, Mapping[str, str]]:
    """By list (the fusion is `fused`), why a stage took a named chunk out of it; the first stage counts."""
    reasons: dict[str, dict[str, str]] = {}
    for drop in dropped:
        if drop.chunk_id in named:
            reasons.setdefault(drop.channel or FUSED, {}).setdefault(drop.chunk_id, taken_out(drop.stage, drop.limit))
    return reasons
