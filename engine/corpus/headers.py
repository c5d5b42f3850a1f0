"""Column names from a header row: none empty, none twice."""

from __future__ import annotations

from collections.abc import Sequence

from engine.corpus.report import Problem


def named_columns(names: Sequence[str], where: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The names without outer spaces; an empty one becomes `column 3`; a repeated one `text (2)`, which is reported."""
    columns: list[str] = []
    problems: list[Problem] = []
    for place, name in enumerate(names, start=1):
        wanted = name.strip() or f"column {place}"
        given, count = wanted, 1
        while given in columns:
            count += 1
            given = f"{wanted} ({count})"
        if count > 1:
            problems.append(
                Problem(where=where, kind="changed value", text=f"column {wanted!r} comes again as {given!r}")
            )
        columns.append(given)
    return tuple(columns), tuple(problems)
