"""The vectors of a corpus on disk, and the nearest of them to a query vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from pydantic import Field, ValidationError

from engine.channels.best_rows import Rows
from engine.channels.origin import Origin
from engine.errors import StaleIndex
from engine.types import Floats, Value, Vectors

if TYPE_CHECKING:
    from faiss import Index

FORMAT: Final = 2
REBUILD = "Rebuild the collection's index."


class DenseOptions(Value):
    """How an index is built. Below `flat_below` vectors every search is exact."""

    flat_below: int = Field(default=200_000, ge=1)
    links: int = Field(default=32, ge=2, description="HNSW's M: links per vector and layer.")
    build_width: int = Field(default=100, ge=1, description="HNSW's efConstruction: candidates while linking.")
    search_width: int = Field(default=256, ge=1, description="HNSW's efSearch: candidates while searching, at least.")


class DenseManifest(Value):
    """What an index holds, who made its vectors, and how well an approximate one finds them.

    `recall_at_10` and `recall_at_100` are shares in [0, 1] of the true nearest, measured when building; None where the
    search is exact. `origin` says from which texts the vectors were made, None where from bare vectors.
    """

    format: Literal[2]
    name: str
    kind: Literal["flat", "hnsw"]
    count: int = Field(ge=0)
    corpus_size: int = Field(ge=0)
    dimension: int = Field(ge=0)
    encoder: str
    fingerprint: str
    max_tokens: int | None
    file_bytes: int
    options: DenseOptions
    recall_at_10: float | None = None
    recall_at_100: float | None = None
    origin: Origin | None = None


class DenseIndex:
    """Unit vectors of the searchable rows of a corpus, read by memory map.

    `rows` (int64, ascending) gives the corpus row of each position; blank chunks have none. `vectors` is
    (count, dimension) float32, read-only.
    """

    def __init__(self, manifest: DenseManifest, rows: Rows, index: Index) -> None:
        """Take an open FAISS index whose position i holds the vector of corpus row `rows[i]`."""
        self.manifest = manifest
        self.rows = rows
        self._index = index
        self.vectors = stored_vectors(index)
        self._position_of = np.full(manifest.corpus_size, -1, dtype=np.int64)
        self._position_of[rows] = np.arange(len(rows))

    @classmethod
    def load(cls, folder: Path, name: str = "dense") -> DenseIndex:
        """The index of that name in a folder; `StaleIndex` where files are missing, broken or not of one build."""
        try:
            manifest = _manifest(folder / f"{name}.json")
            rows = np.load(folder / f"{name}.rows.npy", allow_pickle=False)
            index = _read(folder / f"{name}.faiss", manifest)
        except (OSError, ValidationError, ValueError, EOFError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise StaleIndex(f"The index {name!r} cannot be read: {reason}.", REBUILD) from error
        found = (index.ntotal, index.d, len(rows))
        expected = (manifest.count, manifest.dimension, manifest.count)
        if found != expected or not _is_row_map(rows, manifest.corpus_size):
            raise StaleIndex(f"The files of the index {name!r} do not belong together.", REBUILD)
        return cls(manifest, rows, index)

    def position(self, row: int) -> int | None:
        """Where a corpus row stands in the index; None for a blank chunk."""
        position = int(self._position_of[row])
        return None if position < 0 else position

    def scores(self, vector: Vectors, positions: Rows | None = None) -> Floats:
        """Cosine in [-1, 1] of a unit vector with those positions (all where None); equal vectors score equal."""
        from engine.channels.row_scores import cosines

        return cosines(self.vectors if positions is None else self.vectors[positions], vector)

    def nearest(self, vector: Vectors, depth: int) -> Rows | None:
        """Positions of about the `depth` nearest, in no order; None where only scoring every position is complete.

        The search is wider than `depth` so that ties at the cut are seen. FAISS fills a list that it cannot complete
        with -1: such an answer is not used.
        """
        if self.manifest.kind == "flat" or depth * 2 >= self.manifest.count:
            return None
        from faiss import SearchParametersHNSW  # type: ignore[attr-defined]  # made by SWIG, unknown to the stubs

        wanted = min(depth + depth // 8 + 16, self.manifest.count)
        width = max(self.manifest.options.search_width, wanted)
        _, found = self._index.search(vector[np.newaxis], wanted, params=SearchParametersHNSW(efSearch=width))
        positions: Rows = found[0][found[0] >= 0].astype(np.int64)
        return positions if len(positions) >= depth else None


def stored_vectors(index: Index) -> Vectors:
    """The vectors inside a flat or HNSW index, (count, dimension) float32, read-only and not copied."""
    import faiss

    flat: Any = faiss.downcast_index(index.storage) if isinstance(index, faiss.IndexHNSW) else index
    if flat.ntotal == 0:
        return np.empty((0, flat.d), dtype=np.float32)
    vectors: Vectors = faiss.rev_swig_ptr(flat.get_xb(), flat.ntotal * flat.d).reshape(flat.ntotal, flat.d)
    vectors.setflags(write=False)
    return vectors


def _manifest(path: Path) -> DenseManifest:
    said = json.loads(path.read_bytes())
    found = said.get("format") if isinstance(said, dict) else None
    if found != FORMAT:
        raise ValueError(f"{path.name} has the format {found!r}, this version reads {FORMAT}")
    return DenseManifest.model_validate(said)


def _read(path: Path, manifest: DenseManifest) -> Index:
    import faiss

    if path.stat().st_size != manifest.file_bytes:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes instead of {manifest.file_bytes}")
    faiss.omp_set_num_threads(1)
    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)


def _is_row_map(rows: Rows, corpus_size: int) -> bool:
    ascending = rows.ndim == 1 and rows.dtype == np.int64 and bool((np.diff(rows) > 0).all())
    return ascending and (len(rows) == 0 or bool(rows[0] >= 0 and rows[-1] < corpus_size))
