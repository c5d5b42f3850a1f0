"""The legend of the rank board: what the signs that it shows now mean, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Column = Mapping[str, Any]
Item = dict[str, Any]


def legend(columns: Sequence[Column]) -> list[Item]:
    """One item a meaning, in reading order: `kind` ("grade", "list" or "plain"), `signs`, `word`, and `color`.

    `columns` are those of `board_data`; a sign that none of their rows and none of the lines between them shows is
    left out. `color` is the place of a list's colour, None where a sign has no colour of its own.
    """
    rows = [row for column in columns for row in column["rows"]]
    return [*_grades(rows), *_moves(columns), *_line_ends(columns)]


def _item(kind: str, signs: Iterable[str], word: str, color: int | None = None) -> Item:
    return {"kind": kind, "signs": list(signs), "word": word, "color": color}


def _grades(rows: Iterable[Column]) -> Iterator[Item]:
    present = {row["grade"]["sign"] for row in rows if row["grade"] is not None}
    relevant = [sign for sign in "◔◑●" if sign in present]
    if relevant:
        yield _item("grade", relevant, "relevant" if len(relevant) == 1 else "relevant, the fuller the more")
    if "○" in present:
        yield _item("grade", "○", "not relevant")
    if "·" in present:
        yield _item("grade", "·", "not judged")


def _moves(columns: Sequence[Column]) -> Iterator[Item]:
    arrows = [arrow for column in columns for row in column["rows"] for arrow in row["arrows"]]
    labels = {column["color"]: column["label"] for column in columns}
    against = {arrow["letter"]: arrow["color"] for arrow in arrows}
    for letter, color in against.items():
        yield _item("list", [letter], f"against {'the pinned setup' if color is None else labels[color]}", color)
    ways = {arrow["way"] for arrow in arrows}
    moved = {"up": ("▲", "higher"), "down": ("▼", "lower")}
    for way in (each for each in moved if each in ways):
        yield _item("plain", moved[way][0], f"places {moved[way][1]}")
    if "same" in ways:
        yield _item("plain", "=", "same place")
    if "new" in ways:
        yield _item("plain", ["new"], "not among the pinned results")


def _line_ends(columns: Sequence[Column]) -> Iterator[Item]:
    ends = [end for left, right in pairwise(columns) for end in _ends_between(left, right)]
    ways = {arrow["way"] for column in columns for row in column["rows"] for arrow in row["arrows"]}
    kinds = {end["kind"] for end, _ in ends}
    if "absent" in ways | kinds:
        yield _item("plain", "×", "not in that list")
    for sign in ("→{}", "{}→"):
        beyond = [end["text"] for end, side in ends if end["kind"] == "beyond" and side == sign]
        if beyond:
            where = "next" if sign.startswith("→") else "previous"
            yield _item("plain", [sign.format(beyond[0])], f"rank {beyond[0]} in the {where} list")
    if "removed" in kinds:
        yield _item("plain", "|", "taken out of that list")


def _ends_between(left: Column, right: Column) -> Iterator[tuple[Mapping[str, str], str]]:
    """Where the lines between two neighbours end in the open, each with the form of its sign."""
    if not (left["state"] == right["state"] == "ready"):
        return
    for column, other, sign in ((left, right, "→{}"), (right, left, "{}→")):
        for row in column["rows"]:
            if row["id"] in other["ends"]:
                yield other["ends"][row["id"]], sign
