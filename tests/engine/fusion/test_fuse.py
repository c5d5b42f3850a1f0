"""Every fusion, normaliser and absence against a plain reimplementation. Field case 20 is here with its value."""

from fractions import Fraction
from itertools import product
from statistics import fmean, pstdev
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.fusion.fuse import fuse, units_of
from engine.fusion.units import weigh
from engine.types import Absence, FusionName, NormaliserName, Ranking, Setup

SETTINGS = [
    (fusion, normaliser, absence)
    for fusion, normaliser, absence in product(get_args(FusionName), get_args(NormaliserName), get_args(Absence))
    if not (absence == "zero" and normaliser in ("z-score", "three-sigma"))
]
FLOORS = {"one": 0.0, "two": -1.0, "three": 0.5}


def ranking_of(source, scores):
    return Ranking.of(source, list(scores), list(scores.values()))


def setup_of(fusion, normaliser, absence, weights, k=60.0):
    setup = Setup(fusion=fusion, normaliser=normaliser, absence=absence, k=k)
    for name, weight in weights.items():
        setup = setup.with_channel(name, weight=weight)
    return setup


def test_distances_are_similarities_before_they_are_fused():
    # L2 distances of unit vectors {A: 0.20, B: 0.90} are cosines 1 - d² / 2 = 0.98 and 0.595; unflipped it is a tie
    lists = {"bm25": {"A": 1 - 0.2**2 / 2, "B": 1 - 0.9**2 / 2}, "dense": {"A": 0.95, "B": 0.30}}
    rankings = {name: ranking_of(name, scores) for name, scores in lists.items()}
    fused = fuse(rankings, setup_of("wsum", "min-max", "auto", {"bm25": 0.5, "dense": 0.5}), {})
    assert [(hit.chunk_id, hit.score) for hit in fused.hits()] == [("A", 1.0), ("B", 0.0)]


def test_no_source_that_is_asked_for_true_scores_stays_silent():
    lists = {"one": ranking_of("one", {"a": 1.0}), "two": ranking_of("two", {"b": 1.0})}
    with pytest.raises(BadInput, match="none is at hand"):
        fuse(lists, Setup(fusion="combmax", absence="true"), {})


def test_units_weighed_are_the_fusion_where_it_is_linear():
    lists = {"one": ranking_of("one", {"a": 3.0, "b": 1.0}), "two": ranking_of("two", {"b": 0.2, "c": 0.1})}
    for fusion in get_args(FusionName):
        setup = setup_of(fusion, "floor", "lowest", {"one": 0.3, "two": 0.7})
        units = units_of(lists, setup, FLOORS)
        if fusion == "combmax":
            assert units is None
        else:
            fused, again = fuse(lists, setup, FLOORS), weigh(units, {"one": 0.3, "two": 0.7})
            assert (fused.ids, fused.scores.tolist()) == (again.ids, again.scores.tolist())


def test_units_do_not_depend_on_the_weights():
    lists = {"one": ranking_of("one", {"a": 3.0, "b": 1.0}), "two": ranking_of("two", {"b": 0.2, "c": 0.1})}
    for fusion in ("rrf", "isr", "borda", "wsum", "combmnz"):
        some, none = (
            units_of(lists, setup_of(fusion, "min-max", "auto", {"one": 0.3, "two": weight}), FLOORS)
            for weight in (2.0, 0.0)
        )
        assert np.array_equal(some.values, none.values)


def value(setting, source, scores, chunk_id, true):
    """The normalised score of a chunk, from the definitions, one chunk at a time."""
    _, normaliser, absence = setting
    if not scores:
        return 0.0
    ordered = sorted(scores, key=lambda each: (-scores[each], each))
    low, high, total = min(scores.values()), max(scores.values()), sum(scores.values())
    mean, deviation = fmean(scores.values()), pstdev(scores.values())
    floor = FLOORS[source]

    def of(score):
        return {
            "min-max": lambda: (score - low) / (high - low),
            "floor": lambda: max(score - floor, 0) / (high - floor) if high > floor else 0.0,
            "maximum": lambda: score / high,
            "sum": lambda: score / total,
            "z-score": lambda: (score - mean) / deviation,
            "three-sigma": lambda: (score - (mean - 3 * deviation)) / (6 * deviation),
        }[normaliser]()

    constant = {"min-max": 1, "floor": 1, "maximum": 1, "sum": 1 / len(scores), "z-score": 0, "three-sigma": 0.5}

    def listed(each):
        if normaliser == "rank":
            return 1 - ordered.index(each) / len(ordered)
        return constant[normaliser] if low == high else of(scores[each])

    if chunk_id in scores:
        return listed(chunk_id)
    lowest = min(listed(each) for each in scores)
    auto = lowest if normaliser in ("z-score", "three-sigma") else 0.0
    if absence in ("auto", "zero", "lowest"):
        return {"auto": auto, "zero": 0.0, "lowest": lowest}[absence]
    if normaliser == "rank":
        return 1 - sum(score >= true[chunk_id] for score in scores.values()) / len(scores)
    scale = {"maximum": high > 0, "sum": total > 0, "floor": high > floor}.get(normaliser, low != high)
    return of(true[chunk_id]) if scale else auto


