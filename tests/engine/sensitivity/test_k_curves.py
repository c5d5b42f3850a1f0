import random
from fractions import Fraction

import numpy as np
import pytest

from engine.errors import BadInput
from engine.sensitivity.k_curves import k_curves_of
from engine.sensitivity.polynomials import degree, sign_at
from tests.engine.sensitivity.plain_fusion import random_lists, random_weight, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def curves(lists, weights=EVEN, n=5, low=1, high=1000):
    return k_curves_of(rankings_of(lists), weights, n, low, high)


def test_the_polynomial_of_two_chunks_by_hand():
    # a: 1/(k+1), s: 2/(k+3); times both denominators: (k+3) - 2(k+1) = 1 - k
    found = curves({"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]})
    a, c, s = (found.ids.index(i) for i in "acs")
    assert found.difference(a, s) == (-1, 1)
    assert found.difference(a, c) == ()
    assert found.meetings(a, s) == ((F(1), True),)
    assert found.meetings(a, c) == ()
    assert found.score(s, F(1)) == F(1, 2)
    assert found.twins[a] == found.twins[c] != found.twins[s]


def test_weights_are_whole_multiples_and_unused_sources_are_left_out():
    found = curves({"bm25": ["a"], "dense": ["b"], "summary": ["c"]}, {"bm25": 0.35, "dense": 1.0, "summary": 0.0})
    assert found.whole_weights == (7, 20)
    assert found.ids == ("a", "b")
    assert found.twins[0] != found.twins[1]


def test_a_range_that_is_none_is_refused():
    with pytest.raises(BadInput, match="k from 2 to 1"):
        curves({"bm25": ["a"], "dense": []}, low=2, high=1)


@pytest.mark.parametrize(("sources", "most"), [(2, 2), (3, 4)])
def test_the_polynomial_has_the_sign_of_the_difference_and_a_low_degree(sources, most):
    for seed in range(60):
        rng = random.Random(seed)
        lists = random_lists(rng, sources, 12)
        found = curves(lists, {name: random_weight(rng) for name in lists})
        for _ in range(5) if len(found.ids) > 1 else ():
            one, other = rng.sample(range(len(found.ids)), 2)
            polynomial = found.difference(one, other)
            assert degree(polynomial) <= most
            k = F(rng.randint(1, 300), rng.randint(1, 9))
            lead = found.score(one, k) - found.score(other, k)
            assert sign_at(polynomial, k) == (lead > 0) - (lead < 0)


def test_bounds_hold_and_curves_that_meet_in_a_cell_are_not_told_apart():
    for seed in range(40):
        rng = random.Random(seed)
        lists = random_lists(rng, 2, 8)
        found = curves(lists, {name: random_weight(rng) for name in lists}, low=F(1, 2), high=200)
        edges, rows = found.edges(16), found.rows
        assert (edges[0], edges[-1], len(edges)) == (0.5, 200.0, 17)
        lower, upper = found.bounds(edges, rows)
        for share in (0.1, 0.5, 0.9):
            points = edges[:-1] + share * np.diff(edges)
            scores = found.scores(points, rows) * ((points + found.pivot) / (points + 1))[:, None]
            assert ((lower - 1e-12 <= scores) & (scores <= upper + 1e-12)).all()
        meet = found.may_meet(edges, np.tile(rows, (16, 1)))
        for one in rows.tolist():
            for other in range(one):
                for k, _ in found.meetings(one, other):
                    assert meet[min(max(int(np.searchsorted(edges, float(k))) - 1, 0), 15), one, other]
