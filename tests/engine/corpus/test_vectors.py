import numpy as np
import pytest

from engine.corpus.drafts import Draft
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Record
from engine.corpus.vectors import file_beside, find_vector_column, load_beside, stacked, vector_of
from engine.errors import BadInput


def drafts(*positions):
    return [Draft(f"row {place + 1}", place, str(place), "", {}) for place in positions]


def rows(*values):
    return [Record(number, f"row {number}", value) for number, value in enumerate(values, start=1)]


def test_a_list_of_numbers_is_a_vector():
    vector = vector_of([1, 2.5])
    assert (vector.tolist(), vector.dtype) == ([1.0, 2.5], np.float32)
    assert vector_of(np.array([1.5, 2.0])).dtype == np.float32


@pytest.mark.parametrize("value", [None, "[1, 2]", [], ["a"], [1, None], [True, False], 5, {"a": 1}])
def test_anything_else_is_not(value):
    assert vector_of(value) is None


EIGHT = [0.5] * 8


def test_a_column_of_lists_of_as_many_numbers_holds_vectors():
    head = rows({"id": "a", "v": EIGHT, "short": [1.0, 2.0]}, {"id": "b", "v": None, "short": [1.0, 2.0]})
    assert find_vector_column(["id", "v", "short"], head, None) == "v"
    assert find_vector_column(["id", "v"], head, "") == find_vector_column(["id", "v"], head, "a.npy") == "v"
    assert find_vector_column(["id", "v", "short"], head, "short") == "short"
    with pytest.raises(BadInput, match=r"no column 'w' of vectors. The columns are id, v"):
        find_vector_column(["id", "v"], head, "w")


def test_of_two_such_columns_the_name_decides():
    head = rows({"a": EIGHT, "embedding": EIGHT}, {"a": EIGHT, "embedding": EIGHT})
    assert find_vector_column(["a", "embedding"], head, None) == "embedding"
    assert find_vector_column(["a", "b"], rows({"a": EIGHT, "b": EIGHT}), None) is None


def test_lists_of_different_lengths_are_no_vectors():
    assert find_vector_column(["v"], rows({"v": EIGHT}, {"v": EIGHT * 2}), None) is None


def test_a_file_beside_is_found_by_the_name_of_the_source(source, tmp_path):
    file = source("a.jsonl.gz", b"x")
    assert file_beside(file) is None
    np.save(tmp_path / "a.npy", np.zeros((1, 2)))
    assert file_beside(file) == tmp_path / "a.npy"
    assert file_beside(source("a.csv", b"x", vectors="")) is None
    assert file_beside(source("b.csv", b"x", vectors="a.npy")) == tmp_path / "a.npy"
    for wrong in ("c.npy", "../a.npy", str(tmp_path / "a.npy")):
        with pytest.raises(BadInput, match="There is no file"):
            file_beside(source("b.csv", b"x", vectors=wrong))


def test_vectors_keep_the_place_of_their_record(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(8, dtype=np.float64).reshape(4, 2))
    chosen = drafts(3, 1)
    load_beside(tmp_path / "a.npy", 4, chosen)
    assert [draft.vector.tolist() for draft in chosen] == [[6.0, 7.0], [2.0, 3.0]]


def test_a_file_of_another_length_form_or_kind_is_refused(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.zeros((3, 2)))
    with pytest.raises(BadInput, match=r"a\.npy has 3 vectors, but the source has 4 rows"):
        load_beside(path, 4, drafts(0))
    np.save(path, np.zeros(4))
    with pytest.raises(BadInput, match="two dimensions"):
        load_beside(path, 4, drafts(0))
    np.save(path, np.array([["a"]]))
    with pytest.raises(BadInput, match="not an array of numbers"):
        load_beside(path, 1, drafts(0))
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(BadInput, match=r"a.npy cannot be read as a NumPy array.*numpy.save"):
        load_beside(path, 1, drafts(0))


def test_vectors_without_numbers_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3, 0)))
    with pytest.raises(BadInput, match=r"a\.npy: The vectors have 0 dimensions"):
        load_beside(tmp_path / "a.npy", 3, drafts(0, 1, 2))


@pytest.mark.filterwarnings("error")
def test_numbers_beyond_32_bits_are_infinite_without_a_warning(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1e300, 1.0]]))
    (draft,) = chosen = drafts(0)
    load_beside(tmp_path / "a.npy", 1, chosen)
    assert draft.vector.tolist() == [np.inf, 1.0]
    assert vector_of([-1e300, 1]).tolist() == vector_of(np.array([-1e300, 1])).tolist() == [-np.inf, 1.0]
    assert vector_of([10**400]).tolist() == [np.inf]


def test_a_name_too_long_for_any_file_is_none(source):
    assert file_beside(source(f"{'a' * 252}.md", b"x")) is None
    with pytest.raises(BadInput, match=r"no file a{260}… beside b\.csv"):
        file_beside(source("b.csv", b"x", vectors=f"{'a' * 5_000}.npy"))


def test_pickled_objects_are_never_loaded(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(BadInput, match="cannot be read as a NumPy array"):
        load_beside(tmp_path / "a.npy", 1, drafts(0))


def test_a_row_without_usable_vector_gets_zeros_and_is_reported():
    chosen = drafts(0, 1, 2, 3, 4, 5)
    for draft, vector in zip(chosen, ([1, 2], None, [1, float("nan")], [1, 2, 3], [3, 4], [0, 0]), strict=True):
        draft.vector = None if vector is None else np.array(vector, dtype=np.float32)
    log = ProblemLog()
    assert stacked(chosen, log).tolist() == [[1, 2], [0, 0], [0, 0], [0, 0], [3, 4], [0, 0]]
    assert [(problem.where, problem.text.split(";")[0]) for problem in log.kept] == [
        ("row 2", "no vector"),
        ("row 3", "a vector that is not finite in 32 bits"),
        ("row 4", "a vector of 3 numbers among those of 2"),
        ("row 6", "a vector of zeros"),
    ]


def test_vectors_none_of_which_can_be_used_are_refused():
    chosen = drafts(0, 1)
    for draft in chosen:
        draft.vector = np.zeros(2, dtype=np.float32)
    with pytest.raises(BadInput, match=r"None of the 2 vectors can be used; that of row 1 is a vector of zeros"):
        stacked(chosen, ProblemLog())


def test_without_any_vector_there_are_none():
    assert stacked(drafts(0, 1), ProblemLog()) is None
    assert stacked([], ProblemLog()) is None
