import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from engine.errors import BadInput, UnknownName
from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units
from engine.sensitivity.intervals import Change, needed_change, weight_intervals
from engine.sensitivity.values import Interval
from tests.engine.sensitivity.plain_fusion import (
    NAMES,
    PlainFusion,
    around,
    as_fractions,
    random_case,
    random_weight,
    rankings_of,
)

F = Fraction


def closed(low, high):
    return Interval(F(low), F(high), True, True)


def rrf(k=60.0, **lists):
    return rrf_units(rankings_of(lists), k)


def written(intervals):
    return {chunk_id: " ".join(map(str, parts)) for chunk_id, parts in intervals.items()}


def test_two_lists_of_two_by_hand():
    # k = 1: a = 1/2 + w/3, b = 1/3 + w/2; equal at w = 1, where a comes first by its id
    intervals = weight_intervals(rrf(k=1.0, bm25=["a", "b"], dense=["b", "a"]), {"bm25": 1.0, "dense": 1.0}, "dense", 1)
    assert written(intervals) == {"a": "[0, 1]", "b": "(1, 10]"}
    intervals = weight_intervals(rrf(k=1.0, bm25=["b", "a"], dense=["a", "b"]), {"bm25": 1.0, "dense": 1.0}, "dense", 1)
    assert written(intervals) == {"b": "[0, 1)", "a": "[1, 10]"}


def test_at_weight_zero_the_source_brings_no_chunk_and_a_point_stands_alone():
    # above 0, d (0 + w/2) comes third after a and b; at 0 it is no candidate, and there is no third
    intervals = weight_intervals(rrf(k=1.0, bm25=["a", "b"], dense=["d"]), {"bm25": 1.0, "dense": 1.0}, "dense", 3)
    assert written(intervals) == {"a": "[0, 10]", "b": "[0, 10]", "d": "(0, 10]"}
    # at 0, a and b tie at 1/2 by different lists and a is first by id; above it b has more
    units = rrf(k=1.0, bm25=["a"], summary=["b"], dense=["b"])
    assert written(weight_intervals(units, {"bm25": 1.0, "summary": 1.0, "dense": 1.0}, "dense", 1)) == {
        "a": "{0}",
        "b": "(0, 10]",
    }


def test_where_three_lines_meet_the_lowest_id_has_a_point_of_its_own():
    # a = 0.5 + 0.5w, b = 0.25 + 0.75w, c = 0.75 + 0.25w: all 1 at w = 1; elsewhere a is never first
    table = np.array([[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]])
    units = Units(("a", "b", "c"), ("one", "two"), table, np.array([[2, 2], [3, 1], [1, 3]]))
    intervals = weight_intervals(units, {"one": 1.0, "two": 5.0}, "two", 1)
    assert written(intervals) == {"a": "{1}", "b": "(1, 10]", "c": "[0, 1)"}


def test_nothing_comes_of_nothing():
    nothing = {"bm25": 0.0, "dense": 0.0}
    assert weight_intervals(rrf(bm25=[], dense=[]), {"bm25": 1.0, "dense": 1.0}, "dense", 3) == {}
    assert written(weight_intervals(rrf(bm25=["a"], dense=["b"]), nothing, "dense", 3)) == {"b": "(0, 10]"}
    assert weight_intervals(rrf(bm25=["a"], dense=[]), nothing, "dense", 3) == {}


def test_every_candidate_of_equal_lists_stays_where_it_is():
    units = rrf(bm25=["b", "a", "c"], dense=["b", "a", "c"])
    assert written(weight_intervals(units, {"bm25": 1.0, "dense": 1.0}, "bm25", 2)) == {"b": "[0, 10]", "a": "[0, 10]"}


def test_by_matches_jumps_at_zero():
    # above 0, a counts twice: 2 (0.5 + 0.1w); at 0 once: 0.5, less than b's 0.8
    table = np.array([[0.5, 0.1], [0.8, 0.0]])
    units = Units(("a", "b"), ("one", "two"), table, np.array([[2, 1], [1, 0]]), by_matches=True)
    assert written(weight_intervals(units, {"one": 1.0, "two": 1.0}, "two", 1)) == {"a": "(0, 10]", "b": "{0}"}


def test_the_range_can_be_a_part_or_a_point():
    units = rrf(k=1.0, bm25=["a", "b"], dense=["b", "a"])
    both = {"bm25": 1.0, "dense": 1.0}
    assert written(weight_intervals(units, both, "dense", 1, 1, 2)) == {"a": "{1}", "b": "(1, 2]"}
    assert written(weight_intervals(units, both, "dense", 1, 2, 2)) == {"b": "{2}"}
    assert written(weight_intervals(units, both, "dense", 1, 0, 0)) == {"a": "{0}"}
    with pytest.raises(BadInput, match="Weights from 2 to 1"):
        weight_intervals(units, both, "dense", 1, 2, 1)
    with pytest.raises(UnknownName, match="No source 'splade'"):
        weight_intervals(units, both, "splade", 1)


