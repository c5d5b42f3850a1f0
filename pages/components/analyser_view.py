"""The screen that shows what an analyser does to a text."""

from __future__ import annotations

from collections import Counter
from html import escape

import streamlit as st

from engine.errors import RankScopeError
from engine.text.analysers import ANALYSERS
from pages.components import messages, opening, resources, state
from pages.components.analysis import Analysis, analysed, inline_html, legend_html, table_rows
from pages.components.messages import plain

_MOST = 20_000
_MARK = "data.language"
_TEXT = "data.text"
_KEY = "knob.data.text"


def analyser_view() -> None:
    """A text to type or take, the language to read it in, and the result in colour and as a table."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        chosen = _language()
        _takers()
        text = st.text_area(
            "Text",
            key=state.seed(_KEY, state.kept(_TEXT) or ""),
            height=220,
            max_chars=_MOST,
            placeholder="Type or paste a text, and leave the box",
            on_change=_typed,
        )
    with right:
        if not (text or "").strip():
            messages.nothing("Nothing to analyse yet", "Type a text, or take the query or the opened chunk.")
            return
        _result(analysed(text[:_MOST], chosen))


def _language() -> str | None:
    key = "knob.data.analyser"
    st.selectbox(
        "Analyser",
        ["detect", *ANALYSERS],
        format_func=lambda name: "Detect the language" if name == "detect" else ANALYSERS[name].label,
        key=state.seed(key, state.current().mark(_MARK, "detect") if _known() else "detect"),
        on_change=state.follow,
        args=(key, lambda now, name: now.with_mark(_MARK, "" if name == "detect" else name)),
    )
    return state.current().mark(_MARK) if _known() else None


def _known() -> bool:
    return state.current().mark(_MARK) in ANALYSERS


def _takers() -> None:
    session = state.current()
    with st.container(horizontal=True, gap="xsmall"):
        if session.query.strip():
            st.button("Take the query", key="analyse.query", on_click=_take, args=(session.query,))
        if session.selected is not None and (text := _chunk_text(session.collection, session.selected)):
            st.button("Take the opened chunk", key="analyse.chunk", on_click=_take, args=(text,))


def _chunk_text(collection: str | None, chunk_id: str) -> str:
    name = collection or next(iter(resources.titles()), None)
    try:
        return "" if name is None else opening.desk(name).corpus.chunk(chunk_id).text
    except RankScopeError:
        return ""


def _typed() -> None:
    state.keep(_TEXT, state.widget(_KEY))


def _take(text: str) -> None:
    state.keep(_TEXT, text)


def _result(analysis: Analysis) -> None:
    analyser = ANALYSERS[analysis.analyser]
    counts = Counter(step.outcome for step in analysis.steps)
    told = ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common())
    guess = " (detected)" if analysis.detected else ""
    st.html(
        f'<h2 class="rs-panel-title">{escape(analyser.label)}{guess}</h2>'
        f'<p class="rs-quiet">{escape(analyser.help)}</p><p class="rs-quiet">{escape(told)}</p>'
        f"{inline_html(analysis)}{legend_html()}"
    )
    rows = table_rows(analysis.steps)
    st.dataframe(
        rows,
        hide_index=True,
        height=min(len(rows), 14) * 30 + 34,
        row_height=30,
        alt=plain("What became of each stretch of the text"),
    )
