"""Why a chunk has its BM25 score: what each term of the query contributes, with the index's own figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.channels.bm25_formulas import FORMULAS, gains, length_factors
from engine.channels.bm25_index import Bm25Index, FormWeight
from engine.channels.bm25_postings import BLANK, Form, tagged
from engine.types import Bm25Setup


@dataclass(frozen=True, slots=True)
class ReadTerm:
    """A term of a query as one analyser reads it. `tag` is the analyser's name, empty where terms have no tag."""

    tag: str
    exact: str
    folded: str

    @property
    def forms(self) -> tuple[str, str]:
        """Its two terms as they stand in the index."""
        return tagged(self.tag, self.exact), tagged(self.tag, self.folded)


@dataclass(frozen=True, slots=True)
class TermScore:
    """One term of the query in one chunk. The contributions of all terms add up to the score of the chunk.

    contribution = occurrences in the query x idf x (tf x (k1 + 1) / (tf + k1 x length factor)), and in `plus` the
    second factor gains 1, whether the chunk has the term (tf > 0) or not. `form` is the one that counts: where the
    exact and the folded form both occur, the one that contributes more. `df` is the number of chunks with that form.
    `floored` says that `idf` stands for a negative one. A term that no chunk has: df 0, idf 0.
    """

    term: str
    form: Form
    analyser: str
    occurrences: int
    tf: int
    df: int
    idf: float
    floored: bool
    length_factor: float
    contribution: float


def term_scores(index: Bm25Index, query: Sequence[ReadTerm], row: int, setup: Bm25Setup) -> tuple[TermScore, ...]:
    """One `TermScore` per distinct term, in the order of the query; a blank chunk gets contributions of 0."""
    length = int(index.postings.lengths[row])
    factor = length_factors(max(length, 0), index.postings.average_length, setup.b)
    scores = []
    for term, occurrences in Counter(query).items():
        unknown = TermScore(term.exact, "exact", term.tag, occurrences, 0, 0, 0.0, False, float(factor), 0.0)
        found = [_form_score(index, unknown, term, weight, row, setup) for weight in index.weights(term.forms, setup)]
        best = _counting(found, setup) or unknown
        scores.append(replace(best, contribution=0.0) if length == BLANK else best)
    return tuple(scores)


def _counting(found: Sequence[TermScore], setup: Bm25Setup) -> TermScore | None:
    """The form that counts: absent forms only where the variant scores absence, or where no form occurs."""
    scored = found if FORMULAS[setup.variant].delta else [score for score in found if score.tf]
    return max(scored or found[:1], key=lambda score: score.contribution, default=None)


def _form_score(
    index: Bm25Index, unknown: TermScore, term: ReadTerm, weight: FormWeight, row: int, setup: Bm25Setup
) -> TermScore:
    tf = index.postings.frequency(weight.posting_list, row)
    gain = float(gains(tf, unknown.length_factor, setup.k1)) if tf else 0.0
    share = FORMULAS[setup.variant].delta + gain
    return replace(
        unknown,
        term=term.exact if weight.form == "exact" else term.folded,
        form=weight.form,
        tf=tf,
        df=weight.document_frequency,
        idf=weight.idf.value,
        floored=weight.idf.floored,
        contribution=weight.idf.value * unknown.occurrences * share,
    )
