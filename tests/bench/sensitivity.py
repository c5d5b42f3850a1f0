"""Exact answers for one query at depth 1,000 with two channels, first 10; and sweeps of the slider's 1,001 steps.

The sweeps tell no value between two steps and no tie. One runs the fusion at each step; the other, as quick as numpy
makes it, scores all steps in one table. Times are processor times, for the machine may be shared.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import process_time

import numpy as np

from engine.fusion.rrf import fuse_rrf, rrf_units
from engine.fusion.units import Units
from engine.sensitivity.events import weight_events
from engine.sensitivity.intervals import weight_intervals
from engine.sensitivity.k_stretches import k_stretches
from engine.sensitivity.plane import rank_plane
from engine.sensitivity.stability import weight_stability
from engine.sensitivity.weight_stretches import weight_stretches
from engine.sensitivity.window import window_certificate
from engine.types import Ranking

LENGTH, CHUNKS, N, K, REPEATS = 1_000, 1_500, 10, 60.0, 60
STEPS = np.arange(1_001) / 100
WEIGHTS = {"bm25": 1.0, "dense": 0.7, "summary": 0.55}


def main() -> None:
    rng = np.random.default_rng(7)
    ids = [f"chunk-{number:05d}" for number in range(CHUNKS)]
    three = {name: _ranking(name, ids, rng) for name in WEIGHTS}
    two = {name: three[name] for name in ("bm25", "dense")}
    units, many = rrf_units(two, K), rrf_units(three, K)
    times = _times_ms(lambda: weight_intervals(units, WEIGHTS, "dense", N), repeats=REPEATS)
    intervals = statistics.median(times)
    run = _median_ms(lambda: _fused_at_each_step(two), repeats=1)
    table = _median_ms(lambda: _scored_at_each_step(units), repeats=5)
    print(f"every interval of one weight: {min(times):.2f} ms at best, {intervals:.2f} ms in the median")
    print(f"the fusion run at 1,001 steps: {run:.0f} ms, ratio {run / intervals:.0f}")
    print(f"all 1,001 steps in one table: {table:.1f} ms, ratio {table / intervals:.1f}")
    others: dict[str, Callable[[], object]] = {
        "every interval of one weight, three channels": lambda: weight_intervals(many, WEIGHTS, "dense", N),
        "every interval of one weight, first 100": lambda: weight_intervals(units, WEIGHTS, "dense", 100),
        "stretches of one weight": lambda: weight_stretches(units, WEIGHTS, "dense", N),
        "receipt from 0 to 10": lambda: weight_events(units, WEIGHTS, "dense", 0, 10, n=N),
        "stability in one weight": lambda: weight_stability(units, WEIGHTS, "dense", N),
        "stretches of k from 1 to 1,000": lambda: k_stretches(two, WEIGHTS, N),
        "stretches of k, three channels": lambda: k_stretches(three, WEIGHTS, N),
        "rank plane": lambda: rank_plane(units, WEIGHTS, N, "bm25", "dense"),
        "window certificate": lambda: window_certificate(two, WEIGHTS, K, N, dict.fromkeys(two, LENGTH)),
    }
    for name, work in others.items():
        print(f"{name}: {_median_ms(work, repeats=7):.1f} ms")


def _ranking(name: str, ids: list[str], rng: np.random.Generator) -> Ranking:
    return Ranking.of(name, [ids[row] for row in rng.permutation(CHUNKS)[:LENGTH]], rng.random(LENGTH))


def _fused_at_each_step(rankings: dict[str, Ranking]) -> list[tuple[str, ...]]:
    return [fuse_rrf(rankings, {**WEIGHTS, "dense": weight}, K).ids[:N] for weight in STEPS.tolist()]


def _scored_at_each_step(units: Units) -> list[list[int]]:
    constants, slopes = units.values[:, 0] * WEIGHTS["bm25"], units.values[:, 1]
    scores = constants + STEPS[:, None] * slopes
    best = np.argpartition(-scores, N, axis=1)[:, :N]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
    return np.take_along_axis(best, order, axis=1).tolist()


def _median_ms(work: Callable[[], object], repeats: int) -> float:
    return statistics.median(_times_ms(work, repeats))


def _times_ms(work: Callable[[], object], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        started = process_time()
        work()
        times.append((process_time() - started) * 1000)
    return times


if __name__ == "__main__":
    main()
