"""Field case 17 is here with its value."""

import numpy as np
import pytest

from engine.errors import BadInput
from engine.fusion.score_units import normaliser_inputs, score_units
from engine.fusion.units import weigh
from engine.types import Ranking, Setup


def lists(**scores):
    return {name: Ranking.of(name, list(each), list(each.values())) for name, each in scores.items()}


def fused(rankings, weights=(0.5, 0.5), **knobs):
    units = score_units(rankings, Setup(fusion="wsum", **knobs), {"bm25": 0.0, "dense": -1.0})
    ranking = weigh(units, dict(zip(rankings, weights, strict=True)))
    return dict(zip(ranking.ids, ranking.scores.round(6).tolist(), strict=True))


def test_a_list_of_one_and_a_constant_list_keep_their_best():
    one = {"A": 7.2}
    assert fused(lists(bm25=one, dense={"B": 0.8, "C": 0.6, "D": 0.4})) == {"A": 0.5, "B": 0.5, "C": 0.25, "D": 0.0}
    assert fused(lists(bm25=one, dense=dict.fromkeys("BCD", 0.5))) == dict.fromkeys("ABCD", 0.5)
    assert fused(lists(bm25=one, dense={})) == {"A": 0.5}


BM25, DENSE = {"a": 6.0, "b": 4.0, "c": 2.0}, {"b": 0.9, "d": 0.5}


def values(setup, true_scores=None, floors=None):
    units = score_units(lists(bm25=BM25, dense=DENSE), setup, floors or {}, true_scores)
    assert units.ids == ("a", "b", "c", "d")
    return units.values.tolist()


def test_absent_chunks_get_what_was_chosen():
    # min-max: a 1, b 0.5, c 0 in bm25; b 1, d 0 in dense
    assert values(Setup(fusion="wsum")) == [[1, 0], [0.5, 1], [0, 0], [0, 0]]
    assert values(Setup(fusion="wsum", normaliser="maximum", absence="zero"))[3] == [0, pytest.approx(5 / 9)]
    lowest = values(Setup(fusion="wsum", normaliser="maximum", absence="lowest"))
    assert lowest[0] == [1, pytest.approx(5 / 9)]
    assert lowest[3] == [pytest.approx(2 / 6), pytest.approx(5 / 9)]
    # z-scores of 0.9 and 0.5 are 1 and -1: the average is no gift to a
    assert values(Setup(fusion="wsum", normaliser="z-score"))[0][1] == -1


def test_true_scores_are_asked_for_the_absent_chunks_only():
    asked = []

    def true_scores(source, chunk_ids):
        asked.append((source, list(chunk_ids)))
        return np.array([0.7, np.nan] if source == "dense" else [0.0])

    # dense: a (0.7 - 0.5) / 0.4 = 0.5, c has none; bm25: d (0 - 2) / 4
    assert values(Setup(fusion="wsum", absence="true"), true_scores) == [[1, 0.5], [0.5, 1], [0, 0], [-0.5, 0]]
    assert asked == [("bm25", ["d"]), ("dense", ["a", "c"])]


def test_true_scores_that_are_not_at_hand_are_no_silent_zero():
    with pytest.raises(BadInput, match="none is at hand"):
        values(Setup(fusion="wsum", absence="true"))


def test_a_floor_is_the_channels_own_unless_it_is_set():
    floors = {"bm25": 0.0, "dense": -1.0}
    setup = Setup(fusion="wsum", normaliser="floor")
    # bm25 c: 2 / 6; dense d: (0.5 + 1) / (0.9 + 1), and with a floor of 0.4: 0.1 / 0.5
    assert values(setup, floors=floors)[2:] == [[pytest.approx(1 / 3), 0], [0, pytest.approx(1.5 / 1.9)]]
    assert values(setup.with_channel("dense", floor=0.4), floors=floors)[3] == [0, pytest.approx(0.2)]
    inputs = normaliser_inputs(lists(bm25=BM25, dense=DENSE), setup, floors)
    assert [(name, each.floor, each.maximum) for name, each in inputs.items()] == [
        ("bm25", 0.0, 6.0),
        ("dense", -1.0, 0.9),
    ]


def test_values_are_exact_decimals_and_only_combmnz_counts_matches():
    units = score_units(lists(bm25={"a": 3.0, "b": 2.0, "c": 0.0}), Setup(fusion="wsum"), {})
    assert units.values[1, 0] == 0.666666666667
    assert not units.by_matches
    assert score_units(lists(bm25=BM25), Setup(fusion="combmnz"), {}).by_matches
