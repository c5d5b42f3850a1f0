import numpy as np
import pytest

from engine.channels.row_scores import cosines


def unit(rows):
    rows = np.asarray(rows, dtype=np.float64)
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def test_cosines_by_hand():
    # Query (1, 0): A (10, 10) normalised gives 1 / sqrt(2), B (1, 0) gives 1, C (-3, 4) gives -0.6.
    vectors = unit([[10, 10], [1, 0], [-3, 4]])
    assert cosines(vectors, unit([1, 0])) == pytest.approx([0.707107, 1.0, -0.6], abs=1e-6)


def test_rounding_never_leaves_the_range():
    vectors = np.array([[1.0001, 0], [-1.0001, 0]], dtype=np.float32)
    assert cosines(vectors, np.array([1, 0], dtype=np.float32)).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("dimension", [1, 7, 384, 1023])
def test_equal_rows_score_equal_to_the_last_bit_wherever_they_stand(dimension):
    random = np.random.default_rng(1)
    vectors = unit(random.standard_normal((1003, dimension)))
    vectors[::3] = vectors[0]
    query = unit(random.standard_normal(dimension))
    whole = cosines(vectors, query)
    assert len(set(whole[::3].tolist())) == 1
    assert np.array_equal(whole[500:700], cosines(vectors[500:700], query))
    assert np.abs(whole - vectors.astype(np.float64) @ query.astype(np.float64)).max() < 1e-12


def test_a_memory_map_scores_like_a_copy():
    random = np.random.default_rng(2)
    vectors = unit(random.standard_normal((50, 384)))
    unaligned = np.frombuffer(b"x" + vectors.tobytes(), dtype=np.float32, count=vectors.size, offset=1)
    assert not unaligned.flags.aligned
    query = unit(random.standard_normal(384))
    assert np.array_equal(cosines(unaligned.reshape(50, 384), query), cosines(vectors, query))
    assert len(cosines.__globals__["_row_dots"].signatures) == 1


def test_no_rows_give_no_scores():
    assert cosines(np.empty((0, 4), dtype=np.float32), unit([1, 0, 0, 0])).shape == (0,)
