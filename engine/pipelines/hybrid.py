"""Hybrid search: every channel's list, the fusion, and what each stage took out, in one trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter

import numpy as np

from engine.corpus.corpus import Corpus
from engine.errors import BadInput, RankScopeError, Unavailable
from engine.fusion.fuse import fuse, units_of
from engine.fusion.notes import fusion_notes
from engine.fusion.score_units import TrueScores
from engine.fusion.units import Units
from engine.rerank.registry import load_reranker as load_known_reranker
from engine.rerank.stage import Reranked, rerank
from engine.types import Channel, Dropped, Filter, Floats, Mask, Note, Place, Ranking, Reranker, Setup, Stage, Trace

MOST_CHARACTERS = 10_000
"""The longest query that is answered: beyond it a text is a document and no question."""


class HybridSearch:
    """Searches one corpus through its channels. `unavailable` says of absent channels why they are absent.

    `load_reranker` gives the reranker of a name, with the errors of `engine.rerank.registry.load_reranker`.
    Safe to use from several threads: nothing in it changes but a small cache of filter masks.
    """

    def __init__(
        self,
        corpus: Corpus,
        channels: Mapping[str, Channel],
        unavailable: Mapping[str, str] | None = None,
        load_reranker: Callable[[str], Reranker] = load_known_reranker,
    ) -> None:
        self.corpus = corpus
        self.channels = dict(channels)
        self.unavailable = dict(unavailable or {})
        self.load_reranker = load_reranker
        self.mask: Callable[[tuple[Filter, ...]], Mask | None] = lru_cache(maxsize=16)(corpus.mask)

    def run(self, query: str, setup: Setup) -> Trace:
        """The trace of one query.

        The stages, in order: filter, channels, thresholds, depth, fusion, agreement, fused threshold, rerank.
        `BadInput` for a query that is empty or beyond `MOST_CHARACTERS`, for an unknown filter field, or for scores
        that the normaliser refuses; `Unavailable` where no channel at all can answer, `BadInput` where each refuses
        this query. A channel that cannot answer is named in `unavailable` with the reason, and the others go on; a
        reranker that cannot answer leaves the order as it is, with a note.
        """
        if not query.strip():
            raise BadInput("The query is empty.", "Type a query.")
        if len(query) > MOST_CHARACTERS:
            raise BadInput(f"The query has {len(query):,} characters.", f"Use at most {MOST_CHARACTERS:,}.")
        timings: dict[str, float] = {}
        with _timed(timings, "total"):
            allowed = self.mask(setup.filters)
            found, unavailable = self._search(query, setup, allowed, timings)
            dropped = [*self._filtered_out(query, setup, found)] if allowed is not None else []
            channels = {name: _over_threshold(ranking, setup, dropped) for name, ranking in found.items()}
            with _timed(timings, "fusion"):
                fused = fuse(channels, setup, self._floors(channels), self._true_scores(query, setup))
                final = _over_fused_threshold(_agreed(fused, channels, setup, dropped), setup, dropped)
            reranked, notes = self._rerank(query, final, setup, timings)
        return Trace(
            query=query,
            setup=setup,
            channels=channels,
            fused=fused,
            final=final if reranked is None else reranked.final,
            dropped=(*dropped, *(reranked.dropped if reranked else ())),
            unavailable=unavailable,
            timings_ms=timings,
            warnings=(*self._notes(query, setup, channels, unavailable), *notes),
            reranked=reranked.ranking if reranked else None,
            logits=reranked.logits if reranked else {},
            probabilities=reranked.probabilities if reranked else {},
        )

    def units(self, trace: Trace) -> Units | None:
        """What every channel would add at weight 1 in the fusion of a run; None where that is no weighted sum."""
        channels, setup = trace.channels, trace.setup
        return units_of(channels, setup, self._floors(channels), self._true_scores(trace.query, setup))

    def place(self, query: str, chunk_id: str, channel: str, setup: Setup) -> tuple[Place | None, Place | None]:
        """The true place of a chunk in a channel under the setup's filters, and without them."""
        source = self.channels[channel]
        unfiltered = source.place(query, chunk_id, setup)
        allowed = self.mask(setup.filters)
        return (unfiltered if allowed is None else source.place(query, chunk_id, setup, allowed)), unfiltered

    def _rerank(
        self, query: str, fused: Ranking, setup: Setup, timings: dict[str, float]
    ) -> tuple[Reranked | None, tuple[Note, ...]]:
        """What the reranker makes of the fused list, None where it is off or cannot answer; and the notes on that."""
        if not setup.rerank.model:
            return None, ()
        try:
            with _timed(timings, "rerank"):
                reranked = rerank(query, fused, self.corpus, setup.rerank, self.load_reranker(setup.rerank.model))
        except RankScopeError as error:
            return None, (Note("rerank-off", f"Not reranked, the fused order stays. {error}"),)
        return reranked, reranked.notes

    def _floors(self, names: Iterable[str]) -> dict[str, float]:
        return {name: self.channels[name].floor for name in names}

    def _true_scores(self, query: str, setup: Setup) -> TrueScores:
        """The scores of chunks however deep; none (NaN) where the channel's own threshold took the chunk out."""

        def scores(name: str, chunk_ids: Sequence[str]) -> Floats:
            found, limit = self.channels[name].scores_of(query, chunk_ids, setup), setup.channel(name).threshold
            return found if limit is None or setup.agreement == "either" else np.where(found < limit, np.nan, found)

        return scores

    def _search(
        self, query: str, setup: Setup, allowed: Mask | None, timings: dict[str, float]
    ) -> tuple[dict[str, Ranking], dict[str, str]]:
        found: dict[str, Ranking] = {}
        unavailable: dict[str, str] = {}
        refused = True
        for name in (channel.name for channel in setup.channels):
            try:
                with _timed(timings, name):
                    found[name] = self._channel(name).search(query, setup, allowed)
            except RankScopeError as error:
                unavailable[name] = str(error)
                refused = refused and isinstance(error, BadInput)
        if unavailable and not found and refused:
            raise BadInput(" ".join(unavailable.values()))
        if not found:
            raise Unavailable("No channel can answer: " + " ".join(unavailable.values()), "Rebuild the collection.")
        return found, unavailable

    def _channel(self, name: str) -> Channel:
        if name not in self.channels:
            reason = self.unavailable.get(name, f"This collection has no channel {name!r}.")
            raise Unavailable(reason)
        return self.channels[name]

    def _filtered_out(self, query: str, setup: Setup, found: Mapping[str, Ranking]) -> Iterator[Dropped]:
        """The chunks that the filters took out of what would have been a channel's list."""
        allowed = self.mask(setup.filters)
        for name in found:
            whole = self.channels[name].search(query, setup)
            for chunk_id, score in zip(whole.ids, whole.scores.tolist(), strict=True):
                if allowed is not None and not allowed[self.corpus.row(chunk_id)]:
                    yield Dropped(chunk_id, "filter", name, score, None)

    def _notes(
        self, query: str, setup: Setup, channels: Mapping[str, Ranking], unavailable: Mapping[str, str]
    ) -> Iterator[Note]:
        for name in channels:
            yield from self.channels[name].notes(query, setup)
        missing = [name for name in unavailable if setup.channel(name).weight > 0]
        if setup.agreement == "both" and missing:
            yield Note(
                "both-without", f"Agreement is asked of the channels that answered: not of {', '.join(missing)}."
            )
        yield from fusion_notes(channels, setup)


