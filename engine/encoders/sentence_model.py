"""Any sentence-transformers model, by its Hugging Face name or its folder."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.encoders.batching import length_batches, slices
from engine.encoders.model_folder import ModelFolder
from engine.encoders.once import Once
from engine.encoders.readable import readable
from engine.errors import Unavailable
from engine.types import Progress, Vectors, no_progress

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceModel:
    """Texts to unit vectors by a sentence-transformers model that is on this machine; nothing is downloaded.

    Texts beyond `max_tokens` are truncated. The prompts that the model declares are used; E5 models get `query: ` and
    `passage: `. The model is loaded with the first text, or when its dimension is asked for.
    """

    overflow: Literal["truncated", "windowed"] = "truncated"

    def __init__(self, folder: ModelFolder) -> None:
        self.name = folder.name
        self._folder = folder
        self._model = Once(self._load)
        # The tokeniser inside is changed by every call, so calls take turns.
        self._turn = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """The revision, the prefixes and the normalisation; the maximum length is part of the revision."""
        folder = self._folder
        return f"sentence-transformers {folder.revision} {folder.query_prefix!r}, {folder.passage_prefix!r}, unit"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model().get_embedding_dimension() or 0)

    @property
    def max_tokens(self) -> int | None:
        """Tokens per text that the model reads, as it declares; None where it does not."""
        limit = self._model().max_seq_length
        return limit if isinstance(limit, int) else None

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each passage, its prefix and the special tokens included, before anything is cut."""
        return [count for part in slices(texts) for count in self._counts(part)]

    def _counts(self, texts: Sequence[str]) -> list[int]:
        prefixed = [self._folder.passage_prefix + readable(text) for text in texts]
        tokenizer = self._model().tokenizer
        with self._turn:
            if hasattr(tokenizer, "encode_batch"):  # models of static word vectors
                return [len(encoding.ids) for encoding in tokenizer.encode_batch(prefixed)]
            return [
                len(ids) for ids in tokenizer(prefixed, truncation=False, padding=False, verbose=False)["input_ids"]
            ]

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """One vector per text, shape (len(texts), dimension); every core works on one batch at a time."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        done = 0
        for batch in length_batches(self.count_tokens(texts)):
            vectors[batch] = self._encode([texts[row] for row in batch], os.cpu_count() or 1)
            done += len(batch)
            progress("embedding", done, len(texts))
        return vectors

    def encode_query(self, text: str) -> Vectors:
        """One vector, shape (dimension,), on one thread."""
        with self._turn:
            vector: Vectors = self._model().encode_query(
                readable(text), prompt=self._folder.query_prefix, normalize_embeddings=True, show_progress_bar=False
            )
        return vector.astype(np.float32, copy=False)

    def _encode(self, texts: list[str], threads: int) -> Vectors:
        import torch

        with self._turn:
            torch.set_num_threads(threads)
            try:
                vectors: Vectors = self._model().encode_document(
                    [readable(text) for text in texts],
                    prompt=self._folder.passage_prefix,
                    batch_size=len(texts),
                    normalize_embeddings=True,
                    show_progress_bar=False,
                )
            finally:
                torch.set_num_threads(1)
        return vectors

    def _load(self) -> SentenceTransformer:
        import torch
        from safetensors import SafetensorError
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)
        folder = str(self._folder.path)
        try:
            return SentenceTransformer(
                folder, device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True}
            )
        except (ImportError, KeyError, OSError, RuntimeError, SafetensorError, ValueError) as error:
            raise Unavailable(
                f"The model {self.name!r} cannot be loaded: {str(error).splitlines()[0]}.",
                "Download it again, whole, or use another one.",
            ) from error
