"""The collections, one a row: what each is, how it stands, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from engine.encoders.registry import ENCODERS
from engine.errors import RankScopeError
from engine.export.collection import export_collection
from engine.store.collection import open_collection
from engine.store.manifest import Manifest
from engine.store.workspace import checked_name
from engine.text.analysers import ANALYSERS
from pages.components import frame, intake, messages, resources, state, uploads
from pages.components.condition import Condition, source_changed
from pages.components.draft import draft_again, rebuild_arguments
from pages.components.encoder_choice import encoder_box
from pages.components.messages import plain

_ASKED = "data.asked"
_FAULT = "data.fault"
_WIDE = 330


def shelf() -> None:
    """Every collection with its actions; an invitation where there is none."""
    if (fault := state.kept(_FAULT)) is not None:
        messages.fault(fault)
        state.keep(_FAULT, None)
    every = resources.conditions()
    if not every:
        messages.nothing("No collection yet", "Load a spreadsheet or documents under New collection.")
        return
    for condition in every:
        _row(condition)


def _row(condition: Condition) -> None:
    building = resources.jobs().running(condition.name) is not None
    layout = {"horizontal": True, "wrap": False, "vertical_alignment": "center", "gap": "xsmall"}
    with st.container(border=True, key=f"shelf.{condition.name}", **layout):
        st.html(row_html(condition, building=building))
        st.button(
            "Search",
            icon=":material/search:",
            key=f"open.{condition.name}",
            disabled=condition.manifest is None,
            on_click=open_in_search,
            args=(condition.name,),
        )
        more = st.popover("Manage", icon=":material/more_vert:", key=f"manage.{condition.name}", on_change="rerun")
        if more.open:
            with more, st.container(width=_WIDE):
                _manage(condition, building=building)


def row_html(condition: Condition, *, building: bool) -> str:
    """One collection: its title and state, then size, languages, encoder, date and source on a quiet line."""
    state_name = "building" if building else condition.state
    sign = f'<span class="rs-state rs-{state_name.replace(" ", "-")}">{state_name}</span>'
    reasons = "".join(f'<p class="rs-quiet rs-reason">{escape(reason)}</p>' for reason in condition.reasons)
    lines = "" if condition.manifest is None else _lines(condition.name, condition.manifest)
    title = f'<h3 class="rs-panel-title">{escape(condition.title)} {sign}</h3>'
    return f'<div class="rs-shelf">{title}{lines}{reasons}</div>'


def _lines(name: str, manifest: Manifest) -> str:
    languages = ", ".join(_language(each) for each in manifest.languages) or "no language"
    built = datetime.fromisoformat(manifest.created).astimezone()
    encoder = ENCODERS[manifest.encoder].label if manifest.encoder in ENCODERS else manifest.encoder
    encoder = "no vectors" if manifest.encoder == "none" else encoder
    facts = (f"{manifest.chunks:,} chunks", languages, encoder, f"built {built:%d %B %Y, %H:%M}")
    changed = ", changed since" if source_changed(manifest) else ""
    source = "comes with RankScope" if manifest.options.built_in else f"from {Path(manifest.source).name}{changed}"
    said = " · ".join((*facts, source))
    named = f"{escape(name)} · " if manifest.options.title else ""
    about = f'<p class="rs-about">{escape(manifest.options.description)}</p>' if manifest.options.description else ""
    return f'{about}<p class="rs-quiet" title="{escape(manifest.source)}">{named}{escape(said)}</p>'


def _language(code: str | None) -> str:
    if code is None:
        return "unknown language"
    return ANALYSERS[code].label if code in ANALYSERS else code


def open_in_search(name: str) -> None:
    """A callback: the collection is the open one, without the query and the filters of another, on Search."""
    state.replace(state.current().in_collection(name).changed(query=""))
    frame.go("search")


def _manage(condition: Condition, *, building: bool) -> None:
    name, manifest = condition.name, condition.manifest
    if manifest is None:
        st.button(
            "Load it again",
            icon=":material/refresh:",
            key=f"again.{name}",
            help="Its texts cannot be read here any more; build it anew from its source.",
            disabled=building,
            on_click=_load_again,
            args=(name,),
        )
    else:
        encoder = encoder_box(f"rebuild.{name}", manifest.encoder, with_default=False)
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Rebuild",
                icon=":material/refresh:",
                key=f"rebuild.{name}.go",
                help="Index the stored chunks again, with the analysers of today and this encoder. "
                "Vectors that came with the source stay, unless the encoder is changed.",
                disabled=building or encoder is None,
                on_click=_rebuild,
                # To name an encoder is to embed anew, which would lose vectors that came with the source.
                args=(name, None if encoder == manifest.encoder else encoder),
            )
            st.download_button(
                "Export as zip",
                lambda: _as_zip(name),
                f"{name}.zip",
                "application/zip",
                key=f"export.{name}",
                icon=":material/download:",
                help="Chunks, queries, judgments and the record of the build, as text files that can be indexed again.",
                on_click="ignore",
            )
    key = f"rename.{name}"
    with st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="bottom"):
        st.text_input("New name", key=key, placeholder=name, max_chars=63)
        st.button("Rename", key=f"{key}.go", disabled=building, on_click=_rename, args=(name, key))
    _deletion(name, condition, building=building)


def _deletion(name: str, condition: Condition, *, building: bool) -> None:
    if state.kept(_ASKED) != name:
        st.button(
            "Delete…", key=f"delete.{name}", icon=":material/delete:", disabled=building, on_click=_ask, args=(name,)
        )
        return
    many = "" if condition.manifest is None else f" and its {condition.manifest.chunks:,} chunks"
    st.html(f"<p>Delete <b>{escape(name)}</b>{many} for good? Its source is not touched.</p>")
    with st.container(horizontal=True, gap="xsmall"):
        st.button(f"Delete {plain(name)}", key=f"delete.{name}.yes", type="primary", on_click=_delete, args=(name,))
        st.button("Keep it", key=f"delete.{name}.no", on_click=_ask, args=(None,))


def _ask(name: str | None) -> None:
    state.keep(_ASKED, name)


def _load_again(name: str) -> None:
    intake.begin(draft_again(name, resources.workspace().folder(name), uploads.new_token()))
    state.replace(state.current().with_mark("data.view", "new"))


def _rebuild(name: str, encoder: str | None) -> None:
    _trying(lambda: resources.jobs().start(name, rebuild_arguments(name, encoder)))


def _rename(name: str, key: str) -> None:
    def rename() -> None:
        new = checked_name(state.widget(key) or "")
        resources.workspace().rename(name, new)
        if state.current().collection == name:
            state.change(collection=new)

    _trying(rename)


def _delete(name: str) -> None:
    def delete() -> None:
        resources.workspace().delete(name)
        if state.current().collection == name:
            state.replace(state.current().in_collection(next(iter(resources.titles()), None)))

    state.keep(_ASKED, None)
    _trying(delete)


def _trying(action: Callable[[], object]) -> None:
    """Does it; what is refused is told at the next drawing."""
    try:
        action()
    except RankScopeError as error:
        state.keep(_FAULT, error)
    except OSError as error:
        state.keep(_FAULT, messages.from_system(error))


def _as_zip(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        target = Path(folder) / "collection.zip"
        export_collection(open_collection(resources.workspace(), name), target)
        return target.read_bytes()
