import faiss
import numpy as np
import pytest

from engine.channels.dense_build import build_dense
from engine.channels.dense_index import DenseIndex
from engine.channels.foreign_index import foreign_vectors
from engine.encoders.hashing import HashEncoder
from engine.encoders.precomputed import PrecomputedEncoder
from engine.errors import BadInput


class Plane(HashEncoder):
    name = "plane"
    dimension = 2
    fingerprint = "plane"


QUERY = np.array([1, 0], dtype=np.float32)


def written(index, vectors, path):
    index.add(np.asarray(vectors, dtype=np.float32))
    faiss.write_index(index, str(path))
    return path


def test_squared_distances_become_the_cosines_that_they_stand_for(tmp_path):
    # On unit vectors a squared L2 distance d means the cosine 1 - d / 2: 0.30, 1.10, 1.90 mean 0.85, 0.45, 0.05.
    cosines = [0.85, 0.45, 0.05]
    vectors = [(cosine, np.sqrt(1 - cosine**2)) for cosine in cosines]
    index = faiss.IndexFlatL2(2)
    path = written(index, vectors, tmp_path / "theirs.faiss")
    distances, _ = index.search(QUERY[np.newaxis], 3)
    assert distances[0] == pytest.approx([0.30, 1.10, 1.90], abs=1e-6)
    taken = foreign_vectors(path, encoder=Plane(), corpus_size=3)
    build_dense(taken, np.arange(3), tmp_path / "ours", encoder=Plane(), corpus_size=3)
    assert DenseIndex.load(tmp_path / "ours").scores(QUERY) == pytest.approx(cosines, abs=1e-6)


def test_long_vectors_are_taken_as_they_are(tmp_path):
    path = written(faiss.IndexFlatIP(2), [[10, 10], [1, 0]], tmp_path / "theirs.faiss")
    assert foreign_vectors(path, encoder=Plane(), corpus_size=2).tolist() == [[10, 10], [1, 0]]


def test_the_encoder_must_be_named(tmp_path):
    path = written(faiss.IndexFlatIP(2), [[1, 0]], tmp_path / "theirs.faiss")
    with pytest.raises(BadInput, match=r"theirs\.faiss does not say which encoder made its vectors\. Name the encoder"):
        foreign_vectors(path, encoder=PrecomputedEncoder(), corpus_size=1)


def test_the_count_must_be_that_of_the_chunks(tmp_path):
    path = written(faiss.IndexFlatIP(2), [[1, 0]], tmp_path / "theirs.faiss")
    with pytest.raises(BadInput, match="holds 1 vectors for 3 chunks"):
        foreign_vectors(path, encoder=Plane(), corpus_size=3)


def test_the_dimension_must_be_that_of_the_encoder(tmp_path):
    path = written(faiss.IndexFlatIP(2), [[1, 0]], tmp_path / "theirs.faiss")
    with pytest.raises(BadInput, match="of 2 dimensions, and the encoder 'hash' makes 256"):
        foreign_vectors(path, encoder=HashEncoder(), corpus_size=1)


def test_a_file_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "theirs.faiss"
    path.write_bytes(b"not an index")
    with pytest.raises(BadInput, match=r"theirs\.faiss is not a FAISS index"):
        foreign_vectors(path, encoder=Plane(), corpus_size=1)


def test_an_hnsw_index_gives_its_vectors_too(tmp_path):
    path = written(faiss.IndexHNSWFlat(2, 4), [[3, 4], [1, 0]], tmp_path / "theirs.faiss")
    assert foreign_vectors(path, encoder=Plane(), corpus_size=2).tolist() == [[3, 4], [1, 0]]


def test_an_index_that_hides_its_vectors_is_refused(tmp_path):
    index = faiss.IndexIDMap(faiss.IndexFlatIP(2))
    index.add_with_ids(np.array([[1, 0]], dtype=np.float32), np.array([9]))
    faiss.write_index(index, str(tmp_path / "theirs.faiss"))
    with pytest.raises(BadInput, match="is an IndexIDMap, which does not hold its vectors as they were"):
        foreign_vectors(tmp_path / "theirs.faiss", encoder=Plane(), corpus_size=1)
