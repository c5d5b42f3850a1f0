"""How long the chunks of a collection are, as BM25 counts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.channels.bm25 import Bm25Channel
from engine.channels.bm25_postings import BLANK
from engine.corpus.corpus import Corpus
from engine.corpus.fields import BM25_FIELDS, SearchedField
from engine.text.analysers import analyser_for
from engine.types import Channel


def term_counts(corpus: Corpus, bm25: Channel | None, fields: Sequence[SearchedField] = BM25_FIELDS) -> Sequence[int]:
    """Terms of each chunk, in the order of the corpus; those of the index where there is one, else of those fields.

    Blank chunks have -1.
    """
    if isinstance(bm25, Bm25Channel):
        lengths: list[int] = bm25.index.postings.lengths.tolist()
        return lengths
    texts = corpus.texts(fields)
    return [
        len(analyser_for(chunk.language).forms(text)) if text else BLANK
        for chunk, text in zip(corpus, texts, strict=True)
    ]
