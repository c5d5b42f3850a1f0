"""BM25 over a corpus: ranked by shared terms, with the place of any chunk and the part of each term in its score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engine.channels.bm25_build import Forms
from engine.channels.bm25_index import Bm25Index
from engine.channels.bm25_terms import ReadTerm, TermScore, term_scores
from engine.channels.origin import Origin, refuse_other_texts
from engine.corpus.corpus import Corpus
from engine.corpus.fields import BM25_FIELDS, SearchedField, is_blank, searched_text
from engine.errors import StaleIndex
from engine.text.analysers import ANALYSERS, Analyser, analyser_for
from engine.types import Floats, Mask, Note, Place, Progress, Ranking, Setup, no_progress

__all__ = ["Bm25Channel", "Bm25Index", "TermScore", "build_bm25"]

_REPORT_EVERY = 500


def build_bm25(
    corpus: Corpus, fields: Sequence[SearchedField] = BM25_FIELDS, progress: Progress = no_progress
) -> Bm25Index:
    """The index of those fields of every chunk, read by the analyser of its language.

    `progress` is called with ("bm25", chunks done, chunks in all) and may raise to stop.
    """
    names = [analyser_for(chunk.language).name for chunk in corpus]
    index_forms = _forms(corpus, fields, progress)
    fingerprints = {name: ANALYSERS[name].fingerprint for name in sorted(set(names))}
    return Bm25Index.of_forms(index_forms, names, fingerprints, Origin.of(corpus, fields))


def _forms(corpus: Corpus, fields: Sequence[SearchedField], progress: Progress) -> Iterator[Sequence[Forms] | None]:
    for done, chunk in enumerate(corpus):
        if done % _REPORT_EVERY == 0:
            progress("bm25", done, len(corpus))
        text = searched_text(chunk, fields)
        yield None if is_blank(text) else analyser_for(chunk.language).forms(text)
    progress("bm25", len(corpus), len(corpus))


class Bm25Channel:
    """The channel `bm25`: an index, the corpus it was made from, and the analysers that read the query.

    In a corpus of several languages each analyser present reads the query and matches the chunks of its language; the
    number of chunks and their average length are those of the whole corpus. `StaleIndex` where the index was made from
    other texts, of other `fields` (None: whatever it was made of) or by other analysers.
    """

    name = "bm25"
    label = "BM25"
    scale = "sum over shared terms, from 0 upwards without a limit; can fall below 0 in small collections"

    def __init__(
        self,
        index: Bm25Index,
        corpus: Corpus,
        analysers: Mapping[str, Analyser] = ANALYSERS,
        *,
        fields: Sequence[SearchedField] | None = None,
    ) -> None:
        self.index = index
        self.corpus = corpus
        self._analysers = {name: analysers[name] for name in index.postings.analysers if name in analysers}
        self._refuse_stale(fields)

    def search(self, query: str, setup: Setup, allowed: Mask | None = None) -> Ranking:
        """The best chunks that share a term with the query, as many as the channel's depth, in the order (-score, id).

        Scores of 0 and below are returned like any other. `allowed` masks the rows that may be returned; it changes no
        idf and no score.
        """
        depth = setup.channel(self.name).depth
        order = self.corpus.id_order
        rows, scores = self.index.best(self._forms(query), setup.bm25, depth, order=order, allowed=allowed)
        ids = self.corpus.ids
        return Ranking(self.name, tuple([ids[row] for row in rows.tolist()]), scores)

    def place(self, query: str, chunk_id: str, setup: Setup, allowed: Mask | None = None) -> Place | None:
        """The true rank and score of a chunk, however deep; None where it shares no term or is not allowed."""
        row = self.corpus.row(chunk_id)
        rows, scores = self.index.matching(self._forms(query), setup.bm25)
        if allowed is not None:
            rows, scores = rows[allowed[rows]], scores[allowed[rows]]
        here = int(np.searchsorted(rows, row))
        if here == len(rows) or rows[here] != row:
            return None
        order, score = self.corpus.id_order, scores[here]
        before = (scores > score) | ((scores == score) & (order[rows] < order[row]))
        return Place(rank=1 + int(np.count_nonzero(before)), score=float(score))

    @property
    def floor(self) -> float:
        """0: what a chunk without a shared term has."""
        return 0.0

    def scores_of(self, query: str, chunk_ids: Sequence[str], setup: Setup) -> Floats:
        """The score of each chunk however deep; 0 where it shares no term, NaN where it is blank."""
        rows = [self.corpus.row(chunk_id) for chunk_id in chunk_ids]
        found = np.zeros(len(self.corpus))
        matching, scores = self.index.matching(self._forms(query), setup.bm25)
        found[matching] = scores
        found[self.index.postings.lengths < 0] = np.nan
        return found[rows]

    def scores(self, query: str, setup: Setup) -> Floats:
        """The score of every chunk, shape (chunks,); where it does not match: 0, in `plus` what absent terms give."""
        return self.index.scores(self._forms(query), setup.bm25)

    def matches(self, query: str) -> Mask:
        """Which chunks share a term with the query, shape (chunks,)."""
        return self.index.matches(self._forms(query))

    def terms(self, query: str, chunk_id: str, setup: Setup) -> tuple[TermScore, ...]:
        """What each term of the query contributes to the score of a chunk, in the order of the query."""
        return term_scores(self.index, self._read(query), self.corpus.row(chunk_id), setup.bm25)

    def notes(self, query: str, setup: Setup) -> tuple[Note, ...]:
        """Remarks: `no-chunks`, `no-terms`, and in `okapi` `common-terms` for terms in half of the chunks or more."""
        if not self.index.postings.searchable:
            return (Note("no-chunks", "BM25 has 0 searchable chunks: every chunk is blank, or there is none."),)
        terms = self._read(query)
        if not terms:
            return (Note("no-terms", "The query has no searchable terms for BM25: only symbols or stop words."),)
        return self._common(terms, setup) if setup.bm25.variant == "okapi" else ()

    def _common(self, terms: Sequence[ReadTerm], setup: Setup) -> tuple[Note, ...]:
        chunks = self.index.postings.searchable
        found: dict[str, int] = {}
        for term in terms:
            for weight in self.index.weights(term.forms, setup.bm25):
                if 2 * weight.document_frequency >= chunks:
                    found.setdefault(getattr(term, weight.form), weight.document_frequency)
        if not found:
            return ()
        listed = ", ".join(f"{term!r} (in {count} of {chunks})" for term, count in found.items())
        text = (
            f"In half of the chunks or more: {listed}. Such a term has a zero or negative idf in Okapi; a negative one "
            "is replaced by a quarter of the average idf. Plus and Lucene keep it small but positive."
        )
        return (Note("common-terms", text),)

    def _read(self, query: str) -> tuple[ReadTerm, ...]:
        return tuple(
            ReadTerm(name, token.exact, token.folded)
            for name, analyser in self._analysers.items()
            for token in analyser.tokens(query)
        )

    def _forms(self, query: str) -> list[Forms]:
        return [term.forms for term in self._read(query)]

    def _refuse_stale(self, fields: Sequence[SearchedField] | None) -> None:
        if len(self.index) != len(self.corpus):
            raise StaleIndex(
                f"The BM25 index has {len(self.index)} chunks, the collection {len(self.corpus)}.",
                "Build the collection again.",
            )
        refuse_other_texts(self.name, self.index.postings.origin, self.corpus, fields)
        for name, fingerprint in self.index.postings.analysers.items():
            analyser = self._analysers.get(name)
            if analyser is None or analyser.fingerprint != fingerprint:
                raise StaleIndex(
                    f"The BM25 index was made by another analyser {name!r} than the one that would read the query.",
                    "Build the collection again.",
                )
