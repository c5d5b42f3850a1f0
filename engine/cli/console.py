"""What the command line writes: lines, tables, JSON and the progress of long work."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

from engine.types import Progress, no_progress

ProgressStyle = Literal["bar", "json", "none"]


def say(line: str) -> None:
    """Write one line to the output."""
    sys.stdout.write(line + "\n")


def remark(line: str) -> None:
    """Write one line to the error stream, where it does not disturb what is piped on."""
    sys.stderr.write(line + "\n")


def fail(message: str) -> int:
    """Write one line that says what is wrong, and give the exit code of user errors."""
    remark("Error: " + " ".join(message.split()))
    return 2


def print_json(data: object) -> None:
    """Write one JSON object; a value that JSON does not know is a defect."""
    say(json.dumps(data, ensure_ascii=False, allow_nan=False))


def print_table(rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as a table with a header; text is shown character for character."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in rows[0] if rows else ():
        numeric = all(isinstance(row[name], (int, float, type(None))) for row in rows)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row.values()))
    Console(highlight=False).print(table)


@contextmanager
def follow(style: ProgressStyle) -> Iterator[Progress]:
    """A progress callback that draws a bar on a terminal, writes a JSON line per step, or is silent."""
    if style == "json":
        yield _json_line
    elif style == "none" or not sys.stderr.isatty():
        yield no_progress
    else:
        with _bars() as progress:
            yield progress


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    tasks: dict[str, TaskID] = {}
    with Bars(console=Console(stderr=True)) as bars:

        def progress(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield progress


def _json_line(stage: str, done: int, total: int) -> None:
    print_json({"stage": stage, "done": done, "total": total})
    sys.stdout.flush()


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value)
