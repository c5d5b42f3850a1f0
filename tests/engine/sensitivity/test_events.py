import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.events import k_events, weight_events
from tests.engine.sensitivity.plain_fusion import (
    PlainFusion,
    as_fractions,
    plain_rrf,
    random_case,
    random_lists,
    random_weight,
    rankings_of,
)

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def rrf(k=60.0, **lists):
    return rrf_units(rankings_of(lists), k)


def told(receipt):
    """The events in short: value, riser, faller, + where the riser enters and - where the faller leaves."""
    return [
        (float(event.value), event.riser, event.faller, "+" * event.enters + "-" * event.leaves)
        for event in receipt.events
    ]


def test_who_passes_whom_with_both_sums():
    # k = 1: a = 1/2 + w/3, b = 1/3 + w/2, equal at w = 1; c = w/4 passes neither up to 2
    receipt = weight_events(rrf(k=1.0, bm25=["a", "b"], dense=["b", "a", "c"]), EVEN, "dense", 0.5, 2, n=2)
    assert told(receipt) == [(1.0, "b", "a", "")]
    assert (receipt.knob, receipt.start, receipt.end, receipt.n) == ("dense", F(1, 2), F(2), 2)
    assert (receipt.before, receipt.after) == (("a", "b"), ("b", "a"))
    (event,) = receipt.events
    assert event.riser_parts == {"bm25": pytest.approx(1 / 3), "dense": pytest.approx(1 / 2)}
    assert event.faller_parts == {"bm25": pytest.approx(1 / 2), "dense": pytest.approx(1 / 3)}


def test_the_way_back_tells_the_same_in_reverse():
    units = rrf(k=1.0, bm25=["a", "b"], dense=["b", "a", "c"])
    assert told(weight_events(units, EVEN, "dense", 2, 0.5, n=1)) == [(1.0, "a", "b", "+-")]


def test_no_move_no_event():
    assert weight_events(rrf(bm25=["a", "b"], dense=["b", "a"]), EVEN, "dense", 1, 1, n=2).events == ()


def test_a_move_that_ends_on_a_tie_ends_in_the_order_of_the_ids():
    # b = 1/2 + w/3 leads a = 1/3 + w/2 until w = 1, where they tie and a is first by its id
    units = rrf(k=1.0, bm25=["b", "a"], dense=["a", "b"])
    assert told(weight_events(units, EVEN, "dense", 0.5, 1, n=2)) == [(1.0, "a", "b", "")]
    assert told(weight_events(units, EVEN, "dense", 1, 2, n=2)) == []
    assert told(weight_events(units, EVEN, "dense", 2, 1, n=2)) == []
    assert told(weight_events(units, EVEN, "dense", 1, 0.5, n=2)) == [(1.0, "b", "a", "")]


def test_at_weight_zero_chunks_come_and_go():
    units = rrf(k=1.0, bm25=["a"], dense=["b"])
    assert told(weight_events(units, EVEN, "dense", 0, 0.5, n=2)) == [(0.0, "b", None, "+")]
    assert told(weight_events(units, EVEN, "dense", 0.5, 0, n=2)) == [(0.0, None, "b", "-")]
    # with one place, b has no other to go to than a's, and takes it at w = 1
    receipt = weight_events(units, EVEN, "dense", 0, 2, n=1)
    assert told(receipt) == [(1.0, "b", "a", "+-")]


def test_at_weight_zero_a_chunk_gives_way_or_takes_a_place_that_is_free():
    # c and d have 1/2 each; a comes third with w/2 as soon as bm25 counts, and goes with it
    units = rrf(k=1.0, bm25=["a", "b"], summary=["c"], dense=["d"])
    weights = {"bm25": 0.0, "summary": 1.0, "dense": 1.0}
    assert told(weight_events(units, weights, "bm25", 0, 0.5, n=3)) == [(0.0, "a", None, "+")]
    assert told(weight_events(units, weights, "bm25", 0.5, 0, n=3)) == [(0.0, None, "a", "-")]
    low = {"bm25": 0.1, "summary": 0.0, "dense": 1.0}
    assert told(weight_events(units, low, "dense", 1, 0, n=1)) == [(0.1, "a", "d", "+-")]


def test_leaving_zero_under_a_fusion_that_counts_matches_is_a_jump():
    # at 0 a = 0.5 and b = 0.8; right after, a counts twice: 1.0 + 0.2w
    table = np.array([[0.5, 0.1], [0.8, 0.0]])
    units = Units(("a", "b"), ("one", "two"), table, np.array([[2, 1], [1, 0]]), by_matches=True)
    receipt = weight_events(units, {"one": 1.0, "two": 1.0}, "two", 0, 1, n=1)
    assert told(receipt) == [(0.0, "a", "b", "+-")]


