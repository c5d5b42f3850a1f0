"""The rerankers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from engine.encoders.model_folder import ModelFolder
from engine.rerank.cache import CachedReranker, ScoreCache
from engine.rerank.cross_encoder import CrossEncoderModel, find_cross_encoder
from engine.rerank.english import MAX_TOKENS, EnglishReranker
from engine.rerank.service import RerankService, is_address
from engine.types import Reranker


@dataclass(frozen=True, slots=True)
class RerankerSpec:
    """A reranker to choose. `languages` is empty where it reads any; `packaged` ones need no network and no folder."""

    name: str
    label: str
    help: str
    languages: tuple[str, ...]
    packaged: bool
    make: Callable[[], Reranker]


def load_reranker(name: str, cache: ScoreCache | None = None) -> Reranker:
    """The reranker of that name, which keeps its scores in `cache` (the user's, unless given).

    `name` is one of `RERANKERS`, a cross-encoder's folder or Hugging Face name, or the address of a service, as
    `https://host/v2/rerank#model`. A model is loaded once per process, with the first text, and never downloaded:
    `Unavailable` where it is not on this machine, `BadInput` for an address that must not be asked.
    """
    if name in RERANKERS:
        reranker = _registered(name)
    elif is_address(name):
        reranker = RerankService(name)
    else:
        reranker = _cross_encoder(find_cross_encoder(name))
    return CachedReranker(reranker, cache or ScoreCache())


@cache
def _registered(name: str) -> Reranker:
    return RERANKERS[name].make()


@cache
def _cross_encoder(folder: ModelFolder) -> Reranker:
    return CrossEncoderModel(folder)


_SPECS = (
    RerankerSpec(
        name=EnglishReranker.name,
        label="MiniLM cross-encoder (English)",
        help=f"ms-marco-MiniLM-L-12-v2 in 8 bits: English only, reads query and chunk up to {MAX_TOKENS} tokens.",
        languages=("en",),
        packaged=True,
        make=EnglishReranker,
    ),
)

RERANKERS: Mapping[str, RerankerSpec] = MappingProxyType({spec.name: spec for spec in _SPECS})
"""The rerankers that come with RankScope, by name. Any cross-encoder and any service can be named beside them."""
