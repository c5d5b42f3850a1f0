"""The vectors of a FAISS file made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.channels.dense_index import stored_vectors
from engine.errors import BadInput
from engine.types import Encoder, Vectors

if TYPE_CHECKING:
    from faiss import Index


def foreign_vectors(path: Path, *, encoder: Encoder, corpus_size: int) -> Vectors:
    """The vectors of a FAISS file made elsewhere, one per chunk in corpus order, shape (corpus_size, dimension).

    `encoder` is the one that made them. `BadInput` where none is named, where count or dimension differ, or where the
    index does not keep its vectors as they were. Whatever its metric, `build_dense` compares by cosine.
    """
    if not encoder.dimension:
        raise BadInput(f"{path.name} does not say which encoder made its vectors.", "Name the encoder.")
    index = _read(path)
    if index.ntotal != corpus_size:
        raise BadInput(
            f"{path.name} holds {index.ntotal} vectors for {corpus_size} chunks.",
            "It must hold one per chunk, in order.",
        )
    if index.d != encoder.dimension:
        raise BadInput(
            f"{path.name} holds vectors of {index.d} dimensions, and the encoder {encoder.name!r} makes "
            f"{encoder.dimension}.",
            "Name the encoder that made them.",
        )
    return stored_vectors(index).copy()


def _read(path: Path) -> Index:
    import faiss

    try:
        index = faiss.read_index(str(path))
    except RuntimeError as error:
        raise BadInput(f"{path.name} is not a FAISS index.", "Write it with faiss.write_index.") from error
    # Asked for its vectors, an index of another kind may end the process instead of raising.
    if not isinstance(index, faiss.IndexFlat | faiss.IndexHNSWFlat):
        raise BadInput(
            f"{path.name} is an {type(index).__name__}, which does not hold its vectors as they were.",
            "Use IndexFlatIP, IndexFlatL2 or IndexHNSWFlat.",
        )
    return index
