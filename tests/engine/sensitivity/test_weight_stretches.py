import random
from fractions import Fraction
from itertools import pairwise

import pytest

from engine.fusion.rrf import rrf_units
from engine.sensitivity.weight_stretches import weight_stretches
from tests.engine.sensitivity.plain_fusion import (
    PlainFusion,
    around,
    as_fractions,
    random_case,
    random_weight,
    rankings_of,
)

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def test_the_list_along_the_weight():
    # k = 1: a = 1/2 + w/3, b = 1/3 + w/2, equal at 1; d = w/4 is none at 0
    units = rrf_units(rankings_of({"bm25": ["a", "b"], "dense": ["b", "a", "d"]}), 1.0)
    assert [(str(stretch.interval), "".join(stretch.ids)) for stretch in weight_stretches(units, EVEN, "dense", 3)] == [
        ("{0}", "ab"),
        ("(0, 1]", "abd"),
        ("(1, 10]", "bad"),
    ]


def check(seed, sources, longest):
    rng = random.Random(seed)
    units, lists, values, by_matches = random_case(rng, sources, longest)
    weights = {name: random_weight(rng) for name in lists}
    source, n = rng.choice(list(lists)), rng.choice([1, 2, 3, 5, 10])
    low, high = rng.choice([(F(0), F(10)), (F(1, 2), F(2)), (F(0), F(1))])
    found = weight_stretches(units, weights, source, n, low, high)
    plain, exact = PlainFusion(lists, values, by_matches), as_fractions(weights)
    for weight in around({stretch.interval.high for stretch in found}, low, high):
        here = [stretch.ids for stretch in found if weight in stretch.interval]
        assert here == [tuple(plain.order({**exact, source: weight})[:n])], (seed, sources, source, n, weight)
    for one, other in pairwise(found):
        assert one.interval.high == other.interval.low
        assert one.interval.high_closed != other.interval.low_closed
        assert one.ids != other.ids


@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_at_every_end_and_on_both_sides(sources):
    for seed in range(100):
        check(seed, sources, 15)


@pytest.mark.slow
@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_in_many_more_cases(sources):
    for seed in range(1_000, 1_150):
        check(seed, sources, random.Random(seed).randint(1, 200))
