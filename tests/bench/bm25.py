"""BM25 against its peers, in one run: build time, one query's top 100, and memory.

`python -m tests.bench.bm25` prints one table for a synthetic collection of 100,000 chunks and one for scifact. Every
engine gets the same lists of terms and the same queries. A build runs from those lists to an index that answers; loops
are compiled before. The engines are queried in turn, one query at a time on one thread, and the best of some rounds
counts; a query runs from its terms to the rows and scores of the top 100. All times are processor time, so that other
work on the machine does not count. rank-bm25 and rank-bm25-rs return every score, of which `argpartition` takes the
top 100. Memory is the growth of a fresh process's resident size by a build: at its highest, and when it is done. The
scores of RankScope and the two rank-bm25 are float64, those of bm25s float32.
"""

from __future__ import annotations

import gc
import gzip
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.channels.bm25 import Bm25Channel, Bm25Index, build_bm25
from engine.corpus.corpus import Corpus
from engine.text.analysers import analyser_for
from engine.types import Bm25Setup, Chunk, Setup

CHUNKS, WORDS, SEED, TOP = 100_000, 300_000, 7, 100
QUERIES, SLOW_QUERIES, ROUNDS = 200, 10, 5
TINY = [["a", "b"], ["b"], *[["c"]] * TOP]
DATASETS = Path(__file__).resolve().parents[3] / "shared" / "datasets"

Terms = Sequence[str]
Search = Callable[[Terms], Any]


@dataclass(frozen=True)
class Peer:
    name: str
    build: Callable[[Sequence[Terms]], Search]
    slow: bool = False


def _rankscope(token_lists: Sequence[Terms]) -> Search:
    index, order, setup = Bm25Index.of_terms(token_lists), np.arange(len(token_lists)), Bm25Setup()
    return lambda query: index.best([(term, term) for term in query], setup, TOP, order=order)


def _bm25s(token_lists: Sequence[Terms]) -> Search:
    import bm25s

    retriever = bm25s.BM25(k1=1.5, b=0.75, method="lucene", backend="numba", csc_backend="auto")
    retriever.index(token_lists, show_progress=False)
    return lambda query: retriever.retrieve([list(query)], k=TOP, show_progress=False)


def _all_scores(model: Any) -> Search:
    def search(query: Terms) -> Any:
        scores = model.get_scores(list(query))
        best = np.argpartition(-scores, TOP)[:TOP]
        best = best[np.argsort(-scores[best], kind="stable")]
        return best, scores[best]

    return search


def _rank_bm25(token_lists: Sequence[Terms]) -> Search:
    from rank_bm25 import BM25Okapi

    return _all_scores(BM25Okapi(token_lists))


def _rank_bm25_rs(token_lists: Sequence[Terms]) -> Search:
    from rank_bm25_rs import BM25Okapi

    return _all_scores(BM25Okapi(token_lists))


PEERS = (
    Peer("RankScope", _rankscope),
    Peer("bm25s, numba", _bm25s),
    Peer("rank-bm25-rs", _rank_bm25_rs),
    Peer("rank-bm25", _rank_bm25, slow=True),
)


def zipf_chunks() -> list[list[str]]:
    """Token lists with the word frequencies of a text without its grammar words, about 70 tokens each."""
    random = np.random.default_rng(SEED)
    weights = 1 / (np.arange(WORDS) + 10.0) ** 1.05
    lengths = np.clip(random.lognormal(4.1, 0.6, CHUNKS), 5, 600).astype(np.int64)
    drawn = np.searchsorted(np.cumsum(weights) / weights.sum(), random.random(int(lengths.sum())))
    words = [f"w{number}" for number in range(WORDS)]
    ends = np.cumsum(lengths).tolist()
    return [
        [words[number] for number in drawn[start:end].tolist()]
        for start, end in zip([0, *ends[:-1]], ends, strict=True)
    ]


def zipf_queries(token_lists: Sequence[Terms]) -> list[Terms]:
    """Queries of 2 to 8 terms, each drawn from one chunk."""
    random = np.random.default_rng(SEED + 1)
    chosen = random.integers(0, len(token_lists), QUERIES)
    return [random.choice(token_lists[row], int(random.integers(2, 9))).tolist() for row in chosen]


