"""Where a text holds the words of a query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.text.analysers import Analyser


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the original text, in code points, that a query word matches in its exact or its folded form."""

    start: int
    end: int
    term: str
    form: Literal["exact", "folded"]


def highlights(text: str, query: str, analyser: Analyser) -> tuple[Span, ...]:
    """The stretches of `text` that `query` matches, in order and without overlap; none where nothing matches.

    A code that matches whole is one span, otherwise its matching parts are. Pairs of characters that overlap follow one
    another, each with what the one before leaves of it.
    """
    return tuple(_without_overlap(_matches(text, query, analyser)))


def _matches(text: str, query: str, analyser: Analyser) -> Iterator[Span]:
    terms = analyser.forms(query)
    exact = {form for form, _ in terms}
    folded = {form for _, form in terms}
    for token in analyser.tokens(text):
        if token.exact in exact:
            yield Span(token.start, token.end, token.exact, "exact")
        elif token.folded in folded:
            yield Span(token.start, token.end, token.folded, "folded")


def _without_overlap(spans: Iterator[Span]) -> Iterator[Span]:
    done = 0
    for span in spans:
        start = max(span.start, done)
        if start < span.end:
            yield Span(start, span.end, span.term, span.form)
            done = span.end
