"""`evaluate`: the measures of one setup over judged queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import follow, print_json, print_table, say
from engine.cli.options import AsJson, Name, SetupOptions, Watch, takes_setup
from engine.errors import BadInput, RankScopeError, Unavailable, shortened
from engine.evaluation import evaluate as evaluation
from engine.evaluation.judgments import Qrels, read_qrels, read_queries
from engine.rerank.registry import RERANKERS
from engine.store.collection import Collection, open_collection
from engine.store.workspace import Workspace
from engine.types import Query, Ranking, RerankSetup, Setup


@takes_setup
def evaluate(
    name: Name,
    queries: Annotated[Path | None, typer.Option(help="Queries; those of the collection if not given.")] = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments; those of the collection if not given.")] = None,
    measures: Annotated[str, typer.Option(help="In ir-measures' notation.")] = evaluation.DEFAULT_MEASURES,
    channel: Annotated[
        str | None,
        typer.Option(help="bm25, dense, another channel, fused or reranked; by default the last that is on."),
    ] = None,
    *,
    options: SetupOptions,
    as_json: AsJson = False,
    progress: Watch = "bar",
) -> None:
    """Measure how well a setup ranks the judged chunks."""
    collection = open_collection(Workspace(), name)
    setup = collection.fitted(options.setup(collection.channel_names))
    measured = channel or ("reranked" if setup.rerank.model else "fused")
    setup = _only_what_counts(setup, measured, collection.channel_names)
    with follow(progress) as watch:
        report = evaluation.evaluate(
            lambda text: _ranking(collection, text, setup, measured),
            collection.corpus,
            _queries(collection, queries),
            _qrels(collection, qrels),
            measures=measures,
            progress=watch,
        )
    if as_json:
        print_json(
            {"collection": name, "channel": measured, "setup": setup.model_dump(mode="json"), **report.as_data()}
        )
        return
    print_table(
        [
            {"measure": m, "value": f"{value:.4f}", "judged": f"{report.judged[m]:.0%}"}
            for m, value in report.measures.items()
        ]
    )
    say(report.sentence())


def _only_what_counts(setup: Setup, measured: str, channels: Sequence[str]) -> Setup:
    """The setup without the stages after the one that is measured; `BadInput` for one that does not exist."""
    if measured not in (*channels, "fused", "reranked"):
        raise BadInput(f"There is no channel {measured!r}.", f"Use {', '.join(channels)}, fused or reranked.")
    if measured == "reranked":
        if not setup.rerank.model:
            raise BadInput("No reranker is named.", f"Name one, such as --rerank {next(iter(RERANKERS))}.")
        return setup
    without = setup.model_copy(update={"rerank": RerankSetup()})
    return without if measured == "fused" else without.model_copy(update={"channels": (setup.channel(measured),)})


def _ranking(collection: Collection, text: str, setup: Setup, measured: str) -> Ranking:
    """The ranking to measure; `Unavailable` where a channel or the reranker that is asked for cannot answer."""
    trace = collection.search.run(text, setup)
    for name, reason in trace.unavailable.items():
        if setup.channel(name).weight > 0 and not _refuses(collection, text, setup, name):
            raise Unavailable(f"The channel {name!r} cannot answer. {reason}", "Use --channel to measure another.")
    if measured == "reranked" and trace.reranked is None:
        reason = next(note.text for note in trace.warnings if note.code == "rerank-off")
        raise Unavailable(f"The query {shortened(text)!r}: {reason}")
    return trace.channels.get(measured, trace.final)


def _refuses(collection: Collection, text: str, setup: Setup, name: str) -> bool:
    """Whether it is the query that a channel cannot take, as a model that knows none of its words."""
    channel = collection.search.channels.get(name)
    if channel is None:
        return False
    try:
        channel.search(text, setup)
    except RankScopeError as error:
        return isinstance(error, BadInput)
    return False


def _queries(collection: Collection, path: Path | None) -> tuple[Query, ...]:
    found = read_queries(path) if path else collection.queries
    if not found:
        raise BadInput("The collection keeps no queries.", "Name a file with --queries.")
    return found


def _qrels(collection: Collection, path: Path | None) -> Qrels:
    found = read_qrels(path) if path else collection.qrels
    if not found:
        raise BadInput("The collection keeps no judgments.", "Name a file with --qrels.")
    return found


COMMANDS = (evaluate,)
