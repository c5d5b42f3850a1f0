"""`analyze`: what the analyser of a language does to a text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from engine.cli.console import print_json, print_table, say
from engine.cli.options import AsJson
from engine.errors import BadInput
from engine.text.analysers import ANALYSERS
from engine.text.detect import detect_language


def analyze(
    text: Annotated[str, typer.Argument(help="The text.")],
    language: Annotated[str | None, typer.Option(help="en, fr, es, vi or plain; detected if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show every piece of a text, what becomes of it, and why."""
    name = language or detect_language(text) or "plain"
    if name not in ANALYSERS:
        raise BadInput(f"There is no analyser {name!r}.", f"Choose one of: {', '.join(ANALYSERS)}.")
    steps = [asdict(step) for step in ANALYSERS[name].steps(text)]
    if as_json:
        tokens = [token._asdict() for token in ANALYSERS[name].tokens(text)]
        print_json({"text": text, "language": name, "steps": steps, "tokens": tokens})
    elif steps:
        print_table(steps)
    else:
        say("There is nothing to analyse in this text.")


COMMANDS = (analyze,)
