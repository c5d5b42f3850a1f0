import json

import faiss
import numpy as np
import pytest

from engine.channels.dense_build import build_dense
from engine.channels.dense_index import DenseIndex, DenseOptions
from engine.encoders.hashing import HashEncoder
from engine.errors import StaleIndex

ROWS = np.array([0, 2, 3])


class Plane(HashEncoder):
    """An encoder of two dimensions, for vectors that are written by hand."""

    dimension = 2
    fingerprint = "plane"


def random_unit(count, dimension=16, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Sixteen(Plane):
    dimension = 16


@pytest.fixture
def folder(tmp_path):
    vectors = np.array([[1, 0], [0, 1], [-3, 4]], dtype=np.float32)
    build_dense(vectors, ROWS, tmp_path, encoder=Plane(), corpus_size=5)
    return tmp_path


def test_an_index_comes_back_as_it_was_built(folder):
    index = DenseIndex.load(folder)
    assert index.rows.tolist() == [0, 2, 3]
    assert index.vectors.tolist() == pytest.approx(np.array([[1, 0], [0, 1], [-0.6, 0.8]]))
    assert index.scores(np.array([1, 0], dtype=np.float32)) == pytest.approx([1, 0, -0.6])
    assert [index.position(row) for row in range(5)] == [0, None, 1, 2, None]


def test_vectors_cannot_be_changed(folder):
    with pytest.raises(ValueError, match="read-only"):
        DenseIndex.load(folder).vectors[0, 0] = 7


@pytest.mark.parametrize("name", ["dense.json", "dense.rows.npy", "dense.faiss"])
def test_a_missing_file_is_a_stale_index(folder, name):
    (folder / name).unlink()
    with pytest.raises(StaleIndex, match=r"'dense' cannot be read.*Rebuild"):
        DenseIndex.load(folder)


@pytest.mark.parametrize("name", ["dense.json", "dense.rows.npy", "dense.faiss"])
@pytest.mark.parametrize("content", [b"", b"junk", None])
def test_a_broken_file_is_a_stale_index(folder, name, content):
    path = folder / name
    path.write_bytes(path.read_bytes()[:-5] if content is None else content)
    with pytest.raises(StaleIndex, match=r"'dense' cannot be read.*Rebuild"):
        DenseIndex.load(folder)


def test_a_broken_faiss_header_of_the_right_size_is_a_stale_index(folder):
    path = folder / "dense.faiss"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(StaleIndex, match=r"cannot be read: .*Index type"):
        DenseIndex.load(folder)


@pytest.mark.parametrize("rows", [[0, 2], [0, 0, 2], [2, 1, 3], [0, 2, 5], [-1, 2, 3], [0.0, 2.0, 3.0]])
def test_a_row_map_that_does_not_fit_is_a_stale_index(folder, rows):
    np.save(folder / "dense.rows.npy", np.array(rows))
    with pytest.raises(StaleIndex, match="do not belong together"):
        DenseIndex.load(folder)


def test_a_manifest_of_another_build_is_a_stale_index(folder):
    manifest = json.loads((folder / "dense.json").read_text())
    (folder / "dense.json").write_text(json.dumps({**manifest, "dimension": 3}))
    with pytest.raises(StaleIndex, match="do not belong together"):
        DenseIndex.load(folder)


@pytest.mark.parametrize("said", [{"name": "dense"}, {"format": 1}, []])
def test_a_manifest_of_an_older_form_is_said(folder, said):
    (folder / "dense.json").write_text(json.dumps(said))
    with pytest.raises(StaleIndex, match=r"dense\.json has the format (None|1), this version reads 2\. Rebuild"):
        DenseIndex.load(folder)


def test_a_pickled_row_map_is_never_read(folder):
    np.save(folder / "dense.rows.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(StaleIndex, match="cannot be read"):
        DenseIndex.load(folder)


def test_an_empty_index_has_no_vectors(tmp_path):
    build_dense(np.empty((0, 2), np.float32), np.empty(0, np.int64), tmp_path, encoder=Plane(), corpus_size=2)
    index = DenseIndex.load(tmp_path)
    assert index.vectors.shape == (0, 2)
    assert index.scores(np.array([1, 0], dtype=np.float32)).shape == (0,)


def test_a_flat_index_has_no_approximate_answer(folder):
    assert DenseIndex.load(folder).nearest(np.array([1, 0], dtype=np.float32), 1) is None


def test_an_approximate_answer_holds_the_nearest_and_no_padding(tmp_path):
    vectors = random_unit(400)
    options = DenseOptions(flat_below=1)
    build_dense(vectors, np.arange(400), tmp_path, encoder=Sixteen(), corpus_size=400, options=options)
    index = DenseIndex.load(tmp_path)
    positions = index.nearest(vectors[7], 10)
    # At least the ten asked for, each once, the vector itself among them, and nothing that FAISS pads with.
    assert len(positions) >= 10
    assert len(set(positions.tolist())) == len(positions)
    assert 7 in positions
    assert positions.min() >= 0
    assert index.nearest(vectors[7], 200) is None, "half of the index or more is scored in full"


def test_an_answer_that_faiss_could_not_fill_is_not_used(tmp_path):
    """Fewer than the ten wanted are found, the rest is -1: then every vector is scored instead."""
    vectors = random_unit(100)
    options = DenseOptions(flat_below=1)
    build_dense(vectors, np.arange(100), tmp_path, encoder=Sixteen(), corpus_size=100, options=options)
    # Cut all links, so that a search ends where it begins: one is found, and FAISS pads with -1.
    graph = faiss.read_index(str(tmp_path / "dense.faiss"))
    faiss.copy_array_to_vector(np.full(graph.hnsw.neighbors.size(), -1, dtype=np.int32), graph.hnsw.neighbors)
    faiss.write_index(graph, str(tmp_path / "dense.faiss"))
    assert (graph.search(vectors[:1], 10)[1][0] == -1).sum() == 9
    assert DenseIndex.load(tmp_path).nearest(vectors[0], 10) is None
