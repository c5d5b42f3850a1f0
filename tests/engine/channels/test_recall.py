import numpy as np
import pytest

from engine.channels import recall
from engine.channels.dense_build import build_dense
from engine.channels.dense_index import DenseIndex, DenseOptions
from engine.encoders.precomputed import PrecomputedEncoder


class Blunt(DenseIndex):
    """Finds itself and the nearest even positions only."""

    def nearest(self, vector, depth):
        order = np.argsort(-self.scores(vector), kind="stable")
        even = [int(position) for position in order[1:] if position % 2 == 0]
        return np.array([int(order[0]), *even[: depth - 1]])


def index_of(kind, vectors, folder):
    build_dense(vectors, np.arange(len(vectors)), folder, encoder=PrecomputedEncoder(), corpus_size=len(vectors))
    loaded = DenseIndex.load(folder)
    return kind(loaded.manifest, loaded.rows, loaded._index)


def test_recall_is_the_share_of_the_true_nearest(tmp_path, monkeypatch):
    # 40 points on a half circle. From its first point the true 10 nearest are 1 to 10; the even ones among them are
    # 2, 4, 6, 8, 10: a recall of 5 / 10.
    angles = np.linspace(0, 3, 40)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    index = index_of(Blunt, points, tmp_path)
    monkeypatch.setattr(recall, "DEPTHS", (10, 10))
    assert recall._found(index, 0) == [0.5, 0.5]


def test_ties_with_the_last_true_place_count_as_found(tmp_path, monkeypatch):
    index = index_of(Blunt, np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (40, 1)), tmp_path)
    monkeypatch.setattr(recall, "DEPTHS", (10, 10))
    manifest = recall.with_recall(index)
    assert (manifest.recall_at_10, manifest.recall_at_100) == (1.0, 1.0)


def test_a_wider_search_finds_more(tmp_path):
    vectors = np.random.default_rng(5).standard_normal((2000, 32)).astype(np.float32)
    found = []
    for width in (1, 400):
        manifest = build_dense(
            vectors,
            np.arange(2000),
            tmp_path,
            encoder=PrecomputedEncoder(),
            corpus_size=2000,
            options=DenseOptions(flat_below=1, links=4, build_width=10, search_width=width),
        )
        found.append(manifest.recall_at_10)
    assert found[0] < found[1] <= 1
    assert found[1] == pytest.approx(1, abs=0.05)
