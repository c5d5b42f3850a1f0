"""The rerank stage: the first fused chunks, ordered again by a model that reads each together with the query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.corpus.corpus import Corpus
from engine.corpus.fields import BM25_FIELDS, DENSE_FIELDS, is_blank, searched_text
from engine.errors import Unavailable
from engine.fusion.rrf import fuse_rrf
from engine.types import Chunk, Dropped, Floats, Note, Ranking, Reranker, RerankSetup

RERANKED = "reranked"
BLEND_K = 60.0
"""The constant k with which the fused and the reranked order are blended by their ranks."""


@dataclass(frozen=True, slots=True, eq=False)
class Reranked:
    """What the stage made of a fused list.

    `ranking` holds the first `depth` chunks in their new order, `final` those of them over the threshold. `logits`, by
    chunk id, are what the model gave, where it gives logits (empty where it gives probabilities); `probabilities` are
    on the scale 0 to 1 for every model. `dropped` lists what the depth and the threshold took out.
    """

    ranking: Ranking
    final: Ranking
    logits: Mapping[str, float] = field(default_factory=dict)
    probabilities: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[Note, ...] = ()


def rerank(query: str, fused: Ranking, corpus: Corpus, setup: RerankSetup, reranker: Reranker) -> Reranked:
    """The first `setup.depth` chunks of `fused` in the order of the reranker, blended with the fused order.

    At blend 1 a chunk's score is its probability; below, it is (1 - blend) / (60 + fused rank) + blend / (60 + rerank
    rank), with both parts as contributions. The threshold is on the probability in either case. An empty list is
    answered without a model. `Unavailable` where the chunks are in languages that the reranker was not made for, unless
    `setup.anyway`, and whatever the reranker itself raises.
    """
    first = fused.keep(fused.ids[: setup.depth])
    if not first.ids:
        return Reranked(ranking := Ranking(RERANKED, (), np.empty(0)), ranking)
    chunks = [corpus.chunk(chunk_id) for chunk_id in first.ids]
    notes = [*_language_notes(chunks, setup, reranker)]
    raw = _checked(reranker.scores(query, [_text(chunk) for chunk in chunks]), reranker, len(chunks))
    are_logits = reranker.gives == "logit"
    if not are_logits and (raw.min() < 0 or raw.max() > 1):
        are_logits = True
        notes.append(_beyond_scale(raw, reranker))
    probability = sigmoid(raw) if are_logits else raw
    probabilities = dict(zip(first.ids, probability.tolist(), strict=True))
    ranking = _blended(first, Ranking.of(RERANKED, first.ids, probability), setup.blend)
    return Reranked(
        ranking=ranking,
        final=_over_threshold(ranking, probabilities, setup),
        logits=dict(zip(first.ids, raw.tolist(), strict=True)) if are_logits else {},
        probabilities=probabilities,
        dropped=(*_beyond_depth(fused, setup.depth), *_below_threshold(ranking, probabilities, setup)),
        notes=tuple(notes),
    )


def sigmoid(logits: Floats) -> Floats:
    """1 / (1 + exp(-x)) of each, in 0..1, without overflow; the order stays, up to about ±36, where it reaches 1."""
    small = np.exp(-np.abs(logits))
    values: Floats = np.where(logits >= 0, 1.0, small) / (1.0 + small)
    return values


def _text(chunk: Chunk) -> str:
    """What the reranker reads: title and text, or whatever else the chunk was found by where it has neither."""
    text = searched_text(chunk, DENSE_FIELDS)
    return searched_text(chunk, (*BM25_FIELDS, "summary")) if is_blank(text) else text


def _language_notes(chunks: Sequence[Chunk], setup: RerankSetup, reranker: Reranker) -> list[Note]:
    """A note where chunks are in languages that the reranker was not made for; a chunk of unknown language counts not.

    `Unavailable` unless they are to be reranked anyway: scores of languages that it cannot read do not compare.
    """
    known = reranker.languages
    foreign = Counter(chunk.language for chunk in chunks if known is not None and chunk.language not in (None, *known))
    if known is None or not foreign:
        return []
    others = ", ".join(str(language) for language, _ in foreign.most_common())
    found = (
        f"The reranker {reranker.name!r} was made for {', '.join(sorted(known))}, "
        f"and {foreign.total()} of the first {len(chunks)} chunks are in {others}"
    )
    if not setup.anyway:
        raise Unavailable(f"{found}.", "Filter by language, or ask for it in any language.")
    return [Note("rerank-language", f"{found}: it can do harm there.")]


def _checked(raw: Floats, reranker: Reranker, count: int) -> Floats:
    if raw.shape != (count,) or not np.isfinite(raw).all():
        raise Unavailable(
            f"The reranker {reranker.name!r} did not give one finite number for each of {count} chunks.",
            "Use another reranker.",
        )
    return raw


def _beyond_scale(raw: Floats, reranker: Reranker) -> Note:
    return Note(
        "rerank-scale",
        f"The scores of {reranker.name!r} go from {raw.min():.4g} to {raw.max():.4g}, beyond 0 to 1: they are taken "
        "for logits, and the sigmoid brings them to that scale.",
    )


def _blended(fused: Ranking, reranked: Ranking, blend: float) -> Ranking:
    if blend == 1:
        return reranked
    # Rounded, so that blend 0.9 leaves the decimal number 0.1 and exact ties are seen.
    weights = {"fused": round(1 - blend, 12), "rerank": blend}
    mixed = fuse_rrf({"fused": fused, "rerank": reranked}, weights, BLEND_K)
    return Ranking(RERANKED, mixed.ids, mixed.scores, mixed.contributions)


def _over_threshold(ranking: Ranking, probabilities: Mapping[str, float], setup: RerankSetup) -> Ranking:
    limit = setup.threshold
    return ranking if limit is None else ranking.keep(i for i in ranking.ids if probabilities[i] >= limit)


def _below_threshold(ranking: Ranking, probabilities: Mapping[str, float], setup: RerankSetup) -> list[Dropped]:
    limit = setup.threshold
    if limit is None:
        return []
    return [
        Dropped(chunk_id, "rerank threshold", None, probabilities[chunk_id], limit)
        for chunk_id in ranking.ids
        if probabilities[chunk_id] < limit
    ]


def _beyond_depth(fused: Ranking, depth: int) -> list[Dropped]:
    """The chunks that the reranker never saw, each with its rank in the fused list."""
    return [
        Dropped(chunk_id, "rerank depth", None, float(rank), float(depth))
        for rank, chunk_id in enumerate(fused.ids[depth:], start=depth + 1)
    ]
