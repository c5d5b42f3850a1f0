"""What an analyser does to a text, in colour and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from engine.text.analysers import ANALYSERS, Step, Token
from engine.text.detect import detect_language

_CLASSES = {"kept": "rs-kept", "stop word": "rs-stop", "elision": "rs-cut", "symbol": "rs-cut"}
LEGEND = (
    ("rs-kept", "kept"),
    ("rs-code", "a code, kept whole and in parts"),
    ("rs-stop", "stop word, not searched"),
    ("rs-cut", "cut off or no letter"),
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text with every step of its analysis. `detected` says whether the language was a guess."""

    text: str
    analyser: str
    detected: bool
    steps: tuple[Step, ...]
    tokens: tuple[Token, ...]


def analysed(text: str, language: str | None) -> Analysis:
    """The analysis by the analyser of that name; None takes that of the language that the text seems to be in."""
    name = language or detect_language(text) or "plain"
    analyser = ANALYSERS[name]
    return Analysis(text, name, language is None, analyser.steps(text), analyser.tokens(text))


def inline_html(analysis: Analysis) -> str:
    """The text as it is, each stretch in the colour of what became of it, with the reason as its tooltip."""
    codes = {(token.start, token.end) for token in analysis.tokens if token.kind == "code"}
    pieces, at = [], 0
    for step in analysis.steps:
        if step.start < at:  # a part of a code, or the second of two overlapping pairs
            continue
        kind = "rs-code" if (step.start, step.end) in codes else _CLASSES[step.outcome]
        pieces.append(escape(analysis.text[at : step.start]))
        shown = escape(analysis.text[step.start : step.end])
        pieces.append(f'<span class="{kind}" title="{escape(_said(step))}">{shown}</span>')
        at = step.end
    return f'<div class="rs-analysis">{"".join(pieces)}{escape(analysis.text[at:])}</div>'


def legend_html() -> str:
    """What the colours mean."""
    signs = "".join(f'<span class="{name}">{escape(meaning)}</span>' for name, meaning in LEGEND)
    return f'<p class="rs-legend rs-analysis">{signs}</p>'


def table_rows(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """One row a stretch of the text, in its order."""
    return [
        {
            "Surface": step.surface,
            "Outcome": step.outcome,
            "Why": step.note,
            "Exact form": step.exact,
            "Folded form": step.folded,
            "From": step.start,
            "To": step.end,
        }
        for step in steps
    ]


def _said(step: Step) -> str:
    form = f"searched as {step.exact}" if step.exact == step.folded else f"searched as {step.exact} and {step.folded}"
    said = form if step.outcome == "kept" else step.outcome
    return f"{said}; {step.note}" if step.note else said
