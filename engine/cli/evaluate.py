"""`evaluate`: the measures of one setup over judged queries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import follow, print_json, print_table, say
from engine.cli.options import (
    K1,
    AgreementOf,
    AsJson,
    B,
    Depth,
    Filters,
    FusedThreshold,
    K,
    Knobs,
    Name,
    PerChannel,
    VariantOf,
    Watch,
    setup_of,
)
from engine.errors import BadInput, RankScopeError, Unavailable
from engine.evaluation import evaluate as evaluation
from engine.evaluation.judgments import Qrels, read_qrels, read_queries
from engine.store.collection import Collection, open_collection
from engine.store.workspace import Workspace
from engine.types import Query, Ranking, Setup


def evaluate(
    name: Name,
    queries: Annotated[Path | None, typer.Option(help="Queries; those of the collection if not given.")] = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments; those of the collection if not given.")] = None,
    measures: Annotated[str, typer.Option(help="In ir-measures' notation.")] = evaluation.DEFAULT_MEASURES,
    channel: Annotated[str, typer.Option(help="bm25, dense, another channel, or fused.")] = "fused",
    depth: Depth = None,
    k: K = 60.0,
    weight: PerChannel = None,
    threshold: PerChannel = None,
    fused_threshold: FusedThreshold = None,
    agreement: AgreementOf = "each",
    filter_: Filters = None,
    variant: VariantOf = "okapi",
    k1: K1 = 1.5,
    b: B = 0.75,
    as_json: AsJson = False,
    progress: Watch = "bar",
) -> None:
    """Measure how well a setup ranks the judged chunks."""
    collection = open_collection(Workspace(), name)
    if channel not in (*collection.channel_names, "fused"):
        raise BadInput(f"There is no channel {channel!r}.", f"Use {', '.join(collection.channel_names)} or fused.")
    knobs = Knobs(
        depth=depth,
        weight=weight,
        threshold=threshold,
        k=k,
        agreement=agreement,
        fused_threshold=fused_threshold,
        variant=variant,
        k1=k1,
        b=b,
        filters=filter_,
    )
    setup = setup_of(collection.channel_names, knobs)
    if channel != "fused":
        setup = setup.model_copy(update={"channels": (setup.channel(channel),)})
    with follow(progress) as watch:
        report = evaluation.evaluate(
            lambda text: _ranking(collection, text, setup, channel),
            collection.corpus,
            _queries(collection, queries),
            _qrels(collection, qrels),
            measures=measures,
            progress=watch,
        )
    if as_json:
        print_json({"collection": name, "channel": channel, "setup": setup.model_dump(mode="json"), **report.as_data()})
        return
    print_table(
        [
            {"measure": m, "value": f"{value:.4f}", "judged": f"{report.judged[m]:.0%}"}
            for m, value in report.measures.items()
        ]
    )
    say(report.sentence())


def _ranking(collection: Collection, text: str, setup: Setup, channel: str) -> Ranking:
    """The ranking to measure; `Unavailable` where a channel that is asked for cannot answer."""
    trace = collection.search.run(text, setup)
    for name, reason in trace.unavailable.items():
        if setup.channel(name).weight > 0 and not _refuses(collection, text, setup, name):
            raise Unavailable(f"The channel {name!r} cannot answer. {reason}", "Use --channel to measure another.")
    return trace.final if channel == "fused" else trace.channels[channel]


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
