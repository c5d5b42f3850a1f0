"""Column names from a header row: none empty, none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.corpus.report import Problem
from engine.errors import BadInput

MOST_COLUMNS = 10_000


def named_columns(names: Sequence[str], where: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The names without outer spaces; an empty one becomes `column 3`; a repeated one `text (2)`, which is reported.

    `BadInput` for more than `MOST_COLUMNS`.
    """
    if len(names) > MOST_COLUMNS:
        raise BadInput(f"{where} has more than {MOST_COLUMNS:,} columns.", "Check its delimiter, or leave some out.")
    columns: dict[str, None] = {}
    met: Counter[str] = Counter()
    problems: list[Problem] = []
    for place, name in enumerate(names, start=1):
        wanted = name.strip() or f"column {place}"
        given = wanted
        met[wanted] += 1
        while given in columns:
            given = f"{wanted} ({max(met[wanted], 2)})"
            met[wanted] += given in columns
        if given != wanted:
            problems.append(
                Problem(where=where, kind="changed value", text=f"column {wanted!r} comes again as {given!r}")
            )
        columns[given] = None
    return tuple(columns), tuple(problems)
