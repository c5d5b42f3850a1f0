import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy

from engine.errors import UnknownName
from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.roots import Root
from engine.sensitivity.trades import Trades, k_trades, weight_trade
from tests.engine.sensitivity.plain_fusion import (
    PlainFusion,
    as_fractions,
    random_case,
    random_lists,
    random_weight,
    rankings_of,
)

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}
K = sympy.Symbol("k")


def test_the_weight_at_which_two_chunks_trade():
    # k = 60: a = 1/61 + w/62, b = 1/62 + w/61: at w = 1; c = w/63 never passes a's 1/61 + w/62
    units = rrf_units(rankings_of({"bm25": ["a", "b"], "dense": ["b", "a", "c"]}), 60.0)
    assert (
        weight_trade(units, EVEN, "dense", "a", "b") == weight_trade(units, EVEN, "dense", "b", "a") == Trades((F(1),))
    )
    assert weight_trade(units, EVEN, "dense", "a", "c").verdict == "never"
    # b = v/62 + 1/61 is above c = 1/63 from v = 0 on
    assert weight_trade(units, EVEN, "bm25", "b", "c").verdict == "never"
    assert weight_trade(units, EVEN, "dense", "a", "b", low=2).verdict == "never"
    assert weight_trade(units, EVEN, "dense", "a", "b", high=1) == Trades((F(1),))


def test_equal_lines_are_tied_and_zero_has_no_other_side():
    table = np.array([[0.5, 0.2], [0.5, 0.2], [0.5, 0.1]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[1, 1], [2, 2], [3, 3]]))
    assert weight_trade(units, {"one": 1.0, "two": 1.0}, "two", "a", "b") == Trades((), always_tied=True)
    assert weight_trade(units, {"one": 1.0, "two": 1.0}, "two", "a", "c").verdict == "never"


