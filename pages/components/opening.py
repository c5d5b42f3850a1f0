"""Open collections and their runs, loaded once and shared by all sessions; bounded, and keyed by the build.

Everything here is read-only after it was made. After each load the garbage collector is told to leave the loaded
objects alone (`gc.freeze`): Streamlit collects after every run, and walking torch costs a quarter of a second.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from engine.channels.dense import DenseChannel
from engine.corpus.corpus import Corpus
from engine.encoders.registry import load_encoder
from engine.errors import RankScopeError
from engine.evaluation.evaluate import judged_unit
from engine.evaluation.judgments import Qrels
from engine.pipelines.hybrid import HybridSearch
from engine.store.collection import Collection, open_collection
from engine.store.manifest import Manifest
from engine.types import Query, Setup, Trace
from pages.components.inventory import Inventory, take_stock
from pages.components.lengths import term_counts
from pages.components.resources import build_in_use, workspace

_LOG = logging.getLogger(__name__)
_QUICK = frozenset({"bm25"})
"""Channels that answer without loading a model."""

_WARM_UP = "warm up"


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """An open collection as the screens use it. `build` changes whenever anything in it may have changed.

    `labels` and `scales` are by channel, in the order of the columns. `whole` searches every channel, `search` those
    that can answer any query now; `loading` names the others, which will join by themselves. `fitted` gives a setup as
    it runs here.
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
    fitted: Callable[[Setup], Setup]
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
            self.collection.search.run(_WARM_UP, self.collection.fitted(Setup()))
            # The search takes the vector that an earlier start has kept, and then no model is loaded.
            load_encoder(self.collection.manifest.encoder).encode_query(_WARM_UP)
        except RankScopeError as error:
            _LOG.warning("Warming up %s: %s", self.collection.name, error)
        finally:
            settle()
            self.done.set()


def settle() -> None:
    """After a load: what is there now stays, and is not walked again after every run.

    What an earlier load left and nobody holds any more is freed; it thaws first, for what is frozen is never collected.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def desk(name: str) -> Desk:
    """The collection of that name, opened; `UnknownName` where there is none. A new build of it is opened afresh."""
    build = str(build_in_use(name))
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
    whole = collection.search
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
        labels=collection.labels,
        scales={each: source.scale for each, source in whole.channels.items()},
        facets=collection.corpus.facets(),
        queries=collection.queries,
        qrels=collection.qrels,
        fitted=collection.fitted,
        loading=loading,
    )


def run(opened: Desk, query: str, setup: Setup) -> Trace:
    """The trace of a query, from memory where the same was asked before.

    A query with a kept vector, such as an example, is answered by every channel before the models are loaded.
    """
    waiting = (opened.whole.channels[name] for name in opened.loading)
    known = all(isinstance(channel, DenseChannel) and channel.has_query_vector(query) for channel in waiting)
    asked = (opened.build, known, query, setup.model_dump_json())
    trace = _run(*asked, opened)
    if trace.unavailable.keys() - (opened.whole if known else opened.search).unavailable.keys():
        _run.clear(*asked, opened)  # a channel failed in this run; it may answer in the next
    return trace


@st.cache_resource(max_entries=64, show_spinner=False)
def _run(build: str, known: bool, query: str, setup_json: str, _desk: Desk) -> Trace:
    search = _desk.whole if known else _desk.search
    return search.run(query, Setup.model_validate_json(setup_json))


def query_of(opened: Desk, text: str) -> Query | None:
    """The query of the collection's query set that reads so, if there is one."""
    return _queries_by_text(opened.build, opened).get(text.strip())


def grades(opened: Desk, text: str) -> Mapping[str, int] | None:
    """The grades of a query by chunk id, None where it was never judged.

    Where the judgments name documents, a graded document grades each of its chunks; as in an evaluation, they name the
    one or the other, never both.
    """
    query = query_of(opened, text)
    judged = {} if query is None else opened.qrels.of(query.id)
    if not judged:
        return None
    documents = _chunks_of_judged_documents(opened.build, opened)
    if documents is None:
        return judged
    return {chunk: grade for name, grade in judged.items() for chunk in documents.get(name, ())}


@st.cache_resource(max_entries=8, show_spinner=False)
def _queries_by_text(build: str, _desk: Desk) -> Mapping[str, Query]:
    return {query.text.strip(): query for query in reversed(_desk.queries)}


@st.cache_resource(max_entries=8, show_spinner=False)
def _chunks_of_judged_documents(build: str, _desk: Desk) -> Mapping[str, tuple[str, ...]] | None:
    """The chunks of every document; None where the judgments name chunks, or nothing of this collection."""
    try:
        unit = judged_unit(_desk.corpus, _desk.qrels)
    except RankScopeError:
        return None
    if unit == "chunks":
        return None
    found: dict[str, list[str]] = {}
    for chunk in _desk.corpus:
        if chunk.location.document_id is not None:
            found.setdefault(chunk.location.document_id, []).append(chunk.id)
    return {name: tuple(ids) for name, ids in found.items()}


def manifest(opened: Desk) -> Manifest:
    """The record of how an open collection was built."""
    return _opened(opened.name, opened.build).collection.manifest


def inventory(opened: Desk) -> Inventory:
    """The inventory of an open collection, taken once for each build."""
    return _inventory(opened.build, opened)


@st.cache_resource(max_entries=3, show_spinner="Comparing the chunks with each other")
def _inventory(build: str, _desk: Desk) -> Inventory:
    stored = _opened(_desk.name, build).collection.stored
    terms = term_counts(_desk.corpus, _desk.search.channels.get("bm25"), stored.manifest.options.bm25_fields)
    return take_stock(_desk.corpus, terms, stored.report)
