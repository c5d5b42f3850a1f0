"""The commands that build, list, rename, delete and export collections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import follow, print_json, print_table, remark, say
from engine.cli.options import AsJson, Name, Watch, pairs, validated, validated_json
from engine.corpus.options import ImportOptions
from engine.corpus.problems import MOST_KEPT
from engine.errors import BadInput, RankScopeError, UnknownName
from engine.evaluation.judgments import read_qrels, read_queries
from engine.export.collection import export_collection
from engine.store.build import Built, Judged, build_collection, rebuild_collection
from engine.store.collection import open_collection
from engine.store.demo import build_demo
from engine.store.manifest import BuildOptions, read_manifest
from engine.store.workspace import Workspace

_PROBLEMS_TOLD = 10


def index(
    name: Name,
    source: Annotated[str, typer.Option("--from", help="A file or a folder to read.")],
    format_: Annotated[
        str | None, typer.Option("--format", help="The file format; by ending and content if not given.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="en, fr, es, vi or plain; detected per chunk if not given.")
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="minilm, e5-small, hash, none, a hub name or a folder.")] = None,
    mapping: Annotated[list[str] | None, typer.Option("--map", help="`field=column`, once per field.")] = None,
    on_repeated: Annotated[
        str | None, typer.Option(help="refuse, first or last: what to do with an id that comes again.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="A title for readers.")] = None,
    summary: Annotated[bool, typer.Option("--summary", help="Index the summaries as a channel of their own.")] = False,
    queries: Annotated[Path | None, typer.Option(help="Queries to keep with the collection.")] = None,
    qrels: Annotated[Path | None, typer.Option(help="Judgments to keep with the collection.")] = None,
    base: Annotated[
        str, typer.Option("--options", help="Every option of a build as JSON; the others change it.")
    ] = "{}",
    as_json: AsJson = False,
    progress: Watch = "bar",
) -> None:
    """Read a file or folder and build a collection of it, in place of one of that name."""
    if not source:
        raise BadInput("--from is empty.", "Name a file or a folder.")
    if (queries is None) != (qrels is None):
        raise BadInput("--queries and --qrels belong together.", "Give both or none.")
    options = _with_given(
        validated_json(BuildOptions, base),
        {"title": title, "encoder": encoder, "summary": summary or None},
        {"format": format_, "language": language, "mapping": pairs("map", mapping), "on_repeated": on_repeated},
    )
    judged = Judged(read_queries(queries), read_qrels(qrels)) if queries and qrels else None
    with follow(progress) as watch:
        built = build_collection(Workspace(), name, Path(source), options, judged=judged, progress=watch)
    _tell(name, built, as_json)


def rebuild(
    name: Name,
    encoder: Annotated[str | None, typer.Option(help="Another encoder than before.")] = None,
    as_json: AsJson = False,
    progress: Watch = "bar",
) -> None:
    """Index a collection's chunks again, with the analysers and encoders of today."""
    with follow(progress) as watch:
        built = rebuild_collection(Workspace(), name, encoder, watch)
    _tell(name, built, as_json)


def demo(as_json: AsJson = False, progress: Watch = "bar") -> None:
    """Build the built-in collections that are missing or out of date."""
    with follow(progress) as watch:
        done = build_demo(Workspace(), watch)
    if as_json:
        print_json({"built": list(done.built), "failed": dict(done.failed)})
        return
    for name, reason in done.failed.items():
        remark(f"Note: {name} was not built. {reason}")
    if done.built or not done.failed:
        say(f"Built {', '.join(done.built)}." if done.built else "The built-in collections are up to date.")


def collections(as_json: AsJson = False) -> None:
    """List the collections."""
    workspace = Workspace()
    rows = [row for name in workspace.names() if (row := _summary(workspace, name))]
    if as_json:
        print_json({"collections": rows})
    elif rows:
        print_table([{**row, "built": str(row["built"] or "–")[:16].replace("T", " ")} for row in rows])
    else:
        say("There is no collection yet. Build one with: python -m engine index NAME --from PATH")


def rename(name: Name, new_name: Annotated[str, typer.Argument(help="The new name.")], as_json: AsJson = False) -> None:
    """Give a collection another name."""
    Workspace().rename(name, new_name)
    _done({"renamed": name, "name": new_name}, f"{name} is now {new_name}.", as_json=as_json)


def delete(name: Name, as_json: AsJson = False) -> None:
    """Remove a collection for good."""
    Workspace().delete(name)
    _done({"deleted": name}, f"{name} is deleted.", as_json=as_json)


def export(
    name: Name, target: Annotated[Path, typer.Argument(help="A .zip file to write.")], as_json: AsJson = False
) -> None:
    """Write a collection's chunks, queries and judgments as one zip of text files."""
    export_collection(open_collection(Workspace(), name), target)
    _done({"name": name, "written": str(target)}, f"Wrote {target}.", as_json=as_json)


def _done(data: Mapping[str, object], sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(dict(data))
    else:
        say(sentence)


def _summary(workspace: Workspace, name: str) -> dict[str, object] | None:
    """The row of a collection, with the reason in place of the title where it is damaged; None where it went."""
    try:
        manifest = read_manifest(workspace.current(name))
    except UnknownName:
        return None
    except RankScopeError as error:
        return {"name": name, "title": str(error), "chunks": None, "languages": [], "encoder": None, "built": None}
    return {
        "name": name,
        "title": manifest.options.title,
        "chunks": manifest.chunks,
        "languages": [language or "unknown" for language in manifest.languages],
        "encoder": manifest.encoder,
        "built": manifest.created,
    }


def _tell(name: str, built: Built, as_json: bool) -> None:
    if as_json:
        report = built.report.model_dump(mode="json")
        print_json({"name": name, "manifest": built.manifest.model_dump(mode="json"), "report": report})
        return
    for sentence in built.report.sentences():
        say(sentence)
    told = [problem for problem in built.report.problems if problem.kind != "guess"]
    for problem in told[:_PROBLEMS_TOLD]:
        say(f"  {problem.where}: {problem.text}")
    if len(told) > _PROBLEMS_TOLD:
        say(f"  … and {len(told) - _PROBLEMS_TOLD} more; --json and the Data page list up to {MOST_KEPT} of a kind.")
    say(f"{name}: {built.manifest.chunks} chunks, built in {built.manifest.seconds:.1f} s.")


def _with_given(base: BuildOptions, build: Mapping[str, object], reading: Mapping[str, object]) -> BuildOptions:
    """The options with those on the command line in place of their own."""
    given = {name: value for name, value in reading.items() if value}
    changed = validated(ImportOptions, **{**base.reading.model_dump(), **given})
    return validated(BuildOptions, **{**base.model_dump(), **{k: v for k, v in build.items() if v}, "reading": changed})


COMMANDS = (index, rebuild, demo, collections, rename, delete, export)
