import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.channels.bm25_files import HEADER
from engine.channels.bm25_index import Bm25Index
from engine.channels.origin import Origin
from engine.errors import StaleIndex
from engine.types import Bm25Setup

LISTS = [[("señal", "senal"), ("kite", "kite")], [("kite", "kite")], None, []]
QUERY = [("señal", "senal"), ("kite", "kite")]
words = st.tuples(st.sampled_from(["à", "a", "b"]), st.sampled_from(["a", "b"]))


def saved(folder: Path) -> Bm25Index:
    index = Bm25Index.of_forms(LISTS, analysers={"": "v1"})
    index.save(folder)
    return index


def test_loaded_from_plain_arrays_by_memory_map(tmp_path: Path):
    index = saved(tmp_path / "bm25")
    loaded = Bm25Index.load(tmp_path / "bm25")
    assert dict(loaded.postings.analysers) == {"": "v1"}
    assert isinstance(loaded.postings.rows.base, np.memmap)
    assert {path.suffix for path in (tmp_path / "bm25").iterdir()} == {".npy", ".json"}
    for path in (tmp_path / "bm25").glob("*.npy"):
        assert not np.load(path, allow_pickle=False).dtype.hasobject
    for variant in ("okapi", "plus", "lucene"):
        setup = Bm25Setup(variant=variant)
        assert loaded.scores(QUERY, setup).tobytes() == index.scores(QUERY, setup).tobytes()


def test_one_space_is_written_once(tmp_path: Path):
    Bm25Index.of_terms([["a"], ["b"]]).save(tmp_path)
    assert not (tmp_path / "folded_lists.npy").exists()
    loaded = Bm25Index.load(tmp_path)
    assert loaded.postings.spaces["folded"] is loaded.postings.spaces["exact"]


@pytest.mark.parametrize("lists", [[], [None], [[]]])
def test_empty_indexes_make_the_round_trip(tmp_path: Path, lists: list[list[str] | None]):
    Bm25Index.of_terms(lists).save(tmp_path)
    loaded = Bm25Index.load(tmp_path)
    assert len(loaded) == len(lists)
    assert loaded.scores([("a", "a")], Bm25Setup()).tolist() == [0.0] * len(lists)


def test_the_texts_that_it_was_made_from_make_the_round_trip(tmp_path: Path):
    origin = Origin(corpus="f" * 64, fields=("title", "text"))
    Bm25Index.of_forms(LISTS, origin=origin).save(tmp_path)
    assert Bm25Index.load(tmp_path).postings.origin == origin


def change(folder: Path, name: str, values: np.ndarray) -> None:
    np.save(folder / f"{name}.npy", values)
    header = json.loads((folder / HEADER).read_text())
    header["shapes"][name] = len(values)
    (folder / HEADER).write_text(json.dumps(header))


def edit_header(folder: Path, **changes: object) -> None:
    header = json.loads((folder / HEADER).read_text())
    (folder / HEADER).write_text(json.dumps({**header, **changes}))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: (folder / HEADER).unlink(), "bm25.json cannot be read"),
        (lambda folder: (folder / HEADER).write_text("{"), "bm25.json cannot be read"),
        (lambda folder: edit_header(folder, format=0), "has the format 0, this version reads 2"),
        (lambda folder: (folder / HEADER).write_text("[]"), "has the format None"),
        (lambda folder: edit_header(folder, shapes={"rows": 3}), "does not name the arrays"),
        (lambda folder: edit_header(folder, analysers=None), "does not name the analysers"),
        (lambda folder: edit_header(folder, origin={"corpus": 1}), "does not name the texts that it was made from"),
        (lambda folder: (folder / "codes.npy").unlink(), "codes.npy cannot be read"),
        (lambda folder: (folder / "codes.npy").write_bytes(b"\x93NUMPY"), "codes.npy cannot be read"),
        (lambda folder: np.save(folder / "rows.npy", np.zeros(3)), "rows.npy is float64"),
        (lambda folder: np.save(folder / "rows.npy", np.zeros(9, np.uint32)), "rows.npy is uint32 of shape"),
        (lambda folder: change(folder, "codes", np.zeros(9, np.uint16)), "rows has 4 values, codes 9"),
        (lambda folder: change(folder, "code_lengths", np.zeros(9, np.int32)), "code_lengths 9"),
        (lambda folder: change(folder, "folded_ends", np.zeros(9, np.int64)), "folded_ends has 9 values"),
        (lambda folder: change(folder, "offsets", np.array([0, 9, 1, 4])), "offsets does not rise from 0 to 4"),
        (lambda folder: change(folder, "offsets", np.zeros(0, np.int64)), "offsets does not rise"),
        (lambda folder: change(folder, "exact_text", np.zeros(2, np.uint8)), "exact_ends does not rise from 0 to 2"),
        (
            lambda folder: change(folder, "exact_lists", np.array([0, 7], np.int32)),
            "exact_lists holds numbers outside 0 to 2",
        ),
        (lambda folder: change(folder, "offsets", np.array([1, 2, 3, 4])), "offsets do not start at 0"),
        (lambda folder: change(folder, "rows", np.full(4, 4, np.uint32)), "rows holds numbers outside 0 to 3"),
        (lambda folder: change(folder, "codes", np.full(4, 9, np.uint16)), "codes holds numbers outside"),
    ],
)
def test_damaged_or_foreign_files_are_refused(tmp_path: Path, damage, reason: str):
    saved(tmp_path)
    damage(tmp_path)
    with pytest.raises(StaleIndex, match=reason):
        Bm25Index.load(tmp_path)


@settings(max_examples=30)
@given(st.lists(st.none() | st.lists(words, max_size=6), max_size=8), st.lists(words, max_size=4))
def test_round_trip_changes_no_bit(tmp_path_factory: pytest.TempPathFactory, lists, query):
    folder = tmp_path_factory.mktemp("bm25")
    index = Bm25Index.of_forms(lists)
    index.save(folder)
    loaded = Bm25Index.load(folder)
    assert loaded.scores(query, Bm25Setup()).tobytes() == index.scores(query, Bm25Setup()).tobytes()
    assert (loaded.matches(query) == index.matches(query)).all()
