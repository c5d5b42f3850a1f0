"""A run as files: every list's rank and score of each result, with the setup that made them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from engine.corpus.corpus import Corpus
from engine.types import Trace


def trace_rows(trace: Trace, corpus: Corpus, grades: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """The shown results from the first, one a row; None where a list does not hold the chunk."""
    rows = []
    for hit in trace.hits:
        chunk = corpus.chunk(hit.chunk_id)
        row: dict[str, Any] = {"rank": hit.rank, "id": chunk.id, "title": chunk.title, "fused_score": hit.score}
        for name, ranking in trace.channels.items():
            row[f"{name}_rank"] = ranking.rank(chunk.id)
            row[f"{name}_score"] = ranking.score(chunk.id)
            row[f"{name}_contribution"] = hit.contributions.get(name)
        if grades is not None:
            row["grade"] = grades.get(chunk.id)
        rows.append({**row, "text": chunk.text})
    return rows


def as_csv(trace: Trace, corpus: Corpus, grades: Mapping[str, int] | None = None) -> bytes:
    """The results as a CSV file in UTF-8 with a byte order mark, so that spreadsheets read its letters right."""
    rows = trace_rows(trace, corpus, grades)
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, fieldnames=list(rows[0]) if rows else ["rank", "id"])
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode("utf-8-sig")


def as_json(trace: Trace, corpus: Corpus, collection: str, grades: Mapping[str, int] | None = None) -> bytes:
    """The run as JSON: collection with its fingerprint, query, setup, what could not answer, and the results."""
    record = {
        "collection": collection,
        "fingerprint": corpus.fingerprint,
        "query": trace.query,
        "setup": trace.setup.model_dump(mode="json"),
        "unavailable": dict(trace.unavailable),
        "results": trace_rows(trace, corpus, grades),
    }
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False).encode()
