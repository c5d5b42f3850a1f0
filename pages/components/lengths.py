"""How long the chunks of a collection are, as BM25 counts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.channels.bm25 import Bm25Channel
from engine.corpus.corpus import Corpus
from engine.corpus.fields import BM25_FIELDS
from engine.text.analysers import analyser_for
from engine.types import Channel

BLANK = -1
"""The length of a chunk with no letter and no digit."""


def term_counts(corpus: Corpus, bm25: Channel | None) -> Sequence[int]:
    """Terms of each chunk, in the order of the corpus; those of the index where there is one. Blank ones have -1."""
    if isinstance(bm25, Bm25Channel):
        return bm25.index.postings.lengths.tolist()
    texts = corpus.texts(BM25_FIELDS)
    return [
        len(analyser_for(chunk.language).forms(text)) if text else BLANK
        for chunk, text in zip(corpus, texts, strict=True)
    ]