def test_the_k_at_which_a_first_place_and_agreement_trade():
    # a: 1/(k+1); s: 2/(k+3): at k = 1
    rankings = rankings_of({"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]})
    assert k_trades(rankings, EVEN, "a", "s") == Trades((F(1),))
    assert k_trades(rankings, EVEN, "a", "s", low=2).verdict == "never"
    assert k_trades(rankings, EVEN, "a", "b").verdict == "never"
    assert k_trades(rankings, EVEN, "a", "c") == Trades((), always_tied=True)
    assert k_trades(rankings, EVEN, "a", "c").verdict == "tied"


def test_mirrored_ranks_are_tied_at_every_k_only_at_equal_weights():
    rankings = rankings_of({"bm25": ["a", "b"], "dense": ["b", "a"]})
    assert k_trades(rankings, EVEN, "a", "b").verdict == "tied"
    assert k_trades(rankings, {"bm25": 1.0, "dense": 0.9}, "a", "b").verdict == "never"
    # weights 1:2, first in one against second in the other: 1/(k+1) = 2/(k+2) at k = 0 only
    assert (
        k_trades(rankings_of({"bm25": ["a"], "dense": ["x", "b"]}), {"bm25": 1.0, "dense": 2.0}, "a", "b").verdict
        == "never"
    )


def test_a_touch_is_no_trade():
    # weights 1:2, x (1, 6), a (11, 2): equal at k = 4 (1/5 + 2/10 = 1/15 + 2/6), and x has more on both sides
    rankings = rankings_of({"bm25": ["x", *"bcdefghij", "a"], "dense": ["k", "a", *"lmn", "x"]})
    assert k_trades(rankings, {"bm25": 1.0, "dense": 2.0}, "a", "x") == Trades((), touches=(F(4),))


def test_two_chunks_can_trade_twice():
    # weights 1:2, x (1, 6), a (10, 2): k = 2: 1/3 + 2/8 = 1/12 + 2/4 = 7/12; k = 14: 1/15 + 2/20 = 1/24 + 2/16 = 1/6
    rankings = rankings_of({"bm25": ["x", *"bcdefghi", "a"], "dense": ["k", "a", *"lmn", "x"]})
    assert k_trades(rankings, {"bm25": 1.0, "dense": 2.0}, "a", "x") == Trades((F(2), F(14)))
    # 3/(k+1) = 3.5/(k+2) at k = 5
    rankings = rankings_of({"bm25": ["a"], "dense": ["y", "b"]})
    assert k_trades(rankings, {"bm25": 3.0, "dense": 3.5}, "a", "b") == Trades((F(5),))


def test_an_unknown_chunk_is_refused():
    rankings = rankings_of({"bm25": ["a"], "dense": ["b"]})
    with pytest.raises(UnknownName, match="No source with a weight above 0 returned the chunk 'z'"):
        k_trades(rankings, EVEN, "a", "z")
    with pytest.raises(UnknownName, match="returned the chunk 'b'"):
        k_trades(rankings, {"bm25": 1.0, "dense": 0.0}, "a", "b")
    with pytest.raises(UnknownName, match="returned the chunk 'a'"):
        weight_trade(rrf_units(rankings, 60.0), {"bm25": 0.0, "dense": 1.0}, "dense", "a", "b")


@pytest.mark.parametrize("sources", [2, 3])
def test_a_weight_trade_agrees_with_fusing_again(sources):
    for seed in range(250):
        rng = random.Random(seed)
        units, lists, values, by_matches = random_case(rng, sources, 8)
        weights = {name: random_weight(rng) for name in lists}
        source = rng.choice(list(lists))
        plain, exact = PlainFusion(lists, values, by_matches), as_fractions(weights)
        brought = plain.order({**exact, source: F(1)})
        if len(brought) < 2:
            continue
        a, b = rng.sample(brought, 2)
        trades = weight_trade(units, weights, source, a, b)
        points = [
            F(1, 10**9),
            *(value + side for value in trades.values for side in (-F(1, 10**9), F(1, 10**9))),
            F(10),
        ]
        orders = [plain.order({**exact, source: point}) for point in points if point > 0]
        leads = [order.index(a) < order.index(b) for order in orders]
        assert len(trades.values) <= 1
        if trades.verdict == "trades" and trades.values[0] not in (F(0), F(10)):
            assert leads[1] != leads[2]
        elif trades.verdict == "tied":
            assert set(leads) == {a < b}
        else:
            assert len(set(leads[: len(leads) - 1])) <= 1


def difference(lists, weights, a, b):
    parts = [
        sign * sympy.Rational(weights[name].numerator, weights[name].denominator) / (K + ids.index(i) + 1)
        for name, ids in lists.items()
        for i, sign in ((a, 1), (b, -1))
        if i in ids
    ]
    return sympy.numer(sympy.together(sum(parts)))


@pytest.mark.parametrize(("sources", "cases"), [(2, 120), (3, 60)])
def test_k_trades_agree_with_sympy(sources, cases):
    for seed in range(cases):
        rng = random.Random(seed)
        lists = random_lists(rng, sources, 12)
        weights = as_fractions({name: rng.choice([1.0, 1.0, 2.0, 0.7, 0.35]) for name in lists})
        brought = sorted(set().union(*lists.values()))
        if len(brought) < 2:
            continue
        a, b = rng.sample(brought, 2)
        trades = k_trades(rankings_of(lists), {name: float(weight) for name, weight in weights.items()}, a, b)
        numerator = sympy.Poly(difference(lists, weights, a, b), K)
        assert trades.always_tied == numerator.is_zero
        if numerator.degree() < 1:
            assert not trades.values
            continue
        found = [root for root in numerator.real_roots() if 1 <= root <= 1000]
        odd = sorted(root for root in set(found) if found.count(root) % 2)
        assert len(trades.values) == len(odd)
        assert len(trades.touches) == len(set(found)) - len(odd)
        for mine, root in zip(trades.values, odd, strict=True):
            assert isinstance(mine, Root) != bool(root.is_rational)
            assert float(mine) == pytest.approx(float(root), rel=1e-12)
        assert all(one < other for one, other in pairwise(trades.values))
