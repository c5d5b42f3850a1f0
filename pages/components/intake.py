"""A new collection: its source, how the source looks, and the way to the build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from engine.corpus.previewing import Preview
from engine.corpus.readers import READERS
from engine.encoders.registry import default_encoder
from engine.errors import BadInput, RankScopeError
from engine.store.manifest import NO_ENCODER
from engine.text.chunking import ChunkingOptions
from pages.components import messages, resources, state, uploads
from pages.components.cuts import as_html
from pages.components.draft import Draft, is_table, new_draft, preview_rows

DRAFT = "data.draft"
JOB = "data.job"
_PATH = "knob.data.path"
_REFUSED = "data.refused"
"""Why a source was not taken; until another one is tried."""

_UPLOAD = "data.upload"
_ROW = 30
_ROWS_SHOWN = 10


def draft() -> Draft | None:
    """The collection that this session prepares; None before a source is chosen, and after it was built."""
    job = state.kept(JOB)
    if job is not None and resources.jobs().succeeded(job):
        state.keep(JOB, None)
        begin(None)
    return state.kept(DRAFT)


def edit(key: str, step: Callable[[Draft, Any], Draft]) -> dict[str, Any]:
    """What lets the widget of that key change the draft."""
    return {"on_change": _edited, "args": (key, step)}


def change(step: Callable[[Draft], Draft]) -> None:
    """Makes the draft what `step` makes of it as it is now, which may be later than it was drawn.

    What was refused of it as it was is forgotten.
    """
    now: Draft | None = state.kept(DRAFT)
    if now is not None:
        state.keep(DRAFT, step(replace(now, refused=None)))


def _edited(key: str, step: Callable[[Draft, Any], Draft]) -> None:
    change(lambda now: step(now, state.widget(key)))


def begin(draft: Draft | None, refused: RankScopeError | None = None) -> None:
    """Puts a draft in the place of the former one; None goes back to the choice of a source.

    `refused` says there why a source could not be taken.
    """
    state.keep(DRAFT, draft)
    state.keep(_REFUSED, refused)


def source_chooser() -> None:
    """The upload and, beside it, the path on this machine."""
    endings = ", ".join(sorted({name.lstrip(".") for reader in READERS.values() for name in reader.endings}))
    left, right = st.columns(2, gap="medium", border=True)
    with left:
        st.file_uploader(
            "Upload a file, or several documents",
            accept_multiple_files=True,
            key=_UPLOAD,
            on_change=_uploaded,
        )
    with right:
        st.text_input(
            "Or a file or folder on this machine",
            key=_PATH,
            placeholder="/data/articles.csv",
            on_change=_pointed,
            help="Read where it lies, on the machine that serves RankScope. A folder is read with all its files.",
        )
    if (fault := state.kept(_REFUSED)) is not None:
        messages.fault(fault)
    messages.nothing(
        "Bring your own texts",
        "Tables (CSV, Excel, JSON lines, Parquet) become one chunk a row; documents (Word, PDF, Markdown, HTML, text) "
        f"are cut into passages. Endings: {endings}.",
    )


def _uploaded() -> None:
    files = state.widget(_UPLOAD) or []
    if not files:
        return
    root, token = resources.workspace().root, uploads.new_token(files)
    uploads.sweep(root)
    try:
        begin(new_draft(token, uploads.store(root, token, files)))
    except OSError as error:
        uploads.remove(root, token)
        begin(None, messages.from_system(error))


def _pointed() -> None:
    typed = (state.widget(_PATH) or "").strip().strip("\"'")
    if not typed:
        begin(None)
        return
    path = Path(typed).expanduser()
    try:
        there = path.exists()
    except (OSError, ValueError):
        there = False
    if there:
        begin(new_draft(uploads.new_token(), path.resolve()))
    else:
        begin(None, BadInput(f"{typed} does not exist.", "Check the path, as this machine knows it."))


def same_source(now: Draft) -> None:
    """Says where a collection was built from the very bytes that were uploaded again."""
    mark = uploads.mark_of(now.source)
    for condition in resources.conditions() if mark is not None else ():
        if condition.manifest is not None and uploads.mark_of(condition.manifest.source) == mark:
            name = condition.name
            messages.remarks([f"The collection {name} was built from this very file. Building it again adds nothing."])


def source_line(now: Draft, *, building: bool) -> None:
    """Which source the draft is of, and, unless it is being built, the way to another."""
    size = f" · {now.source.stat().st_size:,} bytes" if now.source.is_file() else ""
    uploaded = uploads.folder_of(resources.workspace().root) in now.source.parents
    place = "uploaded" if uploaded else str(now.source.parent)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall"):
        name = f'<h2 class="rs-panel-title">{escape(now.source.name)}</h2>'
        st.html(f'{name}<p class="rs-quiet">{escape(place)}{size}</p>')
        st.button(
            "Another source",
            icon=":material/restart_alt:",
            key="data.another",
            disabled=building,
            on_click=_another,
            args=(now,),
        )


def _another(now: Draft) -> None:
    uploads.remove(resources.workspace().root, now.token)
    begin(None)


def look(now: Draft) -> Preview | None:
    """The head of the source; None where it cannot be read. What stands in the way is on screen then."""
    if not now.source.exists():
        messages.fault(BadInput(f"{now.source.name} is not there any more.", "Choose it again."))
        return None
    try:
        return resources.look(now.source, now.reading)
    except RankScopeError as error:
        messages.fault(error)
        return None


def show(now: Draft, preview: Preview) -> None:
    """The first rows as text cells, what was guessed, and for documents where the cuts fall."""
    st.html(f'<p class="rs-quiet">{escape(guess_line(preview))}</p>')
    rows = preview_rows(preview)
    if not rows:
        messages.nothing(
            "No row to show", "The source has a header or nothing at all. It would give an empty collection."
        )
    else:
        st.dataframe(
            rows,
            hide_index=True,
            height=_ROW * (min(len(rows), _ROWS_SHOWN) + 1) + 4,
            row_height=_ROW,
            column_config={name: st.column_config.TextColumn() for name in preview.columns},
            alt="The first rows of the source",
        )
    messages.remarks([f"{problem.where}: {problem.text}" for problem in preview.problems[:6]])


def guess_line(preview: Preview) -> str:
    """How the source was read: format, encoding, delimiter and sheet, where it has them."""
    read = preview.guessed
    label = READERS[read.format].label if read.format in READERS else read.format
    names = {"\t": "tab", " ": "space"}
    parts = [
        f"{label}, the first {len(preview.rows):,} {'rows' if is_table(preview) else 'blocks'}",
        f"encoding {read.encoding}" if read.encoding else "",
        f"separated by {names.get(read.delimiter, read.delimiter)}" if read.delimiter else "",
        f"sheet {read.sheet}" if read.sheet else "",
        f"{len(preview.columns):,} columns" if is_table(preview) else "",
    ]
    return " · ".join(part for part in parts if part)


def cuts(now: Draft) -> None:
    """Where the cuts fall in the first document of the source, as the chosen encoder counts."""
    encoder = now.options.encoder or default_encoder(now.reading.language)
    most = (now.reading.chunking or ChunkingOptions()).max_tokens
    try:
        found = resources.cuts(now.source, now.reading, encoder)
    except RankScopeError as error:
        messages.fault(error)
        return
    if found is None:
        return
    counted = "words" if encoder == NO_ENCODER else f"tokens as {encoder} counts them"
    st.html(
        f'<h3 class="rs-step">Where the cuts fall in {escape(found.document)}</h3>'
        f'<p class="rs-quiet">At most {most:,} {escape(counted)}, title included.</p>{as_html(found, most)}'
    )


def with_judged(now: Draft, name: str, files: list[uploads.Upload]) -> Draft:
    """The draft with an uploaded file of queries or judgments, or without where there is none."""
    try:
        path = uploads.store(resources.workspace().root, now.token, files, name) if files else None
    except OSError as error:
        return replace(now, **{name: None}, refused=messages.from_system(error))
    return replace(now, **{name: path})