def test_constants_that_cancel_are_told_apart_all_the_same():
    # without three: a = 0.1 + 0.2 - 0.3 = 0, in floats 5.6e-17; b = 1e-17; with it a + 0.5w, b + 0.25w: equal at 4e-17
    table = np.array([[0.1, 0.2, -0.3, 0.5], [1e-17, 0.0, 0.0, 0.25]])
    units = Units(("a", "b"), ("one", "two", "minus", "w"), table, np.array([[1, 1, 1, 1], [2, 0, 0, 2]]))
    intervals = weight_intervals(units, dict.fromkeys(units.sources, 1.0), "w", 1)
    assert intervals == {
        "a": (Interval(F(4, 10**17), F(10), True, True),),
        "b": (Interval(F(0), F(4, 10**17), True, False),),
    }


def test_a_thousand_equal_scores_cost_nothing():
    ids = [f"c{number:04d}" for number in range(1_000)]
    table = np.array([[1.0, 0.0]] * 999 + [[0.0, 1.0]])
    units = Units(tuple(ids), ("one", "two"), table, np.array([[row + 1, 0] for row in range(999)] + [[0, 1]]))
    intervals = weight_intervals(units, {"one": 1.0, "two": 1.0}, "two", 2)
    assert written(intervals) == {"c0000": "[0, 10]", "c0001": "[0, 1]", "c0999": "(1, 10]"}


def test_the_change_that_is_needed():
    parts = (closed(0, 1), Interval(F(2), F(3), False, True))
    assert needed_change(parts, 0.5) == Change(F(0), True)
    assert needed_change(parts, 1.2) == Change(F(-1, 5), True)
    assert needed_change(parts, 1.9) == Change(F(1, 10), False)
    assert needed_change(parts, 3.07) == Change(F("-0.07"), True)
    assert needed_change((), 1.0) is None


def all_crossings(values, by_matches, lists, weights, source):
    """Every weight at which any two lines cross, by fractions alone."""
    used = [name for name in lists if name != source and weights[name] > 0]
    lines = []
    for i in sorted(set().union(*lists.values())):
        matches = sum(i in lists[name] for name in [*used, source])
        factor = matches if by_matches else 1
        constant = sum((weights[name] * values[name].get(i, F(0)) for name in used), F(0))
        if matches:
            lines.append((factor * constant, factor * values[source].get(i, F(0))))
    return {(d - b) / (a - c) for b, a in lines for d, c in lines if a != c}


def check(seed, sources, longest, *, every_crossing=False):
    rng = random.Random(seed)
    units, lists, values, by_matches = random_case(rng, sources, longest)
    weights = {name: random_weight(rng) for name in lists}
    source, n = rng.choice(list(lists)), rng.choice([1, 2, 3, 5, 10, 10, 25])
    low, high = rng.choice([(F(0), F(10))] * 4 + [(F(1, 2), F(2)), (F(0), F(1))])
    intervals = weight_intervals(units, weights, source, n, low, high)
    plain, exact = PlainFusion(lists, values, by_matches), as_fractions(weights)
    ends = {end for parts in intervals.values() for part in parts for end in (part.low, part.high)}
    if every_crossing:
        ends |= {x for x in all_crossings(values, by_matches, lists, exact, source) if low <= x <= high}
    for weight in around(ends, low, high):
        expected = set(plain.order({**exact, source: weight})[:n])
        found = {i for i, parts in intervals.items() if any(weight in part for part in parts)}
        assert found == expected, (seed, sources, longest, source, n, weight)
    for parts in intervals.values():
        for one, other in itertools.pairwise(parts):
            assert one.high < other.low or (one.high == other.low and not one.high_closed and not other.low_closed)


@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_at_every_crossing_of_short_lists(sources):
    for seed in range(150):
        check(seed, sources, 6, every_crossing=True)


@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_at_every_end_and_on_both_sides(sources):
    for seed in range(150):
        check(seed, sources, 30)
    for seed in range(12):
        check(seed, sources, 200)


@pytest.mark.slow
@pytest.mark.parametrize("sources", [2, 3])
def test_agrees_with_fusing_again_in_many_more_cases(sources):
    for seed in range(1_000, 1_300):
        check(seed, sources, 10, every_crossing=True)
    for seed in range(1_000, 1_500):
        check(seed, sources, random.Random(seed).randint(1, 200))


def test_nothing_is_changed_and_the_source_names_are_the_sources():
    units = rrf(bm25=["a", "b"], dense=["b", "a"])
    before = units.values.copy(), units.ranks.copy()
    weight_intervals(units, {"bm25": 1.0, "dense": 1.0}, "dense", 1)
    assert (units.values == before[0]).all()
    assert (units.ranks == before[1]).all()
    assert set(NAMES) > set(units.sources)
