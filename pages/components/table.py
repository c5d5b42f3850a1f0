"""The results as a table: ranks, raw scores, contributions as bars, rank changes, chosen columns; selection by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.pipelines.path import FUSED
from engine.types import Trace
from pages.components import opening, state
from pages.components.board import HUES, color_of
from pages.components.explore import Screen
from pages.components.messages import plain
from pages.components.ranks import FUSED_LABEL, grade_of, move, move_from_pin
from pages.components.results import heading

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = "search.columns"
_FUSED_SCORE = f"{FUSED_LABEL} score"
_ROW = 32
_MOST_ROWS = 20


def result_table(shown: Screen, trace: Trace) -> None:
    """The table of the shown results, with a chooser of its columns; a click on a row selects its chunk."""
    rows = _rows_of_run(shown, trace)
    if not rows:
        return
    names = list(rows[0])[1:]
    chosen = _chosen(names, shown.session.mark(_COLUMNS))
    ids = [row["id"] for row in rows]
    selected = [ids.index(shown.session.selected)] if shown.session.selected in ids else []
    key = state.bound_rows("table", selected)
    st.dataframe(
        _frame(rows),
        key=key,
        selection_default={"selection": {"rows": selected}},
        hide_index=True,
        column_order=chosen,
        column_config=_config(shown, trace, rows),
        on_select=lambda: _follow(key, ids),
        selection_mode="single-row",
        height="content" if len(rows) <= _MOST_ROWS else _ROW * (_MOST_ROWS + 1),
        row_height=_ROW,
        placeholder="–",
        alt="Results with the rank and score of every list",
    )


def column_chooser(shown: Screen, trace: Trace) -> None:
    """The popover in which the columns are chosen."""
    names = list(_rows_of_run(shown, trace)[0])[1:]
    chosen = _chosen(names, shown.session.mark(_COLUMNS))
    with st.popover("Columns", icon=":material/view_column:"):
        st.pills(
            "Columns",
            names,
            format_func=plain,
            selection_mode="multi",
            default=chosen,
            label_visibility="collapsed",
            **state.bound("knob.columns", chosen, lambda now, new: now.with_mark(_COLUMNS, _as_mark(names, new))),
        )


def _rows_of_run(shown: Screen, trace: Trace) -> list[dict[str, Any]]:
    """The rows, made once for the chooser and the table, which are drawn at different places of the page."""
    return state.once("table.rows", lambda: table_rows(shown, trace))


def table_rows(shown: Screen, trace: Trace) -> list[dict[str, Any]]:
    """One row a shown result, by column name; None where a list does not hold the chunk. `id` comes first."""
    labels = shown.desk.labels
    grades = opening.grades(shown.desk, trace.query)
    rows = []
    for hit in trace.hits:
        row: dict[str, Any] = {"id": hit.chunk_id, "#": hit.rank}
        if shown.pinned is not None:
            row["vs pin"] = move_from_pin(shown.pinned.final, hit.chunk_id, hit.rank).sign
        row["Chunk"] = heading(shown.desk.corpus.chunk(hit.chunk_id))
        if grades is not None:
            row["Grade"] = _grade_cell(hit.chunk_id, grades)
        places = {name: (labels[name], ranking.rank(hit.chunk_id)) for name, ranking in trace.channels.items()}
        for label, rank in places.values():
            row |= {f"{label} rank": rank, f"vs {label}": move(rank, hit.rank, label).sign}
        fused = (trace.fused.rank(hit.chunk_id) or 0) - 1  # every result has a place in the fusion
        row |= {f"{label} adds": float(trace.fused.contributions[name][fused]) for name, (label, _) in places.items()}
        row[_FUSED_SCORE] = trace.fused.score(hit.chunk_id)
        row |= {f"{label} score": trace.channels[name].score(hit.chunk_id) for name, (label, _) in places.items()}
        rows.append({**row, "Id": hit.chunk_id})
    return rows


def _grade_cell(chunk_id: str, grades: Mapping[str, int]) -> str:
    grade = grade_of(chunk_id, grades)
    return f"{grade.sign} {grades.get(chunk_id, 'not judged')}"


def _chosen(names: Sequence[str], mark: str) -> list[str]:
    hidden = set(mark.split("|")) if mark else {"Id"}
    return [name for name in names if name not in hidden]


def _as_mark(names: Sequence[str], picked: Sequence[str]) -> str:
    hidden = [name for name in names if name not in picked]
    return "" if hidden == ["Id"] else "|".join(hidden or ["none"])


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame.from_records([{name: value for name, value in row.items() if name != "id"} for row in rows])
    ranks = {name: "Int64" for name in frame.columns if name.endswith(" rank")}
    return frame.astype(ranks)


def _config(shown: Screen, trace: Trace, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    column = st.column_config
    highest = max((float(row[_FUSED_SCORE]) for row in rows), default=1.0) or 1.0
    config: dict[str, Any] = {
        "#": column.NumberColumn(width=48, pinned=True),
        # Not pinned: Streamlit draws the text of pinned columns as faintly as disabled text.
        "Chunk": column.TextColumn(width=300),
        _FUSED_SCORE: column.ProgressColumn(
            format="%.6f", min_value=0, max_value=highest, color=HUES[color_of(FUSED, ())], width=150
        ),
    }
    for name in trace.channels:
        label = shown.desk.labels[name]
        scale = shown.desk.scales.get(name, "")
        config[f"{label} rank"] = column.NumberColumn(width=80)
        config[f"vs {label}"] = column.TextColumn(width=64, help=f"Places gained (▲) or lost (▼) against {label}.")
        config[f"{label} score"] = column.NumberColumn(format="%.4f", width=92, help=plain(scale))
        config[f"{label} adds"] = column.ProgressColumn(
            format="%.6f", min_value=0, max_value=highest, color=HUES[color_of(name, shown.desk.labels)], width=130
        )
    return config


def _follow(key: str, ids: Sequence[str]) -> None:
    rows = state.widget(key)["selection"]["rows"]
    state.change(selected=ids[rows[0]] if rows else None)
