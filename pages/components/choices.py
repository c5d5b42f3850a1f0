"""The choices about a new collection: how to read, which column is what, how to cut, how to index, and its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from engine.corpus.options import ImportOptions
from engine.corpus.previewing import Preview
from engine.corpus.readers import READERS
from engine.errors import RankScopeError
from engine.store.workspace import checked_name
from engine.text.analysers import ANALYSERS
from engine.text.chunking import ChunkingOptions
from pages.components import messages, resources, state, uploads
from pages.components.draft import MAIN_FIELDS, MORE_FIELDS, Draft, arguments, is_table, is_text
from pages.components.encoder_choice import encoder_box
from pages.components.intake import DRAFT, JOB, edit, with_judged
from pages.components.jobs import Watched
from pages.components.knob import limits
from pages.components.messages import plain
from pages.components.sheets import sheet_names

_ENCODINGS = ("utf-8", "cp1252", "latin-1", "cp1258", "cp1250", "mac-roman", "utf-16", "utf-8-sig")
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |"}
_REPEATED = {"refuse": "Refuse the source", "first": "Keep the first of each", "last": "Keep the last of each"}
_NO_COLUMN = ""


def step(title: str) -> None:
    """The heading of a group of choices."""
    st.html(f'<h3 class="rs-step">{title}</h3>')


def reading_choices(now: Draft, preview: Preview | None) -> None:
    """Format, encoding, delimiter and sheet; each shows what was guessed until it is chosen."""
    step("Read as")
    guessed = preview.guessed if preview is not None else now.reading
    kind = guessed.format
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        formats = ["auto", *READERS]
        _select("Format", "format", now, formats, lambda name: _format_label(name, kind))
        if is_text(kind) or (preview is None and kind == "auto"):
            _select("Encoding", "encoding", now, [None, *_ENCODINGS], lambda name: name or _guess(guessed.encoding))
        if kind in ("csv", "tsv"):
            names = [None, *_DELIMITERS]
            found = _DELIMITERS.get(guessed.delimiter or "", guessed.delimiter)
            _select("Delimiter", "delimiter", now, names, lambda sign: _DELIMITERS.get(sign) or _guess(found))
        if kind == "xlsx" and (sheets := sheet_names(now.source)):
            _select("Sheet", "sheet", now, [None, *sheets], lambda name: name or _guess(guessed.sheet))
    if is_text(kind):
        key = "knob.data.errors"
        st.toggle(
            "Keep rows with unreadable bytes, each such byte shown as �",
            key=state.seed(key, now.reading.errors == "replace"),
            help="Bytes that are no text in the encoding. Off: such rows are left out and reported.",
            **edit(
                key,
                lambda draft, on: draft.read_as(errors="replace" if on else "strict", mapping=draft.reading.mapping),
            ),
        )


def _format_label(name: str, kind: str) -> str:
    if name == "auto":
        return _guess(READERS[kind].label if kind in READERS else None)
    return READERS[name].label


def _guess(found: str | None) -> str:
    return f"{found} (guessed)" if found else "by itself"


def _select(label: str, name: str, now: Draft, options: Sequence[Any], shown: Any) -> None:  # noqa: ANN401
    value = getattr(now.reading, name)
    key = f"knob.data.{name}"
    st.selectbox(
        label,
        list(dict.fromkeys([*options, value])),
        format_func=shown,
        key=state.seed(key, value),
        width=158,
        help=ImportOptions.model_fields[name].description,
        **edit(key, lambda draft, new: draft.read_as(**{name: new})),
    )


def column_choices(now: Draft, preview: Preview) -> None:
    """Which column is which field of a chunk; what is not used stays with each chunk as metadata."""
    step("Columns")
    _columns(MAIN_FIELDS, preview)
    used = [name for name in MORE_FIELDS if name in preview.guessed.mapping]
    with st.expander(f"More fields ({len(used)} used)" if used else "More fields"):
        _columns(MORE_FIELDS, preview)
    taken = set(preview.guessed.mapping.values())
    rest = [name for name in preview.columns if name not in taken]
    if rest:
        st.caption(f"Kept as metadata: {plain(', '.join(rest[:12]))}{' …' if len(rest) > 12 else ''}")


def _columns(fields: Mapping[str, str], preview: Preview) -> None:
    pair = st.columns(2, gap="small")
    for number, (name, label) in enumerate(fields.items()):
        column = preview.guessed.mapping.get(name)
        key = f"knob.data.map.{name}"
        with pair[number % 2]:
            st.selectbox(
                label,
                list(dict.fromkeys([_NO_COLUMN, *preview.columns, column or _NO_COLUMN])),
                format_func=lambda each: each or "–",
                key=state.seed(key, column or _NO_COLUMN),
                **edit(key, lambda draft, new, name=name: draft.mapped(name, new or None)),
            )


def cutting_choices(now: Draft, preview: Preview) -> None:
    """Language, repeated ids, and how long records or documents are cut."""
    step("Chunks")
    table = is_table(preview)
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        names = [None, *ANALYSERS]
        key = "knob.data.language"
        st.selectbox(
            "Language",
            names,
            format_func=lambda name: ANALYSERS[name].label if name else "Detect in each chunk",
            key=state.seed(key, now.reading.language),
            width=200,
            help="Decides how words are read: stop words, stems, accents.",
            **edit(key, lambda draft, new: draft.read_as(language=new)),
        )
        if table:
            key = "knob.data.repeated"
            st.selectbox(
                "Repeated ids",
                list(_REPEATED),
                format_func=_REPEATED.__getitem__,
                key=state.seed(key, now.reading.on_repeated),
                width=200,
                **edit(key, lambda draft, new: draft.read_as(on_repeated=new)),
            )
    if table:
        key = "knob.data.split"
        st.toggle(
            "Cut long records into passages",
            key=state.seed(key, now.reading.split_records),
            **edit(key, lambda draft, on: draft.read_as(split_records=on)),
        )
    if not table or now.reading.split_records:
        _lengths(now)


def _lengths(now: Draft) -> None:
    chunking = now.reading.chunking or ChunkingOptions()
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        for name in ChunkingOptions.model_fields:
            key = f"knob.data.{name}"
            allowed = limits(ChunkingOptions, name)
            st.number_input(
                ChunkingOptions.model_fields[name].title or name,
                value=None,
                key=state.seed(key, getattr(chunking, name)),
                step=16,
                min_value=allowed["min_value"],
                max_value=allowed["max_value"],
                help=allowed["help"],
                width=200,
                **edit(key, lambda draft, new, name=name: _with_length(draft, name, new)),
            )


def _with_length(now: Draft, name: str, value: int | None) -> Draft:
    if value is None:
        return now
    chunking = now.reading.chunking or ChunkingOptions()
    return now.read_as(chunking=ChunkingOptions.model_validate({**chunking.model_dump(), name: value}))


def index_choices(now: Draft, preview: Preview) -> bool:
    """The encoder, and the summaries as a channel of their own; whether the encoder can be used."""
    step("Search by meaning")

    def choose(name: str) -> None:
        state.keep(DRAFT, now.changed(encoder=name or None))

    usable = encoder_box("knob.data.encoder", now.options.encoder or "", on_change=choose) is not None
    if "summary" in preview.guessed.mapping:
        key = "knob.data.summary"
        st.toggle(
            "A second dense channel over the summaries",
            key=state.seed(key, now.options.summary),
            **edit(key, lambda draft, on: draft.changed(summary=on)),
        )
    with st.expander("Queries and judgments, to measure with"):
        for name, label, kinds in (
            ("queries", "Queries", "JSON lines with _id and text, or id, tab and text"),
            ("qrels", "Judgments", "TREC or BEIR: query, chunk or document, grade"),
        ):
            key = f"data.{name}"
            st.file_uploader(
                f"{label}: {kinds}",
                accept_multiple_files=False,
                key=key,
                **edit(key, lambda draft, file, name=name: with_judged(draft, name, [file] if file else [])),
            )
    return usable


def naming_and_build(now: Draft, *, ready: bool) -> None:
    """The name, what it would replace, and the button that starts the build."""
    step("Name")
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        key = "knob.data.name"
        st.text_input(
            "Name",
            key=state.seed(key, now.name),
            max_chars=80,
            width=200,
            **edit(key, lambda draft, text: replace(draft, name=text or "")),
        )
        key = "knob.data.title"
        st.text_input(
            "Title for readers",
            key=state.seed(key, now.options.title),
            max_chars=200,
            placeholder="optional",
            width=200,
            **edit(key, lambda draft, text: draft.changed(title=(text or "").strip())),
        )
    possible, known = _judge_name(now)
    building = resources.jobs().running(now.name.strip()) is not None
    st.button(
        "Building" if building else "Build and replace" if known else "Build",
        key="data.build",
        type="primary",
        icon=":material/build:",
        disabled=building or not ready or not possible,
        on_click=_build,
    )
    if (fault := state.kept("data.build_fault")) is not None:
        messages.fault(fault)


def _judge_name(now: Draft) -> tuple[bool, bool]:
    """Whether the name is possible, and whether a collection has it already; either is told."""
    try:
        name = checked_name(now.name)
    except RankScopeError as error:
        messages.fault(error)
        return False, False
    existing = next((each for each in resources.conditions() if each.name == name), None)
    if existing is None:
        return True, False
    many = "" if existing.manifest is None else f", of {existing.manifest.chunks:,} chunks"
    messages.remarks([f"The build takes the place of the collection {name}{many}, once it is whole."])
    return True, True


def _build() -> None:
    now: Draft = state.kept(DRAFT)
    root, token = resources.workspace().root, now.token

    def ended(watched: Watched) -> None:
        if watched.state == "done":
            uploads.remove(root, token)

    state.keep("data.build_fault", None)
    try:
        state.keep(JOB, resources.jobs().start(checked_name(now.name), arguments(now), ended))
    except RankScopeError as error:
        state.keep("data.build_fault", error)
