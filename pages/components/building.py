"""The builds on screen: progress that can be stopped, then what came of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from engine.corpus.report import ImportReport, Problem
from engine.errors import RankScopeError
from pages.components import intake, messages, resources, state, uploads
from pages.components.draft import Draft, draft_again
from pages.components.jobs import Watched
from pages.components.messages import plain
from pages.components.shelf import open_in_search

_STAGES = {
    "start": "Starting",
    "read": "Reading the source",
    "bm25": "Indexing the words",
    "embedding": "Embedding the chunks",
    "write": "Putting it in place",
}
_OFTEN, _SELDOM = 0.5, 3.0
_SURE = 3.0
"""Seconds of a stage before its remaining time is worth telling."""


def builds() -> None:
    """What is being built, whoever began it, and what has been built and not put away yet."""
    every = resources.jobs().all()
    running = tuple(watched.number for watched in every if watched.running)
    if running:
        _watch(running)
    else:
        _wait()
    for watched in every:
        if not watched.running:
            _outcome(watched)


@st.fragment(run_every=_OFTEN)
def _watch(numbers: tuple[int, ...]) -> None:
    running = [watched for watched in resources.jobs().all() if watched.running]
    if tuple(watched.number for watched in running) != numbers:
        st.rerun()
    for watched in running:
        _progress(watched)


@st.fragment(run_every=_SELDOM)
def _wait() -> None:
    if any(watched.running for watched in resources.jobs().all()):
        st.rerun()


def _progress(watched: Watched) -> None:
    share = watched.done / watched.total if watched.total else 0.0
    stopping = watched.state == "stopping"
    with st.container(border=True, horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.progress(min(share, 1.0), text=plain(f"Building {watched.name}: {progress_line(watched)}"))
        st.button(
            "Stopping" if stopping else "Stop",
            icon=":material/stop_circle:",
            key=f"stop.{watched.number}",
            disabled=stopping,
            help="The build in use stays as it is.",
            on_click=resources.jobs().stop,
            args=(watched.number,),
        )


def progress_line(watched: Watched) -> str:
    """The stage, how far it is, how long it has taken, and how long it will where that can be told."""
    stage = _STAGES.get(watched.stage, watched.stage)
    count = f", {watched.done:,} of {watched.total:,}" if watched.total > 1 else ""
    return f"{stage}{count} · {watched.seconds:.0f} s{remaining(watched)}"


def remaining(watched: Watched) -> str:
    """How much longer the stage takes at the pace so far; nothing where it is too early to tell."""
    spent = watched.started + watched.seconds - watched.stage_started
    if not 0 < watched.done < watched.total or spent < _SURE:
        return ""
    left = spent / watched.done * (watched.total - watched.done)
    return f", about {left:.0f} s left" if left < 90 else f", about {left / 60:.0f} min left"


def _outcome(watched: Watched) -> None:
    if watched.state == "done" and watched.result is not None:
        _report(watched, ImportReport.model_validate(watched.result["report"]))
        return
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        if watched.state == "stopped":
            messages.remarks([f"The build of {watched.name} was stopped. What was in use before still is."])
        else:
            messages.fault(RankScopeError(f"{watched.name} could not be built.", watched.fault))
        _put_away(watched)


def _report(watched: Watched, report: ImportReport) -> None:
    with st.container(border=True, key=f"built.{watched.number}"):
        lines = "".join(f"<p>{escape(sentence)}</p>" for sentence in report.sentences())
        head = f'<h2 class="rs-panel-title">{escape(watched.name)} is built, in {watched.seconds:.1f} s</h2>'
        st.html(f'<div class="rs-report">{head}{lines}</div>')
        problems(report.problems)
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Search it",
                icon=":material/search:",
                type="primary",
                key=f"built.{watched.number}.search",
                on_click=_search,
                args=(watched,),
            )
            _cutting(watched, report)
            _put_away(watched)


def _cutting(watched: Watched, report: ImportReport) -> None:
    """Where the encoder cut rows off: the way to the same choices with long rows cut into passages."""
    lost = any(chunk.lost for chunk in report.long_chunks)
    if not lost or report.documents:
        return
    again = draft_again(watched.name, resources.workspace().folder(watched.name), uploads.new_token())
    if again is None or again.reading.split_records:
        return
    st.button(
        "Cut long records into passages",
        icon=":material/content_cut:",
        key=f"built.{watched.number}.cut",
        help="Goes to the choices of this collection, with long records cut. Nothing is built before you say so.",
        on_click=_cut,
        args=(again,),
    )


def _cut(again: Draft) -> None:
    intake.begin(again.read_as(split_records=True))
    state.replace(state.current().with_mark("data.view", "new"))


def problems(found: tuple[Problem, ...]) -> None:
    """The problems of an import as a table, each with its place; nothing where there are none."""
    if found:
        st.dataframe(
            {
                "Where": [problem.where for problem in found],
                "Kind": [problem.kind for problem in found],
                "What": [problem.text for problem in found],
            },
            hide_index=True,
            height=min(len(found), 8) * 30 + 34,
            row_height=30,
            column_config={
                "Where": st.column_config.TextColumn(width=170),
                "Kind": st.column_config.TextColumn(width=150),
                "What": st.column_config.TextColumn(width="large"),
            },
            alt="Problems met while reading",
        )


def _put_away(watched: Watched) -> None:
    st.button("Close", key=f"away.{watched.number}", on_click=resources.jobs().put_away, args=(watched.number,))


def _search(watched: Watched) -> None:
    resources.jobs().put_away(watched.number)
    state.replace(state.current().with_mark("data.view", ""))
    open_in_search(watched.name)
