from fractions import Fraction

import pytest

from engine.errors import BadInput
from engine.fusion.rrf import fuse_rrf
from engine.sensitivity.sweep import LABEL, steps, sweep
from engine.types import RerankSetup, Setup, Trace
from tests.engine.sensitivity.plain_fusion import rankings_of

F = Fraction
LISTS = rankings_of({"bm25": ["a", "b", "s"], "dense": ["c", "d", "s"]})
SEEN = []


def run(setup):
    SEEN.append(setup)
    fused = fuse_rrf(LISTS, {name: setup.channel(name).weight for name in LISTS}, setup.k)
    return Trace(query="q", setup=setup, channels=LISTS, fused=fused, final=fused)


def test_k_is_swept_on_its_steps_and_says_so():
    # a: 1/(k+1), s: 2/(k+3), equal at k = 1, where a is first by its id
    swept = sweep(run, Setup(shown=1), "k", steps(0.5, 2, 0.5))
    assert swept.values == (F(1, 2), F(1), F(3, 2), F(2))
    assert swept.lists == (("a",), ("a",), ("s",), ("s",))
    assert swept.where("s") == ((F(3, 2), F(2)),)
    assert swept.where("z") == ()
    assert swept.changes() == ((F(1), F(3, 2)),)
    assert swept.label == LABEL == "Swept on the slider's steps; between two steps nothing is proved."


def test_a_weight_is_swept_and_nothing_is_reranked_on_the_way():
    SEEN.clear()
    swept = sweep(run, Setup(shown=4, rerank=RerankSetup(model="english")), "dense", steps(0, 0.02, 0.01))
    assert [setup.channel("dense").weight for setup in SEEN] == [0.0, 0.01, 0.02]
    assert {setup.rerank.model for setup in SEEN} == {""}
    # s: (1 + w)/63, b: 1/62 until w = 1/62 = 0.0161
    assert swept.lists == (("a", "b", "s"), ("a", "b", "s", "c"), ("a", "s", "b", "c"))


def test_steps_are_decimals_and_must_be_some():
    assert len(steps(0, 10, 0.01)) == 1_001
    assert steps(0, 10, 0.01)[7] == F(7, 100)
    assert steps(0, 1, 0.3)[-1] == F(9, 10)
    with pytest.raises(BadInput, match="No steps of 0"):
        steps(0, 1, 0)
    with pytest.raises(BadInput, match="from 2 to 1"):
        steps(2, 1, 0.1)
