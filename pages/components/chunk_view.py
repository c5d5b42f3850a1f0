"""One chunk, whole: its text as it is, its place and ties, and its path under the query."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from html import escape

import streamlit as st

from engine.channels.dense import DenseChannel
from engine.corpus.fields import searched_text
from engine.encoders.registry import load_encoder
from engine.errors import RankScopeError
from engine.pipelines.path import path_of
from engine.text.analysers import analyser_for
from engine.types import Chunk
from pages.components import messages, opening, resources, state
from pages.components.explore import Screen
from pages.components.inventory import Inventory
from pages.components.messages import plain
from pages.components.path import as_html
from pages.components.results import chunk_facts, facts, heading, marked, spans_of, where

_NEAREST = 6
_LONGEST = 70


def chunk_view(shown: Screen, inventory: Inventory, chunk_id: str) -> None:
    """The panel of an opened chunk; a message where the collection has none of that id."""
    try:
        chunk = shown.desk.corpus.chunk(chunk_id)
    except RankScopeError as error:
        messages.fault(error)
        return
    _head(inventory, chunk)
    _path(shown, chunk_id)
    spans = spans_of(chunk, shown.session.query) if shown.session.query.strip() else ()
    st.html(f'<div class="rs-full rs-exact">{marked(chunk.text, spans)}</div>')
    st.html(f'<p class="rs-quiet">{escape(" · ".join(_lengths(shown, inventory, chunk)))}</p>')
    _ties(shown, inventory, chunk)
    st.html(facts(row for row in chunk_facts(chunk) if row[0] != "references"))


def _head(inventory: Inventory, chunk: Chunk) -> None:
    title = f'<h2 class="rs-panel-title">{escape(heading(chunk, 240))}</h2>'
    before, after = inventory.beside(chunk)
    whole = "document" if chunk.location.document_id else "collection"
    with st.container(horizontal=True, gap="xsmall", key="chunk_turns"):
        _turn("Previous", ":material/arrow_back:", before, f"The chunk before it in the {whole}")
        _turn("Next", ":material/arrow_forward:", after, f"The chunk after it in the {whole}")
        st.button("Close", icon=":material/close:", key="chunk.close", type="tertiary", on_click=_open, args=(None,))
    st.html(f'{title}<p class="rs-where">{escape(where(chunk))}</p>')


def _turn(label: str, icon: str, chunk_id: str | None, note: str) -> None:
    st.button(
        label,
        icon=icon,
        key=f"chunk.{label}",
        type="tertiary",
        help=note,
        disabled=chunk_id is None,
        on_click=_open,
        args=(chunk_id,),
    )


def _open(chunk_id: str | None) -> None:
    state.change(selected=chunk_id)


def _path(shown: Screen, chunk_id: str) -> None:
    if shown.trace is None:
        st.html('<p class="rs-quiet">Type a query above to see where every list puts this chunk.</p>')
        return
    path = path_of(shown.desk.whole, shown.trace, chunk_id)
    st.html(as_html(path, shown.trace, shown.desk.labels))


def _lengths(shown: Screen, inventory: Inventory, chunk: Chunk) -> Iterable[str]:
    """How long the chunk is, by whom it is counted, and how much of it the encoder reads."""
    yield f"{len(chunk.text):,} characters"
    row = shown.desk.corpus.row(chunk.id)
    yield f"{inventory.terms[row]:,} terms ({analyser_for(chunk.language).label} analyser, as BM25 counts)"
    if "dense" not in shown.desk.loading:
        with suppress(RankScopeError):  # an encoder that is not there may come back, so that nothing is remembered
            yield from resources.made(("tokens", shown.desk.build, chunk.id), lambda: _tokens(shown, chunk))
    yield from (f"marked: {mark}" for mark in inventory.marks[row])


def _tokens(shown: Screen, chunk: Chunk) -> tuple[str, ...]:
    """What the encoder counts, nothing where it does not count; only for an encoder that is loaded already."""
    manifest = opening.manifest(shown.desk)
    if not manifest.encoder_fingerprint:
        return ()
    encoder = load_encoder(manifest.encoder)
    (count,) = encoder.count_tokens([searched_text(chunk, manifest.options.dense_fields)])
    limit = encoder.max_tokens
    if not count:
        return ()
    beyond = "" if limit is None else f" of {limit:,} that it reads"
    return (
        f"{count:,} tokens ({manifest.encoder}{beyond}{f', {encoder.overflow}' if limit and count > limit else ''})",
    )


def _ties(shown: Screen, inventory: Inventory, chunk: Chunk) -> None:
    """The chunks that it has to do with, each a button; references that name no chunk stay text."""
    named = [(name, inventory.named.get(name)) for name in chunk.references]
    _links(
        "Refers to",
        "refers",
        [(target, name) for name, target in named if target is not None and target != chunk.id],
        shown,
    )
    strangers = [name for name, target in named if target is None]
    if strangers:
        st.html(f'<p class="rs-quiet">Refers to {escape(", ".join(strangers))}, which is not in the collection.</p>')
    _links(
        "Referred to by",
        "cited",
        [(each, "") for each in inventory.cited_by.get(chunk.id, ()) if each != chunk.id],
        shown,
    )
    _links("Same or nearly the same text", "twins", [(each, "") for each in inventory.twins(chunk.id)], shown)
    # Neighbours are told by the vectors of the chunks, so that the whole search knows them before it has its encoder.
    dense = shown.desk.whole.channels.get("dense")
    if isinstance(dense, DenseChannel):
        key = ("nearest", shown.desk.build, chunk.id)
        nearest = resources.made(key, lambda: tuple(dense.neighbours(chunk.id, _NEAREST).hits()))
        _links(
            "Nearest by vector, with cosine", "nearest", [(hit.chunk_id, f"{hit.score:.3f}") for hit in nearest], shown
        )


def _links(title: str, key: str, targets: list[tuple[str, str]], shown: Screen) -> None:
    if not targets:
        return
    with st.container(gap=None, key=f"links_{key}"):
        st.html(f'<p class="rs-quiet">{escape(title)}</p>')
        for number, (chunk_id, note) in enumerate(targets[:12]):
            label = heading(shown.desk.corpus.chunk(chunk_id), _LONGEST)
            st.button(
                plain(f"{note}  {label}" if note else label),
                key=f"chunk.{key}.{number}.{chunk_id}",
                type="tertiary",
                on_click=_open,
                args=(chunk_id,),
            )
