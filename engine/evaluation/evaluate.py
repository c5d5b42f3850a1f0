"""Measures of one setup over a set of judged queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from engine.corpus.corpus import Corpus
from engine.corpus.report import listed
from engine.errors import BadInput
from engine.evaluation.judgments import Qrels
from engine.types import Progress, Query, Ranking, no_progress

if TYPE_CHECKING:
    from ir_measures.measures import Measure

DEFAULT_MEASURES = "nDCG@10 R@100 RR@10"
_PROVIDERS = frozenset({"pytrec_eval", "msmarco", "judged", "accuracy", "runtime"})
"""Those of ir-measures' calculators that run here on any id and on plain grades; others call Perl or want subtopics."""


@dataclass(frozen=True, slots=True)
class Report:
    """Mean and per-query values of each measure, and on what they rest.

    `queries` are the judged ones, all of them in the means; `without_results` of them got no result and count 0.
    `unjudged_queries` were left out. `judged` is, per measure, the mean share of the results within its cut-off that
    have a grade (1 where there is no result). `unit` says what the judgments name: a document ranks by its best chunk.
    `refused` has the reason for each query id that cannot be asked (empty, too long): one of those without results.
    """

    measures: Mapping[str, float]
    per_query: Mapping[str, Mapping[str, float]]
    judged: Mapping[str, float]
    queries: int
    without_results: int
    unjudged_queries: int
    unit: Literal["chunks", "documents"]
    judged_found: int
    judged_total: int
    refused: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, object]:
        """The report as values that JSON holds as they are; `judged` is the share per measure."""
        return asdict(self)

    def sentence(self) -> str:
        """On what the means rest, in one line."""
        parts = [f"{self.queries} judged queries", f"judgments name {self.unit}"]
        if self.without_results:
            parts.append(f"{self.without_results} without results count 0{self._refused()}")
        if self.unjudged_queries:
            parts.append(f"{self.unjudged_queries} without judgments are left out")
        if self.judged_found < self.judged_total:
            missing = self.judged_total - self.judged_found
            parts.append(f"{missing} of {self.judged_total} judged {self.unit} are not in the collection")
        return "; ".join(parts) + "."

    def _refused(self) -> str:
        if not self.refused:
            return ""
        reason = next(iter(self.refused.values())).rstrip(".")
        return f", {len(self.refused)} of them cannot be asked: {listed(self.refused)} ({reason})"


def parse_measures(names: str) -> tuple[Measure, ...]:
    """The measures of a text such as `nDCG@10 R@100 RR@10`, in ir-measures' notation.

    `BadInput` for one that is unknown or cannot be computed here.

    nDCG has linear gain unless its name says otherwise.
    """
    from ir_measures import parse_measure

    measures: list[Measure] = []
    for name in names.replace(",", " ").split():
        try:
            measure = parse_measure(name)
            measure.validate_params()
        except (NameError, ValueError, SyntaxError, AssertionError, TypeError, AttributeError) as error:
            raise BadInput(f"Unknown measure {name!r}.", "Use names such as nDCG@10, R@100, RR@10, AP, P@5.") from error
        if not _is_supported(measure):
            raise BadInput(f"The measure {name!r} cannot be computed here.", f"Use for example {DEFAULT_MEASURES} AP.")
        measures.append(measure)
    if not measures:
        raise BadInput("No measure is named.", f"Use for example {DEFAULT_MEASURES}.")
    return tuple(measures)


