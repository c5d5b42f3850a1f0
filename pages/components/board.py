"""The rank board: every list of a run side by side, lines joining a chunk's places, one selection everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from engine.fusion.registry import summary
from engine.pipelines.path import FUSED
from engine.types import Ranking, Trace
from pages.components.legend import legend
from pages.components.ranks import Grade, Move, grade_of, initials, move, move_from_pin, removals

MOST_ROWS = 100
"""The board stays readable and quick up to here; the table holds more."""

COLORS: Mapping[str, int] = {"bm25": 0, "dense": 1, FUSED: 2, "reranked": 3}
"""The place of each list's colour in the theme's categorical colours, the same on every screen; others follow."""

HUES = ("orange", "blue", "green", "violet", "gray", "yellow")
"""The theme's names of its categorical colours, in their order."""

_HERE = Path(__file__).parent
_COMPONENT = st.components.v2.component(
    "rank_board",
    html='<div class="board"></div>',
    css=(_HERE / "board.css").read_text(encoding="utf-8"),
    js=(_HERE / "board.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, slots=True)
class BoardView:
    """What the board shows: a trace and what the screen knows about its chunks.

    `grades` is None for a query without judgments. `loading` names the unavailable channels that will answer soon.
    """

    trace: Trace
    labels: Mapping[str, str]
    title: Callable[[str], str]
    grades: Mapping[str, int] | None = None
    selected: str | None = None
    pinned: Ranking | None = None
    loading: frozenset[str] = field(default_factory=frozenset)


def rank_board(view: BoardView, *, key: str, on_select: Callable[[], None]) -> None:
    """Draws the board. A click or Enter sets the trigger `select` to `{"id": chunk id or None}` under `key`."""
    _COMPONENT(key=key, data=board_data(view), on_select_change=on_select)


def color_of(name: str, names: Iterable[str]) -> int:
    """The place of a list's colour in the theme's categorical colours; `names` are the lists shown beside it."""
    others = [other for other in names if other not in COLORS]
    return COLORS[name] if name in COLORS else len(COLORS) + others.index(name)


def board_data(view: BoardView) -> dict[str, Any]:
    """The board as plain values: its columns from left to right, the titles of all chunks named, the selection."""
    trace = view.trace
    window = min(trace.setup.shown, MOST_ROWS)
    names = [channel.name for channel in trace.setup.channels]
    lists: dict[str, Ranking] = {name: trace.channels[name] for name in names if name in trace.channels}
    lists[FUSED] = trace.final
    present = {chunk_id for ranking in lists.values() for chunk_id in ranking.ids[:window]}
    named = present | ({view.selected} if view.selected is not None else set())
    removed = removals(trace.dropped, named)
    columns = [
        _channel_column(view, name, lists[name], window) if name in lists else _absent_column(view, name)
        for name in names
    ]
    columns.append(_fused_column(view, window, removed))
    for column in columns:
        column["color"] = color_of(column["key"], [*names, FUSED])
        ranking = lists.get(column["key"])
        if ranking is not None:
            column["ends"] = _ends(ranking, column["label"], named, window, removed.get(column["key"], {}))
    titles = {chunk_id: view.title(chunk_id) for chunk_id in named}
    return {"columns": columns, "titles": titles, "selected": view.selected, "legend": legend(columns)}


def _column(key: str, label: str, **rest: object) -> dict[str, Any]:
    empty = {"detail": "", "state": "ready", "message": "", "muted": False, "total": 0, "share": 1.0}
    return {"key": key, "label": label, **empty, "rows": [], "ends": {}, "more": "", **rest}


def _absent_column(view: BoardView, name: str) -> dict[str, Any]:
    label = view.labels.get(name, name)
    reason = view.trace.unavailable.get(name, "This channel gave no answer.")
    state: Literal["loading", "unavailable"] = "loading" if name in view.loading else "unavailable"
    return _column(name, label, state=state, message=reason, detail="loading" if state == "loading" else "unavailable")


def _channel_column(view: BoardView, name: str, ranking: Ranking, window: int) -> dict[str, Any]:
    setup = view.trace.setup.channel(name)
    label = view.labels.get(name, name)
    muted = setup.weight == 0
    detail = f"depth {setup.depth} · weight {setup.weight:g}" + (", adds nothing" if muted else "")
    return _column(
        name,
        label,
        detail=detail,
        muted=muted,
        total=len(ranking),
        message="" if len(ranking) else "No chunk matches.",
        rows=[_row(view, ranking, chunk_id, ()) for chunk_id in ranking.ids[:window]],
        more=_more(len(ranking), window),
    )


def _fused_column(view: BoardView, window: int, removed: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    trace = view.trace
    labels = {name: view.labels.get(name, name) for name in trace.channels}
    letters = initials(labels)
    rows = []
    for rank, chunk_id in enumerate(trace.final.ids[:window], start=1):
        moves = [
            _arrow(
                letters[name],
                move(trace.channels[name].rank(chunk_id), rank, labels[name], removed.get(name, {}).get(chunk_id, "")),
                color_of(name, labels),
            )
            for name in labels
            if trace.setup.channel(name).weight > 0
        ]
        if view.pinned is not None:
            moves.append(_arrow("P", move_from_pin(view.pinned, chunk_id, rank), None))
        rows.append(_row(view, trace.final, chunk_id, moves))
    return _column(
        FUSED,
        "Fused",
        detail=summary(trace.setup),
        total=len(trace.final),
        share=1.4,
        message="" if len(trace.final) else "Nothing is left to show.",
        rows=rows,
        more=_more(len(trace.final), window),
    )


def _row(view: BoardView, ranking: Ranking, chunk_id: str, arrows: Iterable[Mapping[str, object]]) -> dict[str, Any]:
    grade = None if view.grades is None else _mark(grade_of(chunk_id, view.grades))
    score = f"score {ranking.score(chunk_id):.6g}"
    return {"id": chunk_id, "rank": ranking.rank(chunk_id), "score": score, "grade": grade, "arrows": list(arrows)}


def _mark(grade: Grade) -> dict[str, str]:
    return {"sign": grade.sign, "word": grade.word}


def _arrow(letter: str, moved: Move, color: int | None) -> dict[str, object]:
    """A change of rank against the list of that letter and colour; against the pinned setup where it has no colour."""
    return {"letter": letter, "sign": moved.sign, "way": moved.way, "word": moved.word, "color": color}


def _more(total: int, window: int) -> str:
    return f"{total - window:,} more" if total > window else ("" if not total else "end of the list")


def _ends(
    ranking: Ranking, label: str, named: Iterable[str], window: int, removed: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Where this list has the chunks that its window does not show: a rank beyond it, removed, or not retrieved."""
    ends = {}
    for chunk_id in named:
        rank = ranking.rank(chunk_id)
        if rank is None and chunk_id in removed:
            ends[chunk_id] = {"kind": "removed", "text": "removed", "word": f"{removed[chunk_id]} in {label}"}
        elif rank is None:
            word = "not retrieved" if ranking.source != FUSED else "not in the fusion"
            ends[chunk_id] = {"kind": "absent", "text": word, "word": f"{word}, {label}"}
        elif rank > window:
            ends[chunk_id] = {"kind": "beyond", "text": str(rank), "word": f"rank {rank} in {label}"}
    return ends
