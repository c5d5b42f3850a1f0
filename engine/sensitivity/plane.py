"""The rank plane: where every candidate stands in two sources, and which ranks are good enough for the first n."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.errors import BadInput, UnknownName
from engine.fusion.units import Units
from engine.sensitivity.lines import column_of
from engine.sensitivity.present import first_rows
from engine.sensitivity.supposed import SupposedScores


@dataclass(frozen=True, slots=True)
class PlanePoint:
    """A candidate with its rank in both sources, 1-based, None where one did not return it.

    `place` is that in the fused list, None beyond the first n.
    """

    chunk_id: str
    across: int | None
    up: int | None
    place: int | None


@dataclass(frozen=True, slots=True)
class RankPlane:
    """Every candidate by its ranks in the sources `across` and `up`, with the contour of the n-th place.

    `last` is the chunk on the n-th place, None where there are fewer. `contour` has, for each rank across that can be
    enough, the deepest listed rank up with which a chunk that no other source returned scores as much as `last`.
    `alone_across` and `alone_up` are the deepest ranks that are enough without the other source; None where none is.
    """

    across: str
    up: str
    points: tuple[PlanePoint, ...]
    last: str | None
    contour: tuple[tuple[int, int], ...]
    alone_across: int | None
    alone_up: int | None


@dataclass(frozen=True, slots=True)
class Needed:
    """The deepest `rank` of a source with which a chunk is among the first n; None where no listed one is enough.

    `absent` says that it is there without any place in that source.
    """

    rank: int | None
    absent: bool


def needed_rank(units: Units, weights: Mapping[str, float], n: int, chunk_id: str, source: str) -> Needed:
    """The deepest rank of `source` that puts the chunk among the first `n`, everything else as it is.

    Proof sketch: what a source adds does not rise with the rank, so the ranks that are enough are the first ones, and
    halving finds their end. A rank is enough where the chunk comes before the n-th of the other chunks, by exact score
    and then by id; where there are fewer than n others, every place is. `UnknownName` for a chunk that no source
    returned and for an unknown source.
    """
    column = column_of(units, source)
    if chunk_id not in units.ids:
        raise UnknownName(f"No source returned the chunk {chunk_id!r}.", "Search deeper.")
    row = units.ids.index(chunk_id)
    scores = SupposedScores(units, weights)
    others = [other for other in first_rows(units, weights, n + 1) if other != row]
    bar = (-scores.total({}, others[n - 1]), others[n - 1]) if len(others) >= n else None

    def enough(rank: int) -> bool:
        if not scores.is_found({column: rank}, row):
            return False
        return bar is None or (-scores.total({column: rank}, row), row) < bar

    last = bisect_left(range(1, scores.depths[column] + 1), True, key=lambda rank: not enough(rank))
    return Needed(last or None, absent=enough(0))


def rank_plane(units: Units, weights: Mapping[str, float], n: int, across: str, up: str) -> RankPlane:
    """The plane of two sources, with the contour through the present n-th place.

    Proof sketch of the contour: what a source adds does not rise with the rank, so the deepest rank up that is enough
    never deepens as the rank across does, and one walk along both finds it for all of them. `UnknownName` for an
    unknown source, `BadInput` for one source twice.
    """
    columns = column_of(units, across), column_of(units, up)
    if across == up:
        raise BadInput(f"The rank plane has {across!r} twice.", "Choose two different sources.")
    first = first_rows(units, weights, n)
    place = {row: index for index, row in enumerate(first, start=1)}
    points = tuple(
        PlanePoint(chunk_id, ranks[0] or None, ranks[1] or None, place.get(row))
        for row, (chunk_id, ranks) in enumerate(zip(units.ids, units.ranks[:, list(columns)].tolist(), strict=True))
    )
    if len(first) < n:
        return RankPlane(across, up, points, None, (), None, None)
    scores = SupposedScores(units, weights)
    bar = scores.total({}, first[-1])
    alone = (_alone(scores, column, bar) for column in columns)
    return RankPlane(across, up, points, units.ids[first[-1]], tuple(_contour(scores, columns, bar)), *alone)


def _contour(scores: SupposedScores, columns: tuple[int, int], bar: Fraction) -> Iterator[tuple[int, int]]:
    across, up = columns
    rank_up = scores.depths[up]
    for rank in range(1, scores.depths[across] + 1):
        while rank_up and not scores.reaches({across: rank, up: rank_up}, bar):
            rank_up -= 1
        if not rank_up:
            return
        yield rank, rank_up


def _alone(scores: SupposedScores, column: int, bar: Fraction) -> int | None:
    ranks = range(1, scores.depths[column] + 1)
    return bisect_left(ranks, True, key=lambda rank: not scores.reaches({column: rank}, bar)) or None
