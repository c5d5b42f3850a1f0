"""The dense channel's search against `faiss.IndexFlatIP.search`, one query at a time on one thread."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import faiss
import numpy as np

from engine.channels.dense import DenseChannel, DenseIndex, DenseOptions, build_dense
from engine.corpus.corpus import Corpus
from engine.encoders.hashing import HashEncoder
from engine.types import Chunk, Setup

DIMENSION = 384
DEPTH = 100
QUERIES = 20


class RandomQueries(HashEncoder):
    """A random unit vector per query, so that only the search is timed."""

    name = "random"
    dimension = DIMENSION
    fingerprint = "random"

    def encode_query(self, text: str) -> np.ndarray:
        """The vector of the query with that number."""
        return unit(np.random.default_rng(int(text)).standard_normal(DIMENSION))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1, float32."""
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def median_ms(run: Callable[[str], object]) -> float:
    """The median time of one query, after one to warm up."""
    run("999")
    times = []
    for number in range(QUERIES):
        begun = time.perf_counter()
        run(str(number))
        times.append(time.perf_counter() - begun)
    return float(np.median(times)) * 1000


def compare(count: int, options: DenseOptions | None = None) -> None:
    """Build an index of clustered vectors and print what a query costs."""
    random = np.random.default_rng(0)
    centres = random.standard_normal((max(count // 50, 1), DIMENSION))
    vectors = unit(centres[random.integers(len(centres), size=count)] + random.standard_normal((count, DIMENSION)))
    corpus = Corpus(Chunk(id=f"c{row}", text="x") for row in range(count))
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(vectors)
    faiss.omp_set_num_threads(1)
    encoder, setup = RandomQueries(), Setup().with_channel("dense", depth=DEPTH)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        manifest = build_dense(
            vectors, np.arange(count), Path(folder), encoder=encoder, corpus_size=count, options=options
        )
        built = time.perf_counter() - begun
        channel = DenseChannel(DenseIndex.load(Path(folder)), corpus, encoder)
        ours = median_ms(lambda query: channel.search(query, setup))
        peer = median_ms(lambda query: flat.search(encoder.encode_query(query)[np.newaxis], DEPTH))
    recall = "" if manifest.recall_at_10 is None else f", recall@10 {manifest.recall_at_10:.3f}"
    recall += "" if manifest.recall_at_100 is None else f", recall@100 {manifest.recall_at_100:.3f}"
    print(
        f"{count:7,} chunks  {manifest.kind}  built {built:6.1f} s  search {ours:7.2f} ms  "
        f"faiss flat {peer:7.2f} ms  ratio {peer / ours:.2f}{recall}"
    )


def main() -> None:
    """Print times and ratios for flat indexes, and for an approximate one."""
    compare(5_000)
    compare(100_000)
    compare(200_000)


if __name__ == "__main__":
    main()
