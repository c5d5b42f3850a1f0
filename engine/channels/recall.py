"""How much of the truth an approximate index finds."""

from __future__ import annotations

import numpy as np

from engine.channels.dense_index import DenseIndex, DenseManifest

SAMPLE = 100
SEED = 0
DEPTHS = (10, 100)


def with_recall(index: DenseIndex) -> DenseManifest:
    """The manifest with recall@10 and @100 against scoring every vector, averaged over 100 vectors of the index.

    The vector itself does not count as found. A vector that ties with the last true place counts as true.
    """
    chosen = np.random.default_rng(SEED).choice(index.manifest.count, min(SAMPLE, index.manifest.count), replace=False)
    found = np.array([_found(index, int(position)) for position in chosen])
    at_10, at_100 = found.mean(axis=0)
    return index.manifest.model_copy(update={"recall_at_10": float(at_10), "recall_at_100": float(at_100)})


def _found(index: DenseIndex, position: int) -> list[float]:
    vector = index.vectors[position]
    scores = index.scores(vector)
    true = np.sort(np.delete(scores, position))[::-1]
    shares = []
    for depth in DEPTHS:
        approximate = index.nearest(vector, depth + 1)
        if approximate is None:  # every vector is scored
            shares.append(1.0)
            continue
        best = np.sort(scores[approximate[approximate != position]])[::-1][:depth]
        shares.append(float((best >= true[len(best) - 1]).mean()))
    return shares
