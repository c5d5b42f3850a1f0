"""The command line: the same engine and the same numbers as the screens.

Exit code 0 for success, 2 for anything that the user can mend, with one line on the error stream.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import typer

from engine.cli import analyze, collections, evaluate, search
from engine.cli.console import fail
from engine.errors import RankScopeError

app = typer.Typer(
    name="python -m engine",
    help="RankScope: see why every result ranks where it does.",
    add_completion=False,
    rich_markup_mode=None,
)
for room in (collections, search, evaluate, analyze):
    for command in room.COMMANDS:
        app.command()(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one call; `arguments` are those of the process unless given."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an argument may hold bytes that are no text
    try:
        code = app(args=arguments, standalone_mode=False)
    except RankScopeError as error:
        return fail(str(error))
    except typer.TyperException as error:
        return fail(f"{error.format_message().rstrip('.')}. See --help.")
    except (typer.Abort, KeyboardInterrupt):
        return fail("Stopped. Nothing was changed.")
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return int(code or 0)
