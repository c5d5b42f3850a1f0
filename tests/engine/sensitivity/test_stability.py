import random
from fractions import Fraction

import pytest

from engine.errors import UnknownName
from engine.fusion.rrf import rrf_units
from engine.sensitivity.roots import Root
from engine.sensitivity.stability import k_stability, weight_stability
from tests.engine.sensitivity.plain_fusion import PlainFusion, as_fractions, random_case, random_weight, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def rrf(k=60.0, **lists):
    return rrf_units(rankings_of(lists), k)


def test_the_distance_to_the_next_change_of_the_order_and_of_the_members():
    # k = 1: a = 1/2 + w/3, b = 1/3 + w/2 trade at 1; c = w/4 passes nobody: the members stay from the first step on
    units = rrf(k=1.0, bm25=["a", "b"], dense=["b", "a", "c"])
    seen = weight_stability(units, {"bm25": 1.0, "dense": 0.7}, "dense", 2)
    assert (seen.order.below, seen.order.above, seen.order.distance) == (None, F(1), pytest.approx(0.3))
    assert str(seen.order.interval) == "[0, 1]"
    assert (seen.members.below, seen.members.above, seen.members.distance) == (None, None, None)
    assert str(seen.members.interval) == "[0, 10]"


def test_a_tie_right_now_has_no_distance_on_the_side_where_it_breaks():
    units = rrf(k=1.0, bm25=["a", "b"], dense=["b", "a"])
    seen = weight_stability(units, EVEN, "dense", 1)
    assert (seen.order.above, seen.order.distance) == (F(1), 0.0)
    assert seen.order.interval.high_closed


def test_k_has_its_own_distance():
    # a: 1/(k+1) and s: 2/(k+3) trade at 1
    rankings = rankings_of({"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]})
    seen = k_stability(rankings, EVEN, 60, 1)
    assert (seen.order.below, seen.order.above, seen.order.distance) == (F(1), None, 59.0)
    assert not seen.order.interval.low_closed
    assert k_stability(rankings, EVEN, 60, 1, low=2).order.distance is None
    assert k_stability(rankings, EVEN, 0.5, 1).order.above == 1  # below the slider's range, which it widens


def test_an_irrational_end_has_a_distance_too():
    # a (1, 9) and s (3, 4) trade at k = 1 + sqrt(20), by 3k^2 - 6k - 57 = 0
    rankings = rankings_of({"bm25": ["a", "b", "s"], "dense": [*"cde", "s", *"fghi", "a"]})
    seen = k_stability(rankings, EVEN, 4, 1)
    assert isinstance(seen.order.above, Root)
    assert seen.order.distance == pytest.approx(20**0.5 - 3)


def test_no_candidates_no_change():
    assert weight_stability(rrf(bm25=[], dense=[]), EVEN, "dense", 5).order.distance is None
    with pytest.raises(UnknownName, match="No source 'splade'"):
        weight_stability(rrf(bm25=["a"], dense=[]), EVEN, "splade", 5)


def test_nothing_changes_before_the_next_change_and_something_does_right_after():
    for seed in range(150):
        rng = random.Random(seed)
        units, lists, values, by_matches = random_case(rng, 2, 20)
        weights = {name: random_weight(rng) for name in lists}
        source, n = rng.choice(list(lists)), rng.choice([1, 3, 5])
        plain, exact = PlainFusion(lists, values, by_matches), as_fractions(weights)
        seen = weight_stability(units, weights, source, n)
        for reach, alike in ((seen.order, tuple), (seen.members, frozenset)):

            def at(weight, alike=alike, exact=exact, source=source, plain=plain, n=n):
                return alike(plain.order({**exact, source: weight})[:n])

            here, interval = at(exact[source]), reach.interval
            inside = [interval.low + (interval.high - interval.low) * share / 16 for share in range(1, 16)]
            assert {at(weight) for weight in inside} == {here}
            for end, closed, beyond in (
                (reach.below, interval.low_closed, -F(1, 10**12)),
                (reach.above, interval.high_closed, F(1, 10**12)),
            ):
                if end is not None:
                    assert (at(end) == here) == closed
                    assert at(end + beyond if closed else end) != here
