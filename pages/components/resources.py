"""What is loaded once and shared by all sessions: the only cache decorators, bounded and keyed by fingerprints.

Everything here is read-only after it was made. After each load the garbage collector is told to leave the loaded
objects alone (`gc.freeze`): Streamlit collects after every run, and walking torch costs a quarter of a second.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import streamlit as st

from engine.channels.dense import DenseChannel
from engine.corpus.corpus import Corpus
from engine.corpus.documents import count_words
from engine.corpus.options import ImportOptions
from engine.corpus.previewing import Preview, preview
from engine.corpus.readers.workbook import sheet_names
from engine.corpus.sources import SourceFile
from engine.encoders.registry import load_encoder
from engine.errors import RankScopeError, UnknownName
from engine.evaluation.judgments import Qrels
from engine.pipelines.hybrid import HybridSearch
from engine.store.collection import Collection, open_collection
from engine.store.manifest import NO_ENCODER, BuildOptions, Manifest, read_manifest
from engine.store.workspace import Workspace
from engine.types import Query, Setup, Trace
from pages.components import uploads
from pages.components.condition import Condition, condition_of
from pages.components.cuts import Cuts, cuts_of
from pages.components.inventory import Inventory, take_stock
from pages.components.jobs import Jobs
from pages.components.lengths import term_counts

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_LABELS: Mapping[str, str] = {"bm25": "BM25", "dense": "Dense"}
_QUICK = frozenset({"bm25"})
"""Channels that answer without loading a model."""


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """An open collection as the screens use it. `build` changes whenever anything in it may have changed.

    `labels` and `scales` are by channel, in the order of the columns. `whole` searches every channel, `search` those
    that can answer any query now; `loading` names the others, which will join by themselves.
    """

    name: str
    title: str
    build: str
    corpus: Corpus
    whole: HybridSearch
    search: HybridSearch
    labels: Mapping[str, str]
    scales: Mapping[str, str]
    facets: Mapping[str, tuple[str, ...]]
    queries: tuple[Query, ...]
    qrels: Qrels
    loading: frozenset[str] = frozenset()


@dataclass(slots=True)
class Warming:
    """A collection whose models are being loaded in the background; `done` is set when they are, or failed."""

    collection: Collection
    done: threading.Event = field(default_factory=threading.Event)
    started: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Begins to load, the first time that it is called."""
        if self.started.acquire(blocking=False):
            threading.Thread(target=self._load, name=f"warm {self.collection.name}", daemon=True).start()

    def _load(self) -> None:
        try:
            self.collection.search.run("warm up", Setup())
        except RankScopeError as error:
            _LOG.warning("Warming up %s: %s", self.collection.name, error)
        finally:
            settle()
            self.done.set()


def settle() -> None:
    """After a load: what is there now stays, and is not walked again after every run."""
    gc.collect()
    gc.freeze()


@st.cache_resource(max_entries=1, show_spinner=False)
def workspace() -> Workspace:
    """The workspace that this server serves."""
    return Workspace()


def titles() -> dict[str, str]:
    """The title of every collection by its name, by its place in the list, then by name."""
    listed = []
    for name in workspace().names():
        with suppress(UnknownName):  # deleted since it was listed
            place, title = _listing(name, str(workspace().current(name)))
            listed.append((place, name, title))
    return {name: title for _, name, title in sorted(listed)}


@st.cache_data(max_entries=256, show_spinner=False)
def _listing(name: str, folder: str) -> tuple[int, str]:
    try:
        options = read_manifest(Path(folder)).options
    except (RankScopeError, OSError):
        options = BuildOptions()
    return options.place, options.title or name


def desk(name: str) -> Desk:
    """The collection of that name, opened; `UnknownName` where there is none. A new build of it is opened afresh."""
    build = str(workspace().current(name))
    warming = _opened(name, build)
    return _desk(name, build, warming.done.is_set(), warming)


def warm_up(opened: Desk) -> None:
    """Starts to load the models of a collection, in the background, if that has not been done.

    To be called when the screen is drawn: importing torch takes seconds, in which the server answers slowly.
    """
    if opened.loading:
        _opened(opened.name, opened.build).start()


@st.cache_resource(max_entries=8, show_spinner=False)
def _opened(name: str, build: str) -> Warming:
    warming = Warming(open_collection(workspace(), name))
    if set(warming.collection.search.channels) <= _QUICK:
        warming.done.set()
    settle()
    return warming


@st.cache_resource(max_entries=16, show_spinner=False)
def _desk(name: str, build: str, ready: bool, _warming: Warming) -> Desk:
    collection = _warming.collection
    whole, names = collection.search, collection.channel_names
    loading = frozenset() if ready else frozenset(whole.channels) - _QUICK
    reasons = dict.fromkeys(loading, "The encoder is loading. This column fills in by itself.")
    quick = {channel: source for channel, source in whole.channels.items() if channel not in loading}
    search = whole if ready else HybridSearch(collection.corpus, quick, {**whole.unavailable, **reasons})
    return Desk(
        name=name,
        title=collection.title,
        build=build,
        corpus=collection.corpus,
        whole=whole,
        search=search,
        labels={
            each: whole.channels[each].label if each in whole.channels else _LABELS.get(each, each) for each in names
        },
        scales={each: source.scale for each, source in whole.channels.items()},
        facets=collection.corpus.facets(),
        queries=collection.queries,
        qrels=collection.qrels,
        loading=loading,
    )