def evaluate(
    rank: Callable[[str], Ranking],
    corpus: Corpus,
    queries: Sequence[Query],
    qrels: Qrels,
    *,
    measures: str = DEFAULT_MEASURES,
    progress: Progress = no_progress,
) -> Report:
    """The report over the judged ones among `queries`; `rank` answers a query text with a ranking of chunks.

    Values are trec_eval's, computed by ir-measures from n − rank as the score, so that its tie rule never reorders what
    the screen shows. A query that `rank` refuses (`BadInput`) has no result. `BadInput` where no judged id is in the
    corpus, no query is judged, or every one is refused.
    """
    wanted = parse_measures(measures)
    judged_queries = [query for query in queries if query.id in qrels.grades]
    unit = judged_unit(corpus, qrels)
    if not judged_queries:
        raise BadInput("None of the queries has a judgment.", "Check that queries and qrels use the same query ids.")
    rankings, refused = _asked(rank, judged_queries, progress)
    run = {query_id: _units(ranking, corpus, unit) for query_id, ranking in rankings.items()}
    per_query = _values(wanted, run, qrels)
    names = [str(measure) for measure in wanted]
    known = qrels.judged_ids()
    return Report(
        measures={name: fmean(values[name] for values in per_query.values()) for name in names},
        per_query=per_query,
        judged={str(measure): _judged_share(run, qrels, _cutoff(measure)) for measure in wanted},
        queries=len(judged_queries),
        without_results=sum(not ids for ids in run.values()),
        unjudged_queries=len(queries) - len(judged_queries),
        unit=unit,
        judged_found=len(known & _known_units(corpus, unit)),
        judged_total=len(known),
        refused=refused,
    )


def _is_supported(measure: Measure) -> bool:
    from ir_measures import DefaultPipeline

    try:
        return any(each.NAME in _PROVIDERS and each.supports(measure) for each in DefaultPipeline.providers)
    except AssertionError:  # a parameter that the measure needs is not given
        return False


def _asked(
    rank: Callable[[str], Ranking], queries: Sequence[Query], progress: Progress
) -> tuple[dict[str, Ranking], dict[str, str]]:
    """The ranking of each query by its id, empty where it is refused, and the reasons of the refused ones."""
    rankings: dict[str, Ranking] = {}
    refused: dict[str, str] = {}
    for done, query in enumerate(queries):
        progress("evaluate", done, len(queries))
        try:
            rankings[query.id] = rank(query.text)
        except BadInput as error:
            refused[query.id] = str(error)
            rankings[query.id] = Ranking.of("none", (), ())
            if len(refused) == len(queries):  # then it is no query that is at fault
                raise
    progress("evaluate", len(queries), len(queries))
    return rankings, refused


def _values(measures: Sequence[Measure], run: Mapping[str, Sequence[str]], qrels: Qrels) -> dict[str, dict[str, float]]:
    """Each measure of each query of a run of ranked ids."""
    import ir_measures

    scored = {q: {unit_id: float(len(ids) - row) for row, unit_id in enumerate(ids)} for q, ids in run.items()}
    judged = {query_id: dict(qrels.of(query_id)) for query_id in run}
    values: dict[str, dict[str, float]] = {query_id: {} for query_id in run}
    for metric in ir_measures.iter_calc(measures, judged, scored):
        values[metric.query_id][str(metric.measure)] = metric.value
    return values


def judged_unit(corpus: Corpus, qrels: Qrels) -> Literal["chunks", "documents"]:
    """What the judgments name, by which of the two more of their ids are found; `BadInput` where none is found."""
    judged = qrels.judged_ids()
    chunks, documents = len(judged & _known_units(corpus, "chunks")), len(judged & _known_units(corpus, "documents"))
    if not chunks and not documents:
        raise BadInput(
            f"0 of {len(judged)} judged documents found in the collection.",
            "Check that the judgments use the collection's own ids, as text.",
        )
    return "chunks" if chunks >= documents else "documents"


def _known_units(corpus: Corpus, unit: str) -> frozenset[str]:
    if unit == "chunks":
        return frozenset(corpus.ids)
    return frozenset(chunk.location.document_id for chunk in corpus if chunk.location.document_id)


def _units(ranking: Ranking, corpus: Corpus, unit: str) -> tuple[str, ...]:
    """The ranked ids; for documents each at the rank of its best chunk."""
    if unit == "chunks":
        return ranking.ids
    return tuple(dict.fromkeys(corpus.chunk(i).location.document_id or i for i in ranking.ids))


def _cutoff(measure: Measure) -> int | None:
    return measure.params.get("cutoff")


def _judged_share(run: Mapping[str, Sequence[str]], qrels: Qrels, cutoff: int | None) -> float:
    shares = []
    for query_id, ids in run.items():
        seen = ids[:cutoff]
        shares.append(sum(unit_id in qrels.of(query_id) for unit_id in seen) / len(seen) if seen else 1.0)
    return fmean(shares)
