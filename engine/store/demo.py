"""The collections that come with RankScope, built where they are missing or out of date."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from engine.corpus.options import ImportOptions
from engine.corpus.reading import read_source
from engine.encoders.registry import load_encoder
from engine.errors import RankScopeError, StaleIndex
from engine.evaluation.judgments import read_beside
from engine.store.build import Judged, build_collection
from engine.store.collection import open_collection
from engine.store.manifest import BuildOptions
from engine.store.workspace import Workspace
from engine.text.analysers import ANALYSERS
from engine.types import Progress, Value, no_progress

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"


class DemoCollection(Value):
    """What `collection.json` says of a built-in collection."""

    name: str
    title: str
    language: str
    description: str
    encoder: str
    place: int = Field(default=100, description="Where it stands in the list; lower comes first.")

    @property
    def options(self) -> BuildOptions:
        """How it is built."""
        return BuildOptions(
            title=self.title,
            description=self.description,
            encoder=self.encoder,
            reading=ImportOptions(language=self.language),
            built_in=True,
            place=self.place,
        )


def demo_collections(folder: Path = DEMO) -> tuple[tuple[DemoCollection, Path], ...]:
    """The built-in collections and the folders of their sources, in the order in which they are shown."""
    found = [
        (DemoCollection.model_validate_json(path.read_bytes()), path.parent)
        for path in sorted(folder.glob("*/collection.json"))
    ]
    return tuple(sorted(found, key=lambda pair: (pair[0].place, pair[0].name)))


@dataclass(frozen=True, slots=True)
class DemoBuild:
    """What became of the built-in collections: those built now, and why others could not be."""

    built: tuple[str, ...]
    failed: Mapping[str, str]


def build_demo(workspace: Workspace, progress: Progress = no_progress, folder: Path = DEMO) -> DemoBuild:
    """Build what is missing or out of date. A collection of the user's own under such a name stays.

    One that cannot be built (its encoder does not run on this machine, another process builds it) stops no other.
    """
    built: list[str] = []
    failed: dict[str, str] = {}
    for collection, source in demo_collections(folder):
        try:
            if _is_current(workspace, collection, source):
                continue
            watch = _named(collection, progress)
            build_collection(workspace, collection.name, source, collection.options, progress=watch)
            built.append(collection.name)
        except RankScopeError as error:
            failed[collection.name] = str(error)
    return DemoBuild(tuple(built), failed)


def _named(collection: DemoCollection, progress: Progress) -> Progress:
    return lambda stage, done, total: progress(f"{collection.name}: {stage}", done, total)


def _is_built_in(folder: Path) -> bool:
    """Whether a build says that it comes with RankScope, however damaged or old it is."""
    try:
        said = json.loads((folder / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(said, dict) and bool((said.get("options") or {}).get("built_in"))


def _builds(workspace: Workspace, name: str) -> list[Path]:
    """The build in use; every build that there is where none can be told to be in use."""
    try:
        folder = workspace.current(name)
    except StaleIndex:
        pass
    else:
        if folder.is_dir():
            return [folder]
    return [path for path in workspace.folder(name).iterdir() if path.is_dir()]


def _is_current(workspace: Workspace, collection: DemoCollection, source: Path) -> bool:
    """Whether nothing is to be built: it is up to date, or a collection of the user's own has its name."""
    if collection.name not in workspace:
        return False
    if not all(map(_is_built_in, _builds(workspace, collection.name))):
        return True
    try:
        opened = open_collection(workspace, collection.name)
    except RankScopeError:
        return False
    stored = opened.stored
    if opened.search.unavailable:
        return False
    reading = read_source(source, collection.options.reading)
    return (
        stored.manifest.options == collection.options
        and stored.manifest.corpus_fingerprint == reading.corpus.fingerprint
        and stored.manifest.encoder_fingerprint == load_encoder(collection.encoder).fingerprint
        and all(ANALYSERS[name].fingerprint == built for name, built in stored.manifest.analysers.items())
        and Judged(stored.queries, stored.qrels) == Judged(*read_beside(source))
    )
