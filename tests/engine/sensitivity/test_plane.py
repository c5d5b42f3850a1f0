import random
from fractions import Fraction

import numpy as np
import pytest

from engine.errors import BadInput, UnknownName
from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.plane import Needed, PlanePoint, needed_rank, rank_plane
from tests.engine.sensitivity.plain_fusion import as_fractions, plain_rrf, random_lists, random_weight, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def rrf(k=60.0, **lists):
    return rrf_units(rankings_of(lists), k)


def test_points_contour_and_margins_by_hand():
    # k = 1: a (1, 3) 1/2 + 1/4, b (2, 1) 1/3 + 1/2, c (3, -) 1/4, d (-, 2) 1/3. Second: a with 3/4
    plane = rank_plane(rrf(k=1.0, bm25=["a", "b", "c"], dense=["b", "d", "a"]), EVEN, 2, "bm25", "dense")
    assert plane.points == (
        PlanePoint("a", 1, 3, 2),
        PlanePoint("b", 2, 1, 1),
        PlanePoint("c", 3, None, None),
        PlanePoint("d", None, 2, None),
    )
    assert plane.last == "a"
    # first across needs 1/4: rank 3; second 5/12: rank 1; third 1/2: rank 1
    assert plane.contour == ((1, 3), (2, 1), (3, 1))
    assert (plane.alone_across, plane.alone_up) == (None, None)
    # d (-, 2) is third: first in one list, 1/2, or second, 1/3, is as good as that
    plane = rank_plane(rrf(k=1.0, bm25=["a", "b", "c"], dense=["b", "d", "a"]), EVEN, 3, "bm25", "dense")
    assert (plane.alone_across, plane.alone_up) == (2, 2)
    assert plane.contour[0] == (1, 3)


def test_the_rank_that_a_chunk_needs():
    units = rrf(k=1.0, bm25=["a", "b", "c"], dense=["b", "d", "a"])
    # c (3, -): second is a with 3/4; 1/4 + 1/2 ties, and a is first by its id: no rank is enough. d (-, 2): 1/2 + 1/3
    assert needed_rank(units, EVEN, 2, "c", "dense") == Needed(None, absent=False)
    assert needed_rank(units, EVEN, 2, "d", "bm25") == Needed(1, absent=False)
    # b (2, 1) is first; the second of the others is d with 1/3: 1/3 + anything is enough, even nothing, by its id
    assert needed_rank(units, EVEN, 2, "b", "dense") == Needed(3, absent=True)
    assert needed_rank(units, EVEN, 9, "c", "dense") == Needed(3, absent=True)


def test_a_source_without_weight_lets_nobody_in():
    units = rrf(k=1.0, bm25=["a", "b"], dense=["c", "b"])
    one = {"bm25": 1.0, "dense": 0.0}
    assert needed_rank(units, one, 1, "b", "dense") == Needed(None, absent=False)
    assert needed_rank(units, one, 1, "c", "bm25") == Needed(None, absent=False)  # ties with a, which is first by id
    assert needed_rank(units, one, 2, "c", "bm25") == Needed(1, absent=False)
    assert needed_rank(units, one, 2, "c", "dense") == Needed(None, absent=False)
    assert needed_rank(units, one, 2, "a", "dense") == Needed(2, absent=True)


def test_there_is_no_contour_without_an_nth_place():
    plane = rank_plane(rrf(bm25=["a"], dense=["b"]), EVEN, 3, "bm25", "dense")
    assert (plane.last, plane.contour, plane.alone_across, plane.alone_up) == (None, (), None, None)
    assert len(plane.points) == 2


def test_unknown_names_are_refused():
    units = rrf(bm25=["a"], dense=["b"])
    with pytest.raises(UnknownName, match="No source 'splade'"):
        rank_plane(units, EVEN, 3, "bm25", "splade")
    with pytest.raises(BadInput, match="has 'bm25' twice"):
        rank_plane(units, EVEN, 3, "bm25", "bm25")
    with pytest.raises(UnknownName, match="No source returned the chunk 'z'"):
        needed_rank(units, EVEN, 3, "z", "dense")


def test_a_fusion_of_scores_has_a_plane_too():
    # a 1.0 + 0.2, b 0.5 + 0.9, c 0.0 + 1.0: second is a with 1.2; rank 1 across needs 0.2, rank 2 0.7: 0.9 is enough
    table = np.array([[1.0, 0.2], [0.5, 0.9], [0.0, 1.0]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[1, 3], [2, 2], [3, 1]]))
    plane = rank_plane(units, {"one": 1.0, "two": 1.0}, 2, "one", "two")
    assert plane.contour == ((1, 3), (2, 2))
    doubled = Units(units.ids, units.sources, units.values, units.ranks, by_matches=True)
    assert rank_plane(doubled, {"one": 1.0, "two": 1.0}, 2, "one", "two").contour == ((1, 3), (2, 2))


@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_scoring_every_rank(sources):
    for seed in range(150):
        rng = random.Random(seed)
        lists = random_lists(rng, sources, 12)
        weights = {name: random_weight(rng) for name in lists}
        exact, n = as_fractions(weights), rng.choice([1, 2, 3, 5])
        units = rrf(k=60.0, **lists)
        if not units.ids:
            continue
        chunk_id, source = rng.choice(units.ids), rng.choice(list(lists))

        def score(i, ranks, exact=exact):
            return sum((exact[name] / (60 + rank) for name, rank in ranks.items() if rank), F(0))

        own = {name: ids.index(chunk_id) + 1 if chunk_id in ids else 0 for name, ids in lists.items()}
        others = [i for i in plain_rrf(lists, exact, F(60), n + 1) if i != chunk_id]
        bar = None
        if len(others) >= n:
            last = others[n - 1]
            bar = (-score(last, {name: ids.index(last) + 1 if last in ids else 0 for name, ids in lists.items()}), last)

        def enters(rank, own=own, bar=bar, score=score, source=source, exact=exact, chunk_id=chunk_id):
            ranks = {**own, source: rank}
            if not any(exact[name] and at for name, at in ranks.items()):
                return False
            return bar is None or (-score(chunk_id, ranks), chunk_id) < bar

        enough = [rank for rank in range(1, len(lists[source]) + 1) if enters(rank)]
        assert needed_rank(units, weights, n, chunk_id, source) == Needed(max(enough, default=None), enters(0)), seed
        plane = rank_plane(units, weights, n, "bm25", "dense")
        if plane.last:
            reached = score(
                plane.last, {name: ids.index(plane.last) + 1 if plane.last in ids else 0 for name, ids in lists.items()}
            )
            expected = []
            for across in range(1, len(lists["bm25"]) + 1):
                ups = [
                    up
                    for up in range(1, len(lists["dense"]) + 1)
                    if score("", {"bm25": across, "dense": up}) >= reached
                ]
                expected += [(across, max(ups))] if ups else []
            assert plane.contour == tuple(expected), seed