def reference(setting, lists, weights, true, k):
    """The fused scores by the definitions."""
    fusion = setting[0]
    used = [source for source in lists if weights[source] > 0]
    candidates = {chunk_id for scores in lists.values() for chunk_id in scores}
    found = {}
    for chunk_id in {each for source in used for each in lists[source]}:
        parts = []
        for source in used:
            scores = lists[source]
            ordered = sorted(scores, key=lambda each: (-scores[each], each))
            rank = ordered.index(chunk_id) + 1 if chunk_id in scores else None
            if fusion == "rrf":
                part = 1 / (k + rank) if rank else 0
            elif fusion == "isr":
                part = 1 / rank**2 if rank else 0
            elif fusion == "borda":
                part = len(candidates) + 1 - rank if rank else (len(candidates) + 1 - len(scores)) / 2
            else:
                part = value(setting, source, scores, chunk_id, true[source])
            parts.append(weights[source] * part)
        matches = sum(chunk_id in lists[source] for source in used) if fusion in ("isr", "combmnz") else 1
        found[chunk_id] = max(parts) if fusion == "combmax" else sum(parts) * matches
    return found


hundredths = st.integers(0, 400).map(lambda number: number / 100)
scored = st.dictionaries(st.integers(0, 25).map(lambda number: f"d{number:02}"), hundredths, max_size=20)


@settings(max_examples=600)
@given(
    st.sampled_from(SETTINGS),
    st.lists(scored, min_size=1, max_size=3),
    st.lists(st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.5]), min_size=3, max_size=3),
    st.lists(hundredths, min_size=26, max_size=26),
    st.sampled_from([0.5, 60.0]),
)
def test_agrees_with_the_definitions_adds_up_and_changes_no_list(setting, lists, weights, deep, k):
    lists = dict(zip(FLOORS, lists, strict=False))
    weight_of = dict(zip(lists, weights, strict=False))
    true = {source: {f"d{number:02}": score for number, score in enumerate(deep)} for source in lists}
    rankings = {source: ranking_of(source, scores) for source, scores in lists.items()}
    before = {source: (ranking.ids, ranking.scores.tolist()) for source, ranking in rankings.items()}

    fused = fuse(
        rankings,
        setup_of(*setting, weight_of, k),
        FLOORS,
        lambda source, ids: np.array([true[source][chunk_id] for chunk_id in ids]),
    )

    expected = reference(setting, lists, weight_of, true, k)
    assert set(fused.ids) == set(expected)
    assert fused.scores == pytest.approx(np.array([expected[chunk_id] for chunk_id in fused.ids]), abs=1e-9)
    assert set(fused.contributions) == set(lists)
    assert sum(fused.contributions.values()) == pytest.approx(fused.scores, abs=1e-12)
    for source, weight in weight_of.items():
        assert weight > 0 or not fused.contributions[source].any()
    assert {source: (ranking.ids, ranking.scores.tolist()) for source, ranking in rankings.items()} == before


@settings(max_examples=300)
@given(
    st.sampled_from([each for each in SETTINGS if each[0] != "combmax"]),
    st.lists(scored, min_size=2, max_size=2),
    st.lists(st.sampled_from([0.0, 0.3, 0.7, 1.0]), min_size=2, max_size=2),
)
def test_scores_that_are_one_rational_number_tie_and_go_by_id(setting, lists, weights):
    rankings = {source: ranking_of(source, scores) for source, scores in zip(FLOORS, lists, strict=False)}
    setup = setup_of(*setting, dict(zip(FLOORS, weights, strict=False)))
    units = units_of(rankings, setup, FLOORS, lambda _, ids: np.full(len(ids), 0.25))
    fused = weigh(units, dict(zip(FLOORS, weights, strict=False)))
    exact = {}
    for row, chunk_id in enumerate(units.ids):
        parts = [Fraction(repr(weight)) * units.exact(row, column) for column, weight in enumerate(weights)]
        matches = sum(bool(units.ranks[row, column]) for column, weight in enumerate(weights) if weight)
        exact[chunk_id] = sum(parts) * (matches if units.by_matches else 1)
    assert list(fused.ids) == sorted(fused.ids, key=lambda chunk_id: (-exact[chunk_id], chunk_id))
