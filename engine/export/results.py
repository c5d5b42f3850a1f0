"""A trace as plain data: the one form that the command line prints and the screens export."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from engine.corpus.corpus import Corpus
from engine.types import Hit, Ranking, Trace

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*")

Plain = dict[str, object]
TermsOf = Mapping[str, Sequence[Plain]]
"""Per chunk id the query terms' parts in its BM25 score, one plain object a term."""


def trace_as_data(
    trace: Trace, corpus: Corpus, terms: TermsOf = MappingProxyType({}), grades: Mapping[str, int] | None = None
) -> Plain:
    """The trace as values that JSON holds as they are; a rank or score that does not exist is None.

    Where `terms` has a chunk, they stand as `terms` beside its `bm25` score. With `grades`, by chunk id, each hit has
    its `grade`, None where nobody judged it.

    The `channels` of a hit add up to the `score` of its `fused`. `reranked`, and `rerank` of a hit, are None where no
    reranker answered; in them `logit` is None where the model gives a probability itself.
    """
    return {
        "query": trace.query,
        "setup": trace.setup.model_dump(mode="json"),
        "hits": [{**_hit(hit, trace, corpus, terms.get(hit.chunk_id)), **_grade(hit, grades)} for hit in trace.hits],
        "channels": {name: _listed(ranking) for name, ranking in trace.channels.items()},
        "reranked": None if trace.reranked is None else [_reranked(hit, trace) for hit in trace.reranked.hits()],
        "dropped": [
            {"chunk_id": d.chunk_id, "stage": d.stage, "channel": d.channel, "value": d.value, "limit": d.limit}
            for d in trace.dropped
        ],
        "unavailable": dict(trace.unavailable),
        "timings_ms": {stage: round(value, 3) for stage, value in trace.timings_ms.items()},
        "warnings": [{"code": note.code, "text": note.text} for note in trace.warnings],
    }


def hits_as_rows(trace: Trace, corpus: Corpus, grades: Mapping[str, int] | None = None) -> list[Plain]:
    """One flat row per result shown, with each channel's rank, score and contribution in columns of its own.

    After a rerank the columns of the fusion and of the rerank follow, and the contributions add up to `fused_score`.
    With `grades`, by chunk id, a column `grade`, None where nobody judged the chunk. The text comes last.
    """
    return [
        {**dict(_row(hit, trace, corpus)), **_grade(hit, grades), "text": corpus.chunk(hit.chunk_id).text}
        for hit in trace.hits
    ]


def rows_as_csv(rows: Sequence[Mapping[str, object]], *, exact: bool = False) -> str:
    """The rows as CSV with a header (RFC 4180); None is an empty cell. Empty text where there is no row.

    A text that a spreadsheet would run as a formula is given a leading apostrophe, ids alike; numbers such as `-5` and
    all else stay exactly as they are. `exact` leaves every text as it is, for programs.
    """
    if not rows:
        return ""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows if exact else [{key: _harmless(value) for key, value in row.items()} for row in rows])
    return out.getvalue()


def _hit(hit: Hit, trace: Trace, corpus: Corpus, terms: Sequence[Plain] | None) -> Plain:
    channels: dict[str, Plain] = {
        name: {
            "rank": ranking.rank(hit.chunk_id),
            "score": ranking.score(hit.chunk_id),
            "contribution": _contribution(hit.chunk_id, name, trace),
        }
        for name, ranking in trace.channels.items()
    }
    if terms is not None and "bm25" in channels:
        channels["bm25"]["terms"] = list(terms)
    title = corpus.chunk(hit.chunk_id).title
    return {
        "rank": hit.rank,
        "chunk_id": hit.chunk_id,
        "title": title,
        "score": hit.score,
        "channels": channels,
        "fused": {"rank": trace.fused.rank(hit.chunk_id), "score": trace.fused.score(hit.chunk_id)},
        "rerank": None if trace.reranked is None else _rerank(hit.chunk_id, trace),
    }


def _reranked(hit: Hit, trace: Trace) -> Plain:
    return {"chunk_id": hit.chunk_id, "score": hit.score, **_rerank(hit.chunk_id, trace)}


def _rerank(chunk_id: str, trace: Trace) -> Plain:
    """The ranks of a chunk among the reranked ones, before and after, and what the model said."""
    before, after = trace.before_rerank, trace.reranked
    return {
        "rank_before": before.rank(chunk_id) if before else None,
        "rank": after.rank(chunk_id) if after else None,
        "logit": trace.logits.get(chunk_id),
        "probability": trace.probabilities.get(chunk_id),
    }


def _contribution(chunk_id: str, channel: str, trace: Trace) -> float:
    """What a channel added to the fused score; a rerank keeps it beside its own score."""
    rank = trace.fused.rank(chunk_id)
    parts = trace.fused.contributions.get(channel)
    return 0.0 if rank is None or parts is None else float(parts[rank - 1])


def _listed(ranking: Ranking) -> list[Plain]:
    return [{"rank": hit.rank, "chunk_id": hit.chunk_id, "score": hit.score} for hit in ranking.hits()]


def _row(hit: Hit, trace: Trace, corpus: Corpus) -> Iterator[tuple[str, object]]:
    chunk = corpus.chunk(hit.chunk_id)
    yield from (("rank", hit.rank), ("chunk_id", hit.chunk_id), ("title", chunk.title), ("score", hit.score))
    for name, ranking in trace.channels.items():
        yield f"{name}_rank", ranking.rank(hit.chunk_id)
        yield f"{name}_score", ranking.score(hit.chunk_id)
        yield f"{name}_contribution", _contribution(hit.chunk_id, name, trace)
    if trace.reranked is not None:
        yield "fused_rank", trace.fused.rank(hit.chunk_id)
        yield "fused_score", trace.fused.score(hit.chunk_id)
        for name, value in _rerank(hit.chunk_id, trace).items():
            yield f"rerank_{name}", value


def _grade(hit: Hit, grades: Mapping[str, int] | None) -> Plain:
    return {} if grades is None else {"grade": grades.get(hit.chunk_id)}


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value
