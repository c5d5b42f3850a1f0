"""A document cut into passages that an encoder can read whole, along its headings and its sentences.

No text is lost and none is added: each passage is a stretch of the document as it stands, its headings are in titles.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from engine.text.measuring import CountTokens, Lengths, Span, cut_long_words, word_spans
from engine.text.packing import CLAUSE, SENTENCE, Window, pack
from engine.text.places import place
from engine.text.sections import Block, Section, read_sections
from engine.text.sentences import sentence_ends
from engine.text.titles import titled
from engine.types import ChunkLocation, Value

__all__ = ["Block", "ChunkingOptions", "CountTokens", "Passage", "chunk_blocks"]

_TITLE_SHARE = 3


class ChunkingOptions(Value):
    """How long passages may be, in tokens of the encoder that will read them."""

    max_tokens: int = Field(
        default=256,
        ge=1,
        le=100_000,
        title="Longest chunk",
        description="The most tokens of a chunk, its title included; a longer section becomes several of like length.",
    )
    overlap_tokens: int = Field(
        default=32,
        ge=0,
        title="Overlap",
        description="The most tokens of a chunk that the next one repeats, never more than half of its text.",
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document under one heading. `title` is the headings above it, outermost first.

    The first `repeated` characters of `text` are the end of the passage before it.
    """

    text: str
    title: str
    location: ChunkLocation
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class _Plan:
    """A section as words; `room` is what the text of a passage may have of the tokens."""

    section: Section
    title: str
    spans: Sequence[Span]
    lengths: Sequence[int]
    stops: Sequence[int]
    room: int

    def windows(self, room: int, overlap: int) -> tuple[Window, ...]:
        return pack(self.lengths, self.stops, room, min(overlap, room // 2))

    def text(self, window: Window) -> str:
        return self.section.body[self.spans[window.start][0] : self.spans[window.end - 1][1]]

    def repeated(self, window: Window) -> int:
        return self.spans[window.new - 1][1] - self.spans[window.start][0] if window.new > window.start else 0

    def searched(self, window: Window) -> str:
        return f"{self.title}\n{self.text(window)}" if self.title else self.text(window)


def chunk_blocks(
    blocks: Sequence[Block],
    document_id: str,
    options: ChunkingOptions,
    count_tokens: CountTokens,
    language: str | None,
) -> tuple[Passage, ...]:
    """The passages of a document, in order; none where it has no text.

    A passage never goes over a heading. Its title, a line end and its text have at most `options.max_tokens` tokens by
    `count_tokens` together (a single character that has more stands alone). It ends after a sentence of `language`, or
    a clause, or a word where a sentence is longer than a passage; a word is cut only where it is longer itself. All
    passages joined, repeated words taken out, are the text of the blocks without its headings; each heading is in a
    title, or in a text where it is too long for a title or has nothing below it.
    """
    sections = read_sections(blocks)
    if not sections:
        return ()
    plans = _plans(sections, options, count_tokens, language)
    return tuple(
        Passage(plan.text(window), plan.title, _location(plan, window, document_id, language), plan.repeated(window))
        for plan, windows in zip(plans, _fitting(plans, options, count_tokens), strict=True)
        for window in windows
    )


def _plans(
    sections: Sequence[Section], options: ChunkingOptions, count_tokens: CountTokens, language: str | None
) -> list[_Plan]:
    lengths = Lengths(count_tokens)
    longest_title = options.max_tokens // _TITLE_SHARE
    pairs = list(titled(sections, longest_title, lengths))
    room = options.max_tokens - lengths.special
    bodies = [section.body for section, _ in pairs]
    ends = [sentence_ends(body, language) for body in bodies]
    spans = [word_spans(body, found) for body, found in zip(bodies, ends, strict=True)]
    spans = cut_long_words(bodies, spans, lengths, max(room - longest_title, 1))
    return [
        _Plan(
            section,
            title,
            found,
            [lengths[section.body[start:end]] for start, end in found],
            list(_stops(section.body, found, stops)),
            max(room - lengths.text(title), 1),
        )
        for (section, title), found, stops in zip(pairs, spans, ends, strict=True)
    ]


def _stops(body: str, spans: Sequence[Span], ends: Sequence[int]) -> Iterator[int]:
    """What ends after each word: a sentence, a clause or line, or nothing (0)."""
    followers = [*(start for start, _ in spans[1:]), len(body)]
    for (_, end), follower in zip(spans, followers, strict=True):
        sentence = ends[bisect_left(ends, end)]
        if sentence <= follower:
            yield SENTENCE
        else:
            yield CLAUSE if body[end - 1] in ";:" or "\n" in body[end:follower] else 0


def _fitting(plans: Sequence[_Plan], options: ChunkingOptions, count_tokens: CountTokens) -> list[tuple[Window, ...]]:
    """The windows of each plan; those that came out too long, because words have more tokens together, packed anew."""
    rooms = [plan.room for plan in plans]
    packed = [plan.windows(room, options.overlap_tokens) for plan, room in zip(plans, rooms, strict=True)]
    unsure = list(range(len(plans)))
    while unsure:
        texts = [(row, plans[row].searched(window)) for row in unsure for window in packed[row]]
        excess: dict[int, int] = {}
        for (row, _), count in zip(texts, count_tokens([text for _, text in texts]), strict=True):
            excess[row] = max(excess.get(row, 0), count - options.max_tokens)
        unsure = [row for row in unsure if excess[row] > 0 and rooms[row] > 1]
        for row in unsure:
            in_proportion = rooms[row] * options.max_tokens // (options.max_tokens + excess[row])
            rooms[row] = max(min(in_proportion, rooms[row] - 1), 1)
            packed[row] = plans[row].windows(rooms[row], options.overlap_tokens)
    return packed


def _location(plan: _Plan, window: Window, document_id: str, language: str | None) -> ChunkLocation:
    whole = window.new == 0 and window.end == len(plan.spans)
    start, end = plan.spans[window.new][0], plan.spans[window.end - 1][1]
    return place(plan.section, (start, end), document_id, language, whole=whole)