def test_three_lines_through_one_point_pass_each_other_pair_by_pair():
    table = np.array([[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[2, 2], [3, 1], [1, 3]]))
    receipt = weight_events(units, {"one": 1.0, "two": 1.0}, "two", 0.5, 2, n=3)
    assert told(receipt) == [(1.0, "a", "c", ""), (1.0, "b", "c", ""), (1.0, "b", "a", "")]


def test_k_moves_have_receipts_too():
    # a: 1/(k+1), s: 2/(k+3), equal at k = 1 with 1/2 each
    receipt = k_events(rankings_of({"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]}), EVEN, 0.5, 60, n=1)
    assert told(receipt) == [(1.0, "s", "a", "+-"), (1.0, "s", "c", "+")]  # c ties with a at every k
    assert receipt.knob == "k"
    assert receipt.events[0].riser_parts == {"bm25": 0.25, "dense": 0.25}
    assert receipt.events[0].faller_parts == {"bm25": 0.5, "dense": 0.0}


def check_replay(receipt):
    """Chunks of both lists have changed their order by an odd number of events, members by one entry more or less."""
    meetings = [{event.riser, event.faller} for event in receipt.events]
    for one, other in itertools.combinations(set(receipt.before) & set(receipt.after), 2):
        flipped = (receipt.before.index(one) < receipt.before.index(other)) != (
            receipt.after.index(one) < receipt.after.index(other)
        )
        assert meetings.count({one, other}) % 2 == flipped
    moves = {}
    for event in receipt.events:
        if event.enters:
            moves.setdefault(event.riser, {})[float(event.value)] = 1
        if event.leaves:
            moves.setdefault(event.faller, {})[float(event.value)] = -1
    for chunk_id in {*receipt.before, *receipt.after, *moves}:
        net = (chunk_id in receipt.after) - (chunk_id in receipt.before)
        assert sum(moves.get(chunk_id, {}).values()) == net, (chunk_id, receipt)


def check_parts(receipt):
    for event in receipt.events:
        if event.riser and event.faller and event.value != 0:
            assert sum(event.riser_parts.values()) == pytest.approx(
                sum(event.faller_parts.values()), rel=1e-9, abs=1e-9
            )


def check_lists(receipt, first):
    """Between the values of two events the list is one and the same; across one it is another order."""
    low, high = sorted((receipt.start, receipt.end))
    stops = sorted({low, high, *(F(float(event.value)) for event in receipt.events)})
    stops = [stop for stop in stops if low <= stop <= high]
    for one, other in itertools.pairwise(stops):
        width = other - one
        if width > F(1, 10**6):
            assert len({tuple(first(one + width * share / 8)) for share in range(1, 8)}) == 1
    assert tuple(first(receipt.start)) == receipt.before
    assert tuple(first(receipt.end)) == receipt.after


def check_weight(seed, sources, longest):
    rng = random.Random(seed)
    units, lists, values, by_matches = random_case(rng, sources, longest)
    weights = {name: random_weight(rng) for name in lists}
    source, n = rng.choice(list(lists)), rng.choice([1, 2, 3, 5, 10])
    start, end = (rng.choice([0.0, 1.0, 10.0, round(rng.uniform(0, 3), 2)]) for _ in range(2))
    receipt = weight_events(units, weights, source, start, end, n=n)
    plain, exact = PlainFusion(lists, values, by_matches), as_fractions(weights)
    check_replay(receipt)
    check_parts(receipt)
    check_lists(receipt, lambda weight: plain.order({**exact, source: weight})[:n])
    ordered = [event.value for event in receipt.events]
    assert ordered == sorted(ordered, reverse=end < start)


def check_k(seed, sources, longest):
    rng = random.Random(seed)
    lists = random_lists(rng, sources, longest)
    weights = {name: random_weight(rng) for name in lists}
    n = rng.choice([1, 2, 3, 5])
    start, end = (rng.choice([1.0, 60.0, 1000.0, round(rng.uniform(0.5, 30), 1)]) for _ in range(2))
    receipt = k_events(rankings_of(lists), weights, start, end, n=n)
    exact = as_fractions(weights)
    check_replay(receipt)
    check_parts(receipt)
    check_lists(receipt, lambda k: plain_rrf(lists, exact, k, n))


@pytest.mark.parametrize("sources", [2, 3])
def test_replaying_the_events_of_a_weight_gives_the_list_at_the_end(sources):
    for seed in range(150):
        check_weight(seed, sources, 15)


@pytest.mark.parametrize("sources", [2, 3])
def test_replaying_the_events_of_k_gives_the_list_at_the_end(sources):
    for seed in range(60):
        check_k(seed, sources, 12)


@pytest.mark.slow
@pytest.mark.parametrize("sources", [2, 3])
def test_replaying_gives_the_list_at_the_end_in_many_more_cases(sources):
    for seed in range(1_000, 1_200):
        check_weight(seed, sources, random.Random(seed).randint(1, 200))
        check_k(seed, sources, random.Random(seed).randint(1, 40))