def scifact() -> tuple[Corpus, list[str]]:
    with gzip.open(DATASETS / "scifact" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    corpus = Corpus(Chunk(id=r["_id"], title=r["title"], text=r["text"], language="en") for r in records)
    with (DATASETS / "scifact" / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = [json.loads(line)["text"] for line in lines]
    return corpus, queries[:QUERIES]


def scifact_tokens() -> tuple[list[list[str]], list[Terms]]:
    corpus, queries = scifact()
    analyser = analyser_for("en")
    lists = [[exact for exact, _ in analyser.forms(text)] for text in corpus.texts(("title", "text"))]
    return lists, [[exact for exact, _ in analyser.forms(query)] for query in queries]


def _timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and the result."""
    gc.collect()
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def _query_times(searches: dict[str, Search], queries: Sequence[Terms]) -> dict[str, list[float]]:
    """Per engine the best of some rounds of each query, all engines in turn on each query."""
    slow = {peer.name for peer in PEERS if peer.slow}
    times: dict[str, list[float]] = {name: [] for name in searches}
    for number, query in enumerate(queries):
        for name, search in searches.items():
            if name in slow and number >= SLOW_QUERIES:
                continue
            rounds = [_once(search, query) for _ in range(2 if name in slow else ROUNDS)]
            times[name].append(min(rounds))
    return times


def _once(search: Search, query: Terms) -> float:
    start = time.process_time()
    search(query)
    return time.process_time() - start


def _mebibytes(name: str) -> float:
    """A figure of this process's memory: VmRSS is its size, VmHWM the highest since the last reset (Linux only)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


def _measure_memory(load: Callable[[], Any], name: str, results: Any) -> None:
    token_lists = load()
    peer = next(peer for peer in PEERS if peer.name == name)
    peer.build(TINY)(["a"])
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _mebibytes("VmRSS")
    search = peer.build(token_lists)
    highest = _mebibytes("VmHWM") - before
    gc.collect()
    results.put((highest, _mebibytes("VmRSS") - before))
    search(token_lists[0])


def _memory(load: Callable[[], Any], name: str) -> tuple[float, float]:
    """The growth in MiB of a fresh process by a build, at its highest and when it is done."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=_measure_memory, args=(load, name, results))
    process.start()
    highest, kept = results.get()
    process.join()
    return highest, kept


def _scifact_lists() -> list[list[str]]:
    return scifact_tokens()[0]


def _table(title: str, load: Callable[[], Sequence[Terms]], queries: Callable[[Sequence[Terms]], list[Terms]]) -> None:
    token_lists = load()
    asked = queries(token_lists)
    print(f"\n{title}: {len(token_lists):,} chunks, {sum(map(len, token_lists)):,} tokens, {len(asked)} queries")
    print(f"{'':14}{'build s':>9}{'ratio':>7}{'query µs':>10}{'p95 µs':>9}{'ratio':>9}{'peak MiB':>10}{'kept MiB':>10}")
    for peer in PEERS:
        peer.build(TINY)(["a"])
    built = {peer.name: _timed(lambda peer=peer: peer.build(token_lists)) for peer in PEERS}
    searches = {name: search for name, (_, search) in built.items()}
    for search in searches.values():
        search(asked[0])
    times = _query_times(searches, asked)
    own_build, own = built[PEERS[0].name][0], times[PEERS[0].name]
    for peer in PEERS:
        seconds, found = built[peer.name][0], times[peer.name]
        ratio = statistics.mean(found) / statistics.mean(own[: len(found)])
        peak, kept = _memory(load, peer.name)
        print(
            f"{peer.name:14}{seconds:9.2f}{seconds / own_build:7.1f}{statistics.mean(found) * 1e6:10.0f}"
            f"{np.percentile(found, 95) * 1e6:9.0f}{ratio:9.1f}{peak:10.0f}{kept:10.0f}",
            flush=True,
        )
    print("ratio: the engine's time / RankScope's, the mean over the same queries")
    print(f"largest difference from rank-bm25's top {TOP} scores: {_difference(searches, asked):.1e}")


def _difference(searches: dict[str, Search], queries: Sequence[Terms]) -> float:
    pairs = [(searches["RankScope"](query)[1], searches["rank-bm25"](query)[1]) for query in queries[:SLOW_QUERIES]]
    return max(float(np.abs(own - peer[: len(own)]).max(initial=0.0)) for own, peer in pairs)


def _from_texts() -> None:
    """scifact from texts to an index, and from a text to a checked ranking, analysis included."""
    import bm25s
    import Stemmer

    corpus, queries = scifact()
    analyser_for("en").forms("warm")
    ours, index = _timed(lambda: build_bm25(corpus, ("title", "text")))
    texts = corpus.texts(("title", "text"))
    stemmer = Stemmer.Stemmer("english")

    def theirs() -> Any:
        tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)
        retriever = bm25s.BM25(backend="numba")
        retriever.index(tokens, show_progress=False)
        return retriever

    peer, _ = _timed(theirs)
    channel, setup = Bm25Channel(index, corpus), Setup()
    channel.search(queries[0], setup)
    found = [min(_once(lambda q: channel.search(q, setup), query) for _ in range(ROUNDS)) for query in queries]
    print(f"\nscifact from its texts: RankScope {ours:.2f} s, bm25s {peer:.2f} s, ratio {peer / ours:.1f}")
    print(f"a query from its text to a checked ranking: {statistics.median(found) * 1e6:.0f} µs (median)")


def main() -> None:
    """Print the tables."""
    _table("synthetic", zipf_chunks, zipf_queries)
    if not (DATASETS / "scifact").is_dir():
        print(f"scifact is not in {DATASETS}: left out", file=sys.stderr)
        return
    _table("scifact", _scifact_lists, lambda _: scifact_tokens()[1])
    _from_texts()


if __name__ == "__main__":
    main()