def run(opened: Desk, query: str, setup: Setup) -> Trace:
    """The trace of a query, from memory where the same was asked before.

    A query with a kept vector, such as an example, is answered by every channel before the models are loaded.
    """
    waiting = (opened.whole.channels[name] for name in opened.loading)
    known = all(isinstance(channel, DenseChannel) and channel.has_query_vector(query) for channel in waiting)
    return _run(opened.build, known, query, setup.model_dump_json(), opened)


@st.cache_resource(max_entries=64, show_spinner=False)
def _run(build: str, known: bool, query: str, setup_json: str, _desk: Desk) -> Trace:
    search = _desk.whole if known else _desk.search
    return search.run(query, Setup.model_validate_json(setup_json))


def query_of(opened: Desk, text: str) -> Query | None:
    """The query of the collection's query set that reads so, if there is one."""
    return _queries_by_text(opened.build, opened).get(text.strip())


def grades(opened: Desk, text: str) -> Mapping[str, int] | None:
    """The grades of a query by chunk id, None where it was never judged. A graded document grades its chunks."""
    query = query_of(opened, text)
    judged = {} if query is None else opened.qrels.of(query.id)
    if not judged:
        return None
    documents = _chunks_by_document(opened.build, opened)
    by_chunk = {chunk: grade for name, grade in judged.items() for chunk in documents.get(name, ())}
    return {**by_chunk, **judged}


@st.cache_resource(max_entries=8, show_spinner=False)
def _queries_by_text(build: str, _desk: Desk) -> Mapping[str, Query]:
    return {query.text.strip(): query for query in reversed(_desk.queries)}


@st.cache_resource(max_entries=8, show_spinner=False)
def _chunks_by_document(build: str, _desk: Desk) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for chunk in _desk.corpus:
        if chunk.location.document_id is not None:
            found.setdefault(chunk.location.document_id, []).append(chunk.id)
    return {name: tuple(ids) for name, ids in found.items()}


@st.cache_resource(max_entries=1, show_spinner=False)
def jobs() -> Jobs:
    """The builds of this server, seen by every session. Uploads that a former server left are removed first."""
    uploads.sweep(workspace().root)
    return Jobs(workspace().root)


def conditions() -> tuple[Condition, ...]:
    """Every collection and how its build stands, by its place in the list, then by name."""
    found = []
    for name in workspace().names():
        with suppress(UnknownName):  # deleted since it was listed
            folder = workspace().current(name)
            found.append(made(("condition", name, str(folder)), partial(condition_of, name, folder)))
    return tuple(sorted(found, key=lambda each: (each.place, each.name)))


def look(path: Path, options: ImportOptions) -> Preview:
    """The head of a source, read again whenever the file or the options change."""
    return made(("preview", *_version(path), options.model_dump_json()), lambda: preview(path, options))


def sheets(path: Path) -> tuple[str, ...]:
    """The sheets of a workbook, none where it cannot be read; which its reader tells."""
    try:
        return made(("sheets", *_version(path)), lambda: sheet_names(SourceFile(path, path.name)))
    except RankScopeError:
        return ()


def cuts(path: Path, options: ImportOptions, encoder: str) -> Cuts | None:
    """Where the cuts fall in a source, counted as that encoder counts; `none` counts words."""
    count = count_words if encoder == NO_ENCODER else load_encoder(encoder).count_tokens
    return made(("cuts", *_version(path), options.model_dump_json(), encoder), lambda: cuts_of(path, options, count))


def _version(path: Path) -> tuple[Hashable, ...]:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return (str(path),)
    return str(path), found.st_mtime_ns, found.st_size


def manifest(opened: Desk) -> Manifest:
    """The record of how an open collection was built."""
    return _opened(opened.name, opened.build).collection.manifest


def inventory(opened: Desk) -> Inventory:
    """The inventory of an open collection, taken once for each build."""
    collection = _opened(opened.name, opened.build).collection
    report, fields = collection.stored.report, collection.manifest.options.bm25_fields

    def take() -> Inventory:
        return take_stock(opened.corpus, term_counts(opened.corpus, opened.search.channels.get("bm25"), fields), report)

    return made(("inventory", opened.build), take)


def made(key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """What `make` gives, made once for that key and shared, never changed. The key names all that it hangs on."""
    return _made(key, make)


@st.cache_resource(max_entries=128, show_spinner=False)
def _made(key: tuple[Hashable, ...], _make: Callable[[], T]) -> T:
    return _make()
