"""A receipt as Markdown, to copy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from engine.sensitivity.events import Event, K, Receipt
from engine.sensitivity.roots import Number

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&$:])")


def receipt_markdown(receipt: Receipt, label: str = "", scope: str = "") -> str:
    """The move as a heading, the lists before and after, and a table of its events.

    `label` names the knob for readers (`k`, or `Weight of` and the source, unless given); `scope` says for which list
    this holds. Ids are escaped: text from data is never markup.
    """
    name = label or ("k" if receipt.knob == K else f"Weight of {receipt.knob}")
    lines = [
        f"### {_escaped(name)}: {_number(receipt.start)} → {_number(receipt.end)}",
        "",
        *([_escaped(scope), ""] if scope else []),
        f"First {receipt.n} before: {_listed(receipt.before)}",
        "",
        f"First {receipt.n} after: {_listed(receipt.after)}",
        "",
    ]
    if not receipt.events:
        return "\n".join([*lines, "Nothing changes on the way."]) + "\n"
    head = [f"| at | rises | passes | score of the one that rises | score of the other | first {receipt.n} |"]
    return "\n".join([*lines, *head, "|---|---|---|---|---|---|", *map(_row, receipt.events)]) + "\n"


def _row(event: Event) -> str:
    changes = [f"{_escaped(event.riser)} enters"] if event.enters and event.riser else []
    changes += [f"{_escaped(event.faller)} leaves"] if event.leaves and event.faller else []
    cells = [
        _number(event.value),
        _escaped(event.riser or "–"),
        _escaped(event.faller or "–"),
        _sum(event.riser_parts),
        _sum(event.faller_parts),
        ", ".join(changes),
    ]
    return f"| {' | '.join(cells)} |"


def _sum(parts: Mapping[str, float]) -> str:
    if not parts:
        return "–"
    terms = " + ".join(f"{_escaped(source)} {value:.6f}" for source, value in parts.items())
    return f"{terms} = {sum(parts.values()):.6f}"


def _number(value: Number) -> str:
    """A rational number as it is where it is short, with its decimal; a root as its decimal."""
    decimal = f"{float(value):.10g}"
    if not isinstance(value, Fraction) or value == Fraction(decimal) or value.denominator > 10**6:
        return decimal if isinstance(value, Fraction) and value == Fraction(decimal) else f"≈ {decimal}"
    return f"{value} ≈ {decimal}"


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(map(_escaped, ids)) or "none"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
