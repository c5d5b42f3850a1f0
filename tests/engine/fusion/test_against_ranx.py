"""Agreement with ranx on the same lists, and where it counts otherwise.

ranx runs in a process of its own with its compiler switched off: its own code, without half a minute of compiling.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from engine.fusion.fuse import fuse
from engine.types import Ranking, Setup

pytestmark = pytest.mark.slow

SCRIPT = """
import json, sys
import ranx
def fused(case):
    runs = [ranx.Run.from_dict({"q": scores}) for scores in case["lists"]]
    run = ranx.fuse(runs, norm=case["norm"], method=case["method"], params=case["params"])
    return {name: float(score) for name, score in run.run["q"].items()}
json.dump([fused(case) for case in json.load(sys.stdin)], sys.stdout)
"""
WEIGHTS = (0.3, 0.7)
METHODS = {"rrf": "rrf", "isr": "isr", "borda": "bordafuse", "wsum": "wsum", "combmnz": "mnz", "combmax": "max"}
NORMS = {"min-max": "min-max", "maximum": "max", "sum": "sum", "z-score": "zmuv", "rank": "rank"}


def random_lists(seed):
    """Two lists of positive scores without ties, which overlap in part; ranx leaves the order of ties to chance."""
    rng = np.random.default_rng(seed)
    return [
        {
            f"d{number}": float(score)
            for number, score in zip(rng.permutation(40)[:25], rng.random(25) + 0.1, strict=True)
        }
        for _ in range(2)
    ]


LISTS = [random_lists(seed) for seed in range(5)]
ZERO_BASED = [[{name: score - min(each.values()) for name, score in each.items()} for each in pair] for pair in LISTS]
ONE_AND_THREE = [{"A": 7.2}, {"B": 0.8, "C": 0.6, "D": 0.4}]


def case(lists, fusion, normaliser=None):
    params = {"rrf": {"k": 60}, "wsum": {"weights": list(WEIGHTS)}}.get(fusion, {})
    return {"lists": lists, "method": METHODS[fusion], "norm": NORMS.get(normaliser), "params": params}


@pytest.fixture(scope="module")
def ranx(tmp_path_factory):
    """Scores by ranx for a (lists, fusion, normaliser) triple, all computed in one process."""
    asked = [(lists, fusion, None) for lists in LISTS for fusion in ("rrf", "isr", "borda")]
    asked += [
        (lists, fusion, normaliser)
        for lists in [*LISTS, *ZERO_BASED, ONE_AND_THREE]
        for fusion in ("wsum", "combmnz", "combmax")
        for normaliser in NORMS
    ]
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "IR_DATASETS_HOME": str(tmp_path_factory.mktemp("datasets")),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([case(*each) for each in asked]),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    found = dict(zip(map(repr, asked), json.loads(done.stdout), strict=True))
    return lambda *each: found[repr(each)]


def ours(lists, fusion, normaliser="min-max"):
    rankings = {name: Ranking.of(name, list(each), list(each.values())) for name, each in zip("ab", lists, strict=True)}
    setup = Setup(fusion=fusion, normaliser=normaliser)
    for name, weight in zip("ab", WEIGHTS, strict=True):
        setup = setup.with_channel(name, weight=weight if fusion == "wsum" else 1.0)
    fused = fuse(rankings, setup, {})
    return dict(zip(fused.ids, fused.scores.tolist(), strict=True))


@pytest.mark.parametrize("lists", LISTS, ids=range(len(LISTS)))
@pytest.mark.parametrize("fusion", ["rrf", "isr", "borda"])
def test_fusions_of_ranks_agree(ranx, lists, fusion):
    assert ours(lists, fusion) == pytest.approx(ranx(lists, fusion, None), abs=1e-12)


@pytest.mark.parametrize("lists", LISTS, ids=range(len(LISTS)))
@pytest.mark.parametrize("normaliser", ["min-max", "maximum", "rank"])
@pytest.mark.parametrize("fusion", ["wsum", "combmnz", "combmax"])
def test_fusions_of_scores_agree(ranx, lists, fusion, normaliser):
    assert ours(lists, fusion, normaliser) == pytest.approx(ranx(lists, fusion, normaliser), abs=1e-10)


def test_its_sum_takes_the_lowest_score_off_first(ranx):
    """So it agrees where that is 0 already, and otherwise gives the last chunk of a list as little as an absent one."""
    for lists in ZERO_BASED:
        for fusion in ("wsum", "combmnz", "combmax"):
            assert ours(lists, fusion, "sum") == pytest.approx(ranx(lists, fusion, "sum"), abs=1e-10)
    # D is the last of its list: 0.4 of 1.8, with weight 0.7
    assert ranx(ONE_AND_THREE, "wsum", "sum")["D"] == 0
    assert ours(ONE_AND_THREE, "wsum", "sum")["D"] == pytest.approx(0.7 * 0.4 / 1.8)


def test_its_z_score_takes_an_absent_chunk_for_an_average_one(ranx):
    """Ours gives it the list's lowest, so that a chunk which a channel does not return gains nothing by it."""
    for lists in LISTS:
        theirs, found = ranx(lists, "wsum", "z-score"), ours(lists, "wsum", "z-score")
        lowest = [min((each - np.mean([*s.values()])) / np.std([*s.values()]) for each in s.values()) for s in lists]
        for chunk_id, score in found.items():
            missing = sum(w * low for w, low, s in zip(WEIGHTS, lowest, lists, strict=True) if chunk_id not in s)
            assert score - missing == pytest.approx(theirs[chunk_id], abs=1e-10)


def test_its_min_max_gives_a_list_of_one_nothing(ranx):
    """Field case 17: the only hit of a list is its best one, 1; in ranx it gets 0 and comes last."""
    assert ranx(ONE_AND_THREE, "wsum", "min-max")["A"] == 0
    assert ours(ONE_AND_THREE, "wsum", "min-max")["A"] == WEIGHTS[0]
