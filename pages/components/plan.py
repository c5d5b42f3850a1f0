"""How a new collection is cut and indexed, its name, and the button that builds it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.corpus.previewing import Preview
from engine.errors import RankScopeError
from engine.store.workspace import checked_name
from engine.text.analysers import ANALYSERS
from engine.text.chunking import ChunkingOptions
from pages.components import messages, resources, state, uploads
from pages.components.choices import step
from pages.components.draft import Draft, arguments, is_table
from pages.components.encoder_choice import encoder_box
from pages.components.intake import DRAFT, JOB, change, edit, with_judged
from pages.components.jobs import Watched
from pages.components.knob import limits

_REPEATED = {"refuse": "Refuse the source", "first": "Keep the first of each", "last": "Keep the last of each"}
_DETECT = ""


def cutting_choices(now: Draft, preview: Preview) -> None:
    """Language, repeated ids, and how long records or documents are cut."""
    step("Chunks")
    table = is_table(preview)
    left, right = st.columns(2, gap="xsmall")
    with left:
        key = "knob.data.language"
        st.selectbox(
            "Language",
            [_DETECT, *ANALYSERS],
            format_func=lambda name: ANALYSERS[name].label if name else "Detect in each chunk",
            key=state.seed(key, now.reading.language or _DETECT),
            help="Decides how words are read: stop words, stems, accents.",
            **edit(key, lambda draft, new: draft.read_as(language=new or None)),
        )
    if table:
        with right:
            key = "knob.data.repeated"
            st.selectbox(
                "Repeated ids",
                list(_REPEATED),
                format_func=_REPEATED.__getitem__,
                key=state.seed(key, now.reading.on_repeated),
                **edit(key, lambda draft, new: draft.read_as(on_repeated=new)),
            )
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
    for place, name in zip(st.columns(2, gap="xsmall"), ChunkingOptions.model_fields, strict=False):
        with place:
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
        change(lambda draft: draft.changed(encoder=name or None))

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
    left, right = st.columns(2, gap="xsmall")
    with left:
        key = "knob.data.name"
        st.text_input(
            "Name",
            key=state.seed(key, now.name),
            max_chars=80,
            **edit(key, lambda draft, text: replace(draft, name=text or "")),
        )
    with right:
        key = "knob.data.title"
        st.text_input(
            "Title for readers",
            key=state.seed(key, now.options.title),
            max_chars=200,
            placeholder="optional",
            **edit(key, lambda draft, text: draft.changed(title=(text or "").strip())),
        )
    possible, known = _judge_name(now)
    st.button(
        "Build and replace" if known else "Build",
        key="data.build",
        type="primary",
        icon=":material/build:",
        disabled=not ready or not possible,
        on_click=_build,
    )
    if now.refused is not None:
        messages.fault(now.refused)


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

    refused: RankScopeError | None = None
    try:
        state.keep(JOB, resources.jobs().start(checked_name(now.name), arguments(now), ended))
    except RankScopeError as error:
        refused = error
    except OSError as error:
        refused = messages.from_system(error)
    change(lambda draft: replace(draft, refused=refused))
