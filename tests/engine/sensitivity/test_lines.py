import random
from fractions import Fraction

import numpy as np
import pytest

from engine.errors import BadInput, UnknownName
from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.lines import column_of, lines_of
from tests.engine.sensitivity.plain_fusion import random_case, random_weight, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def rrf(k=60.0, **lists):
    return rrf_units(rankings_of(lists), k)


def test_a_score_is_a_line_in_the_weight():
    # k = 1: a = 2 * 1/2 + w/3, b = 2 * 1/3 + w/2: 1 + w/3 = 2/3 + w/2 at w = 2
    lines = lines_of(
        rrf(k=1.0, bm25=["a", "b"], dense=["b", "a"]), {"bm25": 2.0, "dense": 9.0}, "dense", 5, F(0), F(10)
    )
    assert [lines.line(row) for row in (0, 1)] == [(F(1), F(1, 3)), (F(2, 3), F(1, 2))]
    assert lines.score(0, F(3)) == 2
    assert lines.meetings(0, 1) == lines.meetings(1, 0) == ((F(2), True),)
    assert np.allclose(lines.scores(np.array([3.0]), np.array([0, 1])), [[2 / (1 + 1.5), (2 / 3 + 1.5) / (1 + 1.5)]])


def test_lines_meet_in_the_range_and_above_zero_or_not_at_all():
    units = rrf(k=1.0, bm25=["a", "b"], dense=["b", "a"])
    assert lines_of(units, EVEN, "dense", 5, F(0), F(1)).meetings(0, 1) == ((F(1), True),)
    assert lines_of(units, EVEN, "dense", 5, F(0), F(1, 2)).meetings(0, 1) == ()
    table = np.array([[0.5, 0.2], [0.5, 0.1], [0.5, 0.1]])
    tied = Units(("a", "b", "c"), ("one", "two"), table, np.array([[1, 1], [2, 2], [3, 3]]))
    lines = lines_of(tied, {"one": 1.0, "two": 1.0}, "two", 5, F(0), F(10))
    assert lines.meetings(0, 1) == lines.meetings(1, 2) == ()
    assert lines.twins[1] == lines.twins[2] != lines.twins[0]


def test_of_rows_with_the_same_constant_the_n_steepest_are_kept():
    units = rrf(bm25=["a"], dense=[f"d{number}" for number in range(9)])
    lines = lines_of(units, EVEN, "dense", 3, F(0), F(10))
    assert [units.ids[row] for row in lines.rows] == ["a", "d0", "d1", "d2"]


def test_wrong_names_and_ranges_are_refused():
    units = rrf(bm25=["a"], dense=[])
    assert column_of(units, "dense") == 1
    with pytest.raises(UnknownName, match=r"No source 'splade' in this fusion\. Choose one of: bm25, dense\."):
        column_of(units, "splade")
    with pytest.raises(BadInput, match="Weights from -1 to 1"):
        lines_of(units, EVEN, "dense", 1, F(-1), F(1))


def test_bounds_hold_and_lines_that_meet_in_a_cell_are_not_told_apart():
    for seed in range(60):
        rng = random.Random(seed)
        units, lists, _, _ = random_case(rng, 3, 10)
        weights = {name: random_weight(rng) for name in lists}
        low, high = rng.choice([(F(0), F(10)), (F(1, 3), F(2)), (F(1), F(1))])
        lines = lines_of(units, weights, rng.choice(list(lists)), 5, low, high)
        edges, rows = lines.edges(16), lines.rows
        assert (edges[0], edges[-1], len(edges)) == (float(low), float(high), 17)
        assert (np.diff(edges) >= 0).all()
        lower, upper = lines.bounds(edges, rows)
        for share in (0.1, 0.5, 0.9):
            scores = lines.scores(edges[:-1] + share * np.diff(edges), rows)
            assert ((lower - 1e-12 <= scores) & (scores <= upper + 1e-12)).all()
        meet = lines.may_meet(edges, np.tile(rows, (16, 1)))
        for i, one in enumerate(rows.tolist()):
            for j, other in enumerate(rows.tolist()):
                for weight, _ in lines.meetings(one, other) if i != j else ():
                    cell = min(max(int(np.searchsorted(edges, float(weight))) - 1, 0), 15)
                    assert meet[cell, i, j]
