"""A collection opened for searching."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from engine.channels.bm25 import Bm25Channel, Bm25Index
from engine.corpus.corpus import Corpus
from engine.errors import RankScopeError, StaleIndex
from engine.evaluation.judgments import Qrels
from engine.pipelines.hybrid import HybridSearch
from engine.store.indexing import open_dense
from engine.store.manifest import Manifest
from engine.store.stored import Stored, read_stored
from engine.store.workspace import Workspace
from engine.types import Channel, Query, Setup, Trace

_CHANNELS = (Bm25Channel.name, "dense", "summary")
"""Every channel that a collection can have, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """One build of a collection, whole and read-only, whatever later builds do."""

    name: str
    stored: Stored
    search: HybridSearch

    @property
    def manifest(self) -> Manifest:
        """The record of the build."""
        return self.stored.manifest

    @property
    def corpus(self) -> Corpus:
        """Its chunks."""
        return self.stored.corpus

    @property
    def queries(self) -> tuple[Query, ...]:
        """The queries that it keeps; empty where it keeps none."""
        return self.stored.queries

    @property
    def qrels(self) -> Qrels:
        """The judgments that it keeps."""
        return self.stored.qrels

    @property
    def title(self) -> str:
        """The title for readers: the given one, else the name."""
        return self.manifest.options.title or self.name

    def fitted(self, setup: Setup) -> Setup:
        """The setup as it runs here, whoever asks: a screen, the command line or a notebook.

        Each channel of the collection, in its order, has the knobs that the setup gives it, else its defaults; a
        channel that the collection does not have is left out. To leave one out of the fusion, give it weight 0.
        """
        return setup.model_copy(update={"channels": tuple(setup.channel(name) for name in self.channel_names)})

    def terms(self, trace: Trace) -> dict[str, list[dict[str, object]]]:
        """For each result shown, what each term of the query contributes to its BM25 score, as plain data."""
        bm25 = self.search.channels.get("bm25")
        if not isinstance(bm25, Bm25Channel):
            return {}
        return {
            hit.chunk_id: [asdict(term) for term in bm25.terms(trace.query, hit.chunk_id, trace.setup)]
            for hit in trace.hits
        }

    @property
    def labels(self) -> dict[str, str]:
        """What readers call each channel that it was built with, in the order of `channel_names`."""
        return {name: self._label(name) for name in self.channel_names}

    def _label(self, name: str) -> str:
        if name in self.search.channels:
            return self.search.channels[name].label
        return Bm25Channel.label if name == Bm25Channel.name else name.capitalize()

    @property
    def channel_names(self) -> tuple[str, ...]:
        """The channels that it was built with, whether or not they can answer just now."""
        found = {*self.search.channels, *self.search.unavailable}
        return tuple(name for name in _CHANNELS if name in found)


def open_collection(workspace: Workspace, name: str) -> Collection:
    """The build in use of a collection, every file of it opened.

    A build that goes while it is opened is opened again in its new form. A channel whose index does not fit this engine
    is left out, with the reason in `search.unavailable`. `UnknownName` where there is no such collection, `StaleIndex`
    or `BadInput` where its texts cannot be read.
    """
    gone: Path | None = None
    while (folder := workspace.current(name)) != gone:
        try:
            collection = _open(name, folder)
        except RankScopeError:
            if folder.is_dir():
                raise
        else:
            if folder.is_dir():
                return collection
        gone = folder
    raise StaleIndex(f"The build of {name!r} that is in use is not there.", "Build the collection again.")


def _open_lexical(stored: Stored, folder: Path) -> Bm25Channel:
    index = Bm25Index.load(folder / "bm25")
    return Bm25Channel(index, stored.corpus, fields=stored.manifest.options.bm25_fields)


def _open(name: str, folder: Path) -> Collection:
    stored = read_stored(folder)
    channels: dict[str, Channel] = {}
    unavailable: dict[str, str] = {}
    try:
        channels[Bm25Channel.name] = _open_lexical(stored, folder)
    except RankScopeError as error:
        unavailable[Bm25Channel.name] = str(error)
    for channel in _CHANNELS[1:]:
        try:
            opened = open_dense(stored, folder, channel)
        except RankScopeError as error:
            unavailable[channel] = str(error)
        else:
            if opened is not None:
                channels[channel] = opened
    return Collection(name, stored, HybridSearch(stored.corpus, channels, unavailable))
