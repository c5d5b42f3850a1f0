"""Fuses two lists of 1,000 with full provenance, by every fusion, against a dictionary, LangChain and ranx.

All get the same lists, already in their own form, and answer with an ordered list; only RankScope keeps what each list
added, and breaks ties by rational arithmetic and id. LangChain orders documents and returns no scores. ranx is made for
many queries at once: it is timed on one, and on a hundred in one call. Medians of processor time, that of every thread
added, so that other work on the machine does not count; the rounds of all go in turn, in changing order.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import warnings
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

from engine.fusion.fuse import fuse
from engine.fusion.registry import summary
from engine.types import Ranking, Setup

LENGTH, CHUNKS, REPEATS, BATCH = 1_000, 1_500, 100, 100
WEIGHTS = {"bm25": 1.0, "dense": 0.7}
LIMIT_MS = 3.0

Work = Callable[[], object]


def main() -> None:
    """Print the table of times, and the ratios."""
    rng = np.random.default_rng(7)
    ids = [f"chunk-{number:05d}" for number in range(CHUNKS)]
    lists = {name: _ranking(name, ids, rng) for name in WEIGHTS}
    setups = [
        _weighted(Setup(fusion="rrf")),
        _weighted(Setup(fusion="isr")),
        _weighted(Setup(fusion="borda")),
        _weighted(Setup(fusion="wsum", normaliser="min-max")),
        _weighted(Setup(fusion="wsum", normaliser="three-sigma")),
        _weighted(Setup(fusion="wsum", normaliser="rank")),
        _weighted(Setup(fusion="combmnz", normaliser="min-max")),
        _weighted(Setup(fusion="combmax", normaliser="min-max")),
    ]
    own = {summary(setup): _fusing(lists, setup) for setup in setups}
    peers = {"a dictionary, RRF": lambda: _dictionary_rrf(lists), **_langchain(lists), **_ranx(lists)}
    times = _median_ms({**own, **peers})
    times = {name: each / BATCH if name.endswith("of a hundred") else each for name, each in times.items()}
    rrf = times[summary(setups[0])]
    print(f"fuse 2 x {LENGTH:,} with provenance, one query; budget {LIMIT_MS:g} ms\n")
    print(f"{'':40}{'ms':>8}{'ratio':>8}")
    for name, found in times.items():
        ratio = "" if name in own else f"{found / rrf:8.1f}"
        print(f"{name:40}{found:8.2f}{ratio}")
    print("ratio: the peer's time / RankScope's RRF")


def _ranking(name: str, ids: list[str], rng: np.random.Generator) -> Ranking:
    return Ranking.of(name, [ids[row] for row in rng.permutation(CHUNKS)[:LENGTH]], rng.random(LENGTH))


def _weighted(setup: Setup) -> Setup:
    for name, weight in WEIGHTS.items():
        setup = setup.with_channel(name, weight=weight)
    return setup


def _fusing(lists: Mapping[str, Ranking], setup: Setup) -> Work:
    return lambda: fuse(lists, setup, {"bm25": 0.0, "dense": -1.0})


def _dictionary_rrf(lists: Mapping[str, Ranking]) -> list[tuple[str, float]]:
    scores: dict[str, float] = {}
    for name, ranking in lists.items():
        for rank, chunk_id in enumerate(ranking.ids, start=1):
            scores[chunk_id] = scores.get(chunk_id, 0.0) + WEIGHTS[name] / (60.0 + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _langchain(lists: Mapping[str, Ranking]) -> dict[str, Work]:
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_core.documents import Document

    ensemble = EnsembleRetriever.model_construct(retrievers=[], weights=list(WEIGHTS.values()), c=60, id_key="id")
    documents = [
        [Document(page_content=chunk_id, metadata={"id": chunk_id}) for chunk_id in ranking.ids]
        for ranking in lists.values()
    ]
    return {"LangChain's ensemble, RRF": lambda: ensemble.weighted_reciprocal_rank(documents)}


def _ranx(lists: Mapping[str, Ranking]) -> dict[str, Work]:
    """RRF (ranx has no weights there) and the weighted sum of min-max scores; compiled by a first call."""
    warnings.filterwarnings("ignore")  # numba on ranx's own types
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, IR_DATASETS_HOME=folder):
        import ranx  # makes folders for data sets there
    scores = [dict(zip(ranking.ids, ranking.scores.tolist(), strict=True)) for ranking in lists.values()]
    one = [ranx.Run.from_dict({"q": each}) for each in scores]
    many = [ranx.Run.from_dict({f"q{number:03}": each for number in range(BATCH)}) for each in scores]
    rrf: Any = {"norm": None, "method": "rrf", "params": {"k": 60}}
    summed: Any = {"norm": "min-max", "method": "wsum", "params": {"weights": list(WEIGHTS.values())}}
    return {
        "ranx, RRF": lambda: ranx.fuse(one, **rrf),
        "ranx, min-max and wsum": lambda: ranx.fuse(one, **summed),
        "ranx, RRF, one of a hundred": lambda: ranx.fuse(many, **rrf),
        "ranx, min-max and wsum, one of a hundred": lambda: ranx.fuse(many, **summed),
    }


def _median_ms(works: Mapping[str, Work]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    order, rng = list(works.items()), np.random.default_rng(11)
    for number in range(REPEATS):
        for row in rng.permutation(len(order)).tolist():  # what runs before leaves the caches to what runs after
            name, work = order[row]
            if name.endswith("of a hundred") and number >= REPEATS // 20:
                continue
            started = process_time()
            work()
            times[name].append((process_time() - started) * 1000)
    return {name: statistics.median(found) for name, found in times.items()}


if __name__ == "__main__":
    main()
