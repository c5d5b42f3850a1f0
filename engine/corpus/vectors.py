"""Vectors that come with a source: a column of them, or a NumPy file beside it, kept in step with the chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.corpus.cells import Cell
from engine.corpus.columns import plain_name
from engine.corpus.drafts import Draft
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Record
from engine.corpus.report import listed
from engine.corpus.sources import SourceFile, refusing, shortened
from engine.errors import BadInput
from engine.types import Vectors

SHORTEST = 8
"""A list of fewer numbers is taken for metadata unless the options name its column."""
VECTOR_NAMES = frozenset({"vector", "vectors", "embedding", "embeddings", "emb", "dense_vector", "dense"})
"""The names that decide between several columns of numbers."""


def vector_of(value: Cell) -> Vectors | None:
    """A list or an array of numbers as a vector (float32); None for anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind == "f":
        return single(value)
    if not isinstance(value, (list, tuple)) or not value:
        return None
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in value):
        return None
    try:
        return single(np.asarray(value, dtype=np.float64))
    except OverflowError:  # a whole number beyond every float
        return np.full(len(value), np.inf, dtype=np.float32)


def single(numbers: NDArray[np.generic]) -> Vectors:
    """The numbers as float32, those beyond its range infinite: they are reported once the vectors are checked."""
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32, copy=False)


def find_vector_column(columns: Sequence[str], head: Sequence[Record], wanted: str | None) -> str | None:
    """The column of vectors: the one the options name, else the only one whose values are lists of as many numbers.

    It is found as well where the options want no vectors or those of a file, so that it is not taken for metadata.
    `BadInput` where the named column does not exist.
    """
    if not wanted or wanted.lower().endswith(".npy"):
        found = [column for column in columns if _holds_vectors([record.values.get(column) for record in head])]
        named = [column for column in found if plain_name(column) in VECTOR_NAMES]
        chosen = named if len(found) > 1 else found
        return chosen[0] if len(chosen) == 1 else None
    if wanted not in columns:
        raise BadInput(f"There is no column {wanted!r} of vectors.", f"The columns are {listed(columns, 30)}.")
    return wanted


def _holds_vectors(values: Sequence[Cell]) -> bool:
    vectors = [vector_of(value) for value in values if value is not None]
    lengths = {0 if vector is None else len(vector) for vector in vectors}
    return len(lengths) == 1 and lengths.pop() >= SHORTEST


def file_beside(source: SourceFile) -> Path | None:
    """The `.npy` file of vectors that the options name, or the one with the name of the source; None where none is."""
    wanted = source.options.vectors
    if wanted == "":
        return None
    if wanted is not None and wanted.lower().endswith(".npy"):
        path = source.path.parent / wanted
        if Path(wanted).name != wanted or not _is_file(path):
            raise BadInput(
                f"There is no file {shortened(wanted)} beside {source.name}.", "Name one that is there, or none."
            )
        return path
    stem = source.path.name.removesuffix(".gz").rpartition(".")[0]
    path = source.path.parent / f"{stem}.npy"
    return path if stem and wanted is None and _is_file(path) else None


def _is_file(path: Path) -> bool:
    """Whether the file is there; no file has a name that the system refuses, such as one that is too long."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def load_beside(path: Path, rows: int, drafts: Sequence[Draft]) -> None:
    """Give each draft the vector in the place of its record. `BadInput` unless the file has `rows` of them."""
    with refusing(SourceFile(path, path.name), "a NumPy array", ValueError, hint="Save it with numpy.save."):
        vectors: NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise BadInput(f"{path.name} is not an array of numbers with two dimensions.", "Save one vector a row.")
    if not vectors.shape[1]:
        raise BadInput(f"{path.name}: The vectors have 0 dimensions.", "Save at least one number a row.")
    if len(vectors) != rows:
        raise BadInput(
            f"{path.name} has {len(vectors):,} vectors, but the source has {rows:,} rows.",
            "Save one vector for each row.",
        )
    for draft in drafts:
        draft.vector = single(np.asarray(vectors[draft.position]))


def stacked(drafts: Sequence[Draft], log: ProblemLog) -> Vectors | None:
    """One vector a draft, float32, shape (drafts, dimension), in their order; None where no draft has one.

    A draft without a vector, with one of another length than most, with one that is not finite or is all zero, gets
    zeros and is reported. `BadInput` where that leaves none.
    """
    lengths = Counter(len(draft.vector) for draft in drafts if draft.vector is not None)
    if not lengths:
        return None
    length = lengths.most_common(1)[0][0]
    vectors = np.zeros((len(drafts), length), dtype=np.float32)
    usable = 0
    for row, draft in enumerate(drafts):
        fault = _fault(draft.vector, length)
        if fault or draft.vector is None:
            log.add(draft.where, "no vector", f"{fault}; its chunk has no place in the dense channel")
        else:
            vectors[row] = draft.vector
            usable += 1
    if not usable:
        first = _fault(drafts[0].vector, length)
        raise BadInput(
            f"None of the {len(drafts):,} vectors can be used; that of {drafts[0].where} is {first}.",
            "Save them again, or read the source without vectors.",
        )
    return vectors


def _fault(vector: Vectors | None, length: int) -> str | None:
    if vector is None:
        return "no vector"
    if len(vector) != length:
        return f"a vector of {len(vector)} numbers among those of {length}"
    if not np.isfinite(vector).all():
        return "a vector that is not finite in 32 bits"
    return None if vector.any() else "a vector of zeros"
