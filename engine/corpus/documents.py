"""Documents become chunks: blocks cut along their structure, with ids that name the file and the place in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from engine.corpus.drafts import Draft
from engine.corpus.languages import text_language
from engine.corpus.options import ImportOptions
from engine.corpus.parts import Part
from engine.corpus.problems import ProblemLog
from engine.corpus.records import Document
from engine.corpus.report import Problem
from engine.text.chunking import Block, ChunkingOptions, CountTokens, Passage, chunk_blocks
from engine.text.normalise import clean
from engine.text.titles import BETWEEN
from engine.types import Scalar

_READ_BLOCKS = 40


def count_words(texts: Sequence[str]) -> list[int]:
    """Words between spaces: the measure of length where no encoder counts its tokens."""
    return [len(text.split()) for text in texts]


def draft_document(
    document: Document, part: Part, options: ImportOptions, log: ProblemLog, count_tokens: CountTokens
) -> list[Draft]:
    """The chunks of a document, `<stem of the file>#0001` and on, each with its place in it; metadata names the file.

    NUL characters and lone surrogates are removed and noted. A document without any text is a problem, and no chunk.
    """
    document_id, file = part.stem, part.source.name
    passages, language = cut_document(document, part, options, log, count_tokens)
    if not passages:
        log.add(file, "no text", "no text was found in it")
    metadata: dict[str, Scalar] = {"file": file, "document_title": document.title}
    given = {"language": language, "metadata": {name: value for name, value in metadata.items() if value}}
    return [_draft(passage, number, document_id, given) for number, passage in enumerate(passages, start=1)]


def cut_document(
    document: Document, part: Part, options: ImportOptions, log: ProblemLog, count_tokens: CountTokens
) -> tuple[tuple[Passage, ...], str | None]:
    """The passages of a document, in order, and its language; None where that is unknown. Reads all of its blocks.

    Its title heads it where it has no heading, NUL characters and lone surrogates are removed and noted.
    """
    file = part.source.name
    log.extend(document.problems)
    blocks = [block for item in document.blocks if (block := _usable(item, file, log)) is not None]
    if document.title and blocks and all(block.level is None for block in blocks):
        blocks.insert(0, Block(document.title, 1))
    # What a page declares of itself is often that of its template: the text knows better.
    language = options.language or text_language(_beginning(blocks)) or document.language
    chunking = options.chunking or ChunkingOptions()
    return chunk_blocks(blocks, part.stem, chunking, count_tokens, language), language


def split_records(drafts: Sequence[Draft], options: ImportOptions, count_tokens: CountTokens) -> list[Draft]:
    """The drafts, each record that is longer than a chunk cut as a document is, into `<its id>#0001` and on.

    A record that fits into one chunk, its title included, stays as it is.
    """
    chunking = options.chunking or ChunkingOptions()
    lengths = count_tokens([f"{draft.fields.get('title', '')}\n{draft.fields.get('text', '')}" for draft in drafts])
    split: list[Draft] = []
    for draft, length in zip(drafts, lengths, strict=True):
        split.extend([draft] if length <= chunking.max_tokens else _parts(draft, chunking, count_tokens))
    return split


def _parts(draft: Draft, chunking: ChunkingOptions, count_tokens: CountTokens) -> list[Draft]:
    title, text = draft.fields.get("title", ""), draft.fields.get("text", "")
    room = max(chunking.max_tokens - (count_tokens([title])[0] if title else 0), chunking.max_tokens // 2, 1)
    narrowed = chunking.model_copy(update={"max_tokens": room})
    passages = chunk_blocks([Block(text)], draft.chunk_id, narrowed, count_tokens, draft.fields.get("language"))
    if len(passages) < 2:
        return [draft]
    return [_part(draft, passage, number) for number, passage in enumerate(passages, start=1)]


def _usable(item: Block | Problem, file: str, log: ProblemLog) -> Block | None:
    if isinstance(item, Problem):
        log.add(item.where, item.kind, item.text)
        return None
    cleaned = clean(item.text)
    if not cleaned.removed:
        return item
    log.add(file, "removed characters", f"{cleaned.removed} NUL or surrogate characters removed from a block")
    return Block(cleaned.text, item.level, item.page)


def _beginning(blocks: Sequence[Block]) -> str:
    return "\n".join(block.text for block in islice(blocks, _READ_BLOCKS))


def _draft(passage: Passage, number: int, document_id: str, given: Mapping[str, Any]) -> Draft:
    chunk_id = f"{document_id}#{number:04d}"
    location = passage.location.model_copy(update={"document_id": document_id})
    fields = {"text": passage.text, "title": passage.title, "location": location}
    return Draft(document_id, number - 1, chunk_id, chunk_id, {**fields, **given})


def _part(draft: Draft, passage: Passage, number: int) -> Draft:
    chunk_id = f"{draft.chunk_id}#{number:04d}"
    whole = draft.fields.get("location")
    given = {} if whole is None else whole.model_dump(exclude_none=True)
    location = passage.location.model_copy(update={**given, "document_id": draft.chunk_id})
    fields = {**draft.fields, "text": passage.text, "location": location}
    fields["title"] = BETWEEN.join(title for title in (draft.fields.get("title"), passage.title) if title)
    return Draft(draft.where, draft.position, chunk_id, chunk_id, fields)