@contextmanager
def _timed(timings: dict[str, float], name: str) -> Iterator[None]:
    started = perf_counter()
    yield
    timings[name] = (perf_counter() - started) * 1000


def _over_threshold(ranking: Ranking, setup: Setup, dropped: list[Dropped]) -> Ranking:
    """The chunks that reach their channel's threshold; under `either` the threshold is judged after the fusion."""
    limit = setup.channel(ranking.source).threshold
    if limit is None or setup.agreement == "either":
        return ranking
    return _at_least(ranking, limit, "threshold", ranking.source, dropped)


def _agreed(fused: Ranking, channels: Mapping[str, Ranking], setup: Setup, dropped: list[Dropped]) -> Ranking:
    counted = {name: ranking for name, ranking in channels.items() if setup.channel(name).weight > 0}
    if setup.agreement == "each":
        return fused
    if setup.agreement == "both":
        kept = {i for i in fused.ids if all(ranking.rank(i) is not None for ranking in counted.values())}
    else:
        kept = {i for i in fused.ids if any(_reaches(ranking, i, setup) for ranking in counted.values())}
    dropped.extend(
        Dropped(chunk_id, "agreement", None, score, None)
        for chunk_id, score in zip(fused.ids, fused.scores.tolist(), strict=True)
        if chunk_id not in kept
    )
    return fused.keep(kept)


def _reaches(ranking: Ranking, chunk_id: str, setup: Setup) -> bool:
    score, limit = ranking.score(chunk_id), setup.channel(ranking.source).threshold
    return score is not None and (limit is None or score >= limit)


def _over_fused_threshold(ranking: Ranking, setup: Setup, dropped: list[Dropped]) -> Ranking:
    if setup.fused_threshold is None:
        return ranking
    return _at_least(ranking, setup.fused_threshold, "fused threshold", None, dropped)


def _at_least(ranking: Ranking, limit: float, stage: Stage, channel: str | None, dropped: list[Dropped]) -> Ranking:
    kept = int((ranking.scores >= limit).sum())
    dropped.extend(
        Dropped(chunk_id, stage, channel, score, limit)
        for chunk_id, score in zip(ranking.ids[kept:], ranking.scores[kept:].tolist(), strict=True)
    )
    return ranking.keep(ranking.ids[:kept])
