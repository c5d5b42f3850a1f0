"""`search`: one query, and where every channel puts each result."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.console import print_json, print_table, remark, say
from engine.cli.options import AsJson, Name, SetupOptions, takes_setup
from engine.errors import shortened
from engine.export.results import TermsOf, trace_as_data
from engine.store.collection import Collection, open_collection
from engine.store.workspace import Workspace
from engine.types import Hit, Trace

_TERM_COLUMNS = {
    "term": "term",
    "form": "form",
    "tf": "tf",
    "df": "df",
    "idf": "idf",
    "length_factor": "length",
    "contribution": "adds",
}


@takes_setup
def search(
    name: Name,
    query: Annotated[str, typer.Argument(help="The query.")],
    top: Annotated[int, typer.Option(help="Results shown.")] = 10,
    *,
    options: SetupOptions,
    explain: Annotated[bool, typer.Option("--explain", help="Each query term's part in the BM25 scores.")] = False,
    as_json: AsJson = False,
) -> None:
    """Search a collection and show where each channel puts every result."""
    collection = open_collection(Workspace(), name)
    setup = collection.fitted(options.setup(collection.channel_names, shown=top))
    trace = collection.search.run(query, setup)
    terms = collection.terms(trace) if explain else {}
    if as_json:
        print_json(trace_as_data(trace, collection.corpus, terms))
    else:
        _show(collection, trace, terms)


def _show(collection: Collection, trace: Trace, terms: TermsOf) -> None:
    rows = [_row(hit, trace, collection) for hit in trace.hits]
    if rows:
        print_table(rows)
    else:
        say("Nothing was found.")
    for chunk_id, scores in terms.items():
        if any(score["tf"] for score in scores):
            say(f"\nBM25 of {chunk_id}")
            print_table([{short: score[name] for name, short in _TERM_COLUMNS.items()} for score in scores])
    for text in (*(note.text for note in trace.warnings), *trace.unavailable.values()):
        remark(f"Note: {text}")


def _row(hit: Hit, trace: Trace, collection: Collection) -> dict[str, object]:
    """The places and raw scores of one result, narrow enough for a terminal."""
    places = {
        ranking.source: f"{rank} ({ranking.score(hit.chunk_id):.4f})" if (rank := ranking.rank(hit.chunk_id)) else "–"
        for ranking in trace.channels.values()
    }
    chunk = collection.corpus.chunk(hit.chunk_id)
    title = chunk.title or shortened(" ".join(chunk.text.split()), 60)
    scores = {"fused": f"{trace.fused.score(hit.chunk_id):.6f}"} if trace.reranked is None else _moved(hit, trace)
    return {"#": hit.rank, "chunk": hit.chunk_id, **scores, **places, "title": title}


def _moved(hit: Hit, trace: Trace) -> dict[str, str]:
    """The rank before the rerank, and the probability with the logit behind it."""
    before, logit = trace.before_rerank, trace.logits.get(hit.chunk_id)
    rank = "–" if before is None else before.rank(hit.chunk_id)
    raw = "" if logit is None else f" (logit {logit:.4f})"
    return {
        "fused": f"{rank} ({trace.fused.score(hit.chunk_id):.6f})",
        "reranked": f"{trace.probabilities[hit.chunk_id]:.4f}{raw}",
    }


COMMANDS = (search,)
