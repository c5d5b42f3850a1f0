import itertools
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from engine.errors import BadInput
from engine.sensitivity.k_stretches import k_stretches
from engine.sensitivity.roots import Root
from tests.engine.sensitivity.plain_fusion import (
    around,
    as_fractions,
    plain_rrf,
    random_lists,
    random_weight,
    rankings_of,
)

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def stretches(lists, weights=EVEN, n=10, low=1, high=1000):
    found = k_stretches(rankings_of(lists), weights, n, low, high)
    return [(str(stretch.interval), "".join(stretch.ids)) for stretch in found]


def test_agreement_wins_from_the_k_on_at_which_it_is_worth_as_much_as_a_first_place():
    # a: 1/(k+1); s: 1/(k+3) + 1/(k+3). Equal where k+3 = 2k+2, at k = 1; b is second to a everywhere
    lists = {"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]}
    assert stretches(lists, n=1) == [("{1}", "a"), ("(1, 1000]", "s")]
    assert stretches(lists, n=1, low=0.5) == [("[0.5, 1]", "a"), ("(1, 1000]", "s")]
    # among the first two: a and c tie everywhere, by id; s joins them at 1 and passes both right after
    assert stretches(lists, n=2, low=0.5) == [("[0.5, 1]", "ac"), ("(1, 1000]", "sa")]


def test_where_two_chunks_touch_the_tie_order_makes_a_single_point():
    # weights 1:2, ranks x (1, 6), a (11, 2): at k = 4, 1/5 + 2/10 = 1/15 + 2/6 = 0.4; x has more on both sides
    lists = {"bm25": ["x", *"bcdefghij", "a"], "dense": ["k", "a", *"lmn", "x"]}
    assert stretches(lists, {"bm25": 1.0, "dense": 2.0}, n=3, low=3, high=4.5) == [
        ("[3, 4)", "kxa"),  # k alone has 2/(k+1), 0.4 at k = 4, too
        ("{4}", "akx"),
        ("(4, 4.5]", "xak"),
    ]


def test_no_list_one_list_and_equal_lists_hold_all_along():
    assert stretches({"bm25": [], "dense": []}) == [("[1, 1000]", "")]
    assert stretches({"bm25": ["b", "a"], "dense": []}, n=1) == [("[1, 1000]", "b")]
    assert stretches({"bm25": ["b", "a"], "dense": ["b", "a"]}) == [("[1, 1000]", "ba")]
    assert stretches({"bm25": ["b"], "dense": ["a"]}) == [("[1, 1000]", "ab")]
    assert stretches({"bm25": ["b"], "dense": ["a"]}, {"bm25": 1.0, "dense": 0.0}) == [("[1, 1000]", "b")]
    assert stretches({"bm25": ["b"], "dense": ["a"]}, {"bm25": 0.0, "dense": 0.0}) == [("[1, 1000]", "")]


def test_the_range_can_be_a_point_and_must_be_above_zero():
    lists = {"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]}
    assert stretches(lists, n=2, low=1, high=1) == [("{1}", "ac")]
    assert stretches(lists, n=2, low=2, high=2) == [("{2}", "sa")]
    with pytest.raises(BadInput, match="k from 0 to 5"):
        stretches(lists, low=0, high=5)


def test_an_irrational_end_is_a_root_in_a_narrow_bracket():
    # a (1, 9), s (3, 4): 1/(k+1) - 1/(k+3) = 1/(k+4) - 1/(k+9) where 2 (k+4)(k+9) = 5 (k+1)(k+3),
    # 3k^2 - 6k - 57 = 0, k = 1 + sqrt(20) = 5.472...
    lists = {"bm25": ["a", "b", "s"], "dense": [*"cde", "s", *"fghi", "a"]}
    first, second = k_stretches(rankings_of(lists), EVEN, 1, 2, 100)
    end = first.interval.high
    assert (first.ids, second.ids) == (("a",), ("s",))
    assert isinstance(end, Root)
    assert float(end) == pytest.approx(1 + 20**0.5, rel=1e-15)
    assert 0 < end.high - end.low <= F(1, 2**64)
    assert (first.interval.high_closed, second.interval.low_closed) == (True, False)


def decimal_order(lists, weights, root):
    """The order at an irrational k, by 200 digits; what differs by less than 1e-120 is equal."""
    with localcontext() as context:
        context.prec = 200
        k = bisected(root)
        scores = {}
        for name, ids in lists.items():
            for rank, i in enumerate(ids, 1) if weights[name] else ():
                share = Decimal(weights[name].numerator) / Decimal(weights[name].denominator)
                scores[i] = scores.get(i, Decimal(0)) + share / (k + rank)
        places = sorted(scores, key=lambda i: -scores[i])
        runs = [[places[0]]]
        for one, other in itertools.pairwise(places):
            if scores[one] - scores[other] < Decimal("1e-120"):
                runs[-1].append(other)
            else:
                runs.append([other])
        return [i for run in runs for i in sorted(run)]


def bisected(root):
    def value(x):
        total = Decimal(0)
        for coefficient in root.polynomial:
            total = total * x + coefficient
        return total

    low, high = (Decimal(end.numerator) / Decimal(end.denominator) for end in (root.low, root.high))
    for _ in range(500):
        middle = (low + high) / 2
        if (value(middle) > 0) == (value(low) > 0):
            low = middle
        else:
            high = middle
    return low


def check(seed, sources, longest):
    rng = random.Random(seed)
    lists = random_lists(rng, sources, longest)
    weights = {name: random_weight(rng) for name in lists}
    n = rng.choice([1, 2, 3, 5, 10])
    low, high = rng.choice([(F(1), F(1000)), (F(1), F(1000)), (F(1, 2), F(100)), (F(10), F(12))])
    exact = as_fractions(weights)
    found = k_stretches(rankings_of(lists), weights, n, low, high)
    ends = [found[0].interval.low, *(stretch.interval.high for stretch in found)]
    assert (ends[0], ends[-1]) == (low, high)
    points = {end for end in ends if isinstance(end, Fraction)}
    points |= {side for end in ends if isinstance(end, Root) for side in (end.low, end.high)}
    for point in around(points, low, high):
        here = [stretch for stretch in found if point in stretch.interval]
        assert len(here) == 1
        assert list(here[0].ids) == plain_rrf(lists, exact, point, n), (seed, sources, longest, n, point)
    for end in {end for end in ends if isinstance(end, Root)}:
        here = [stretch for stretch in found if end in stretch.interval]
        assert len(here) == 1
        assert list(here[0].ids) == decimal_order(lists, exact, end)[:n], (seed, sources, longest, n, float(end))
    for one, other in itertools.pairwise(found):
        assert one.interval.high == other.interval.low
        assert one.interval.high_closed != other.interval.low_closed
        assert one.ids != other.ids


@pytest.mark.parametrize(("sources", "cases"), [(2, 100), (3, 40)])
def test_agrees_with_fusing_again_at_every_end_and_on_both_sides(sources, cases):
    for seed in range(cases):
        check(seed, sources, 12)
    check(1, sources, 200)


@pytest.mark.slow
@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_in_many_more_cases(sources):
    for seed in range(1_000, 1_300):
        check(seed, sources, random.Random(seed).randint(1, 40))
    for seed in range(1_000, 1_060):
        check(seed, sources, random.Random(seed).randint(41, 200))
