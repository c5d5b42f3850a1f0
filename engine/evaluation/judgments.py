"""Query sets and graded judgments, read from the files in which people keep them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pydantic import ValidationError

from engine.corpus.cells import as_scalar, as_text
from engine.corpus.json_text import parse
from engine.errors import BadInput
from engine.types import Query

_QUERY_FIELDS = frozenset(Query.model_fields) - {"id", "metadata"}


@dataclass(frozen=True, slots=True)
class Qrels:
    """Grades by query id and by chunk (or document) id. A grade is a whole number; 0 is judged and not relevant."""

    grades: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, query_id: str) -> Mapping[str, int]:
        """The grades of one query; empty where it was never judged."""
        return self.grades.get(query_id, {})

    def judged_ids(self) -> frozenset[str]:
        """Every chunk or document id that has a grade for some query."""
        return frozenset(judged for grades in self.grades.values() for judged in grades)

    def __len__(self) -> int:
        return len(self.grades)


NO_QRELS = Qrels()


def read_queries(path: Path) -> tuple[Query, ...]:
    """The queries of a JSON Lines file (`_id` or `id`, `text`; other keys go to the metadata) or a TSV (id, text).

    `BadInput` with the line number for a line that is no query and for an id that comes twice.
    """
    lines = _lines(path)
    read = _json_query if path.suffix.lower() in {".jsonl", ".json", ".ndjson"} else _tabbed_query
    queries = [read(path, number, line) for number, line in lines if line.strip()]
    if not queries:
        raise BadInput(f"{path.name} holds no query.", "Write one JSON object a line, with `_id` and `text`.")
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise BadInput(f"{path.name}: the query id {query.id!r} comes twice.", "Give each query its own id.")
        seen.add(query.id)
    return tuple(queries)


def read_qrels(path: Path) -> Qrels:
    """The judgments of a TREC file (query, 0, id, grade) or a BEIR one (query, id, grade; a header line or none).

    Columns are parted by tabs where every line has as many, so that ids may hold spaces; else by tabs and spaces, as in
    a TREC file that mixes them, and by commas in a `.csv`. A grade such as `1.0` is 1; `BadInput` with the line number
    for one that is not whole, for a line of another width and for a pair that is judged twice differently.
    """
    grades: dict[str, dict[str, int]] = {}
    lines = [(number, line) for number, line in _lines(path) if line.strip()]
    split = _splitter(path, [line for _, line in lines])
    for number, line in lines:
        columns = split(line)
        if number == 1 and _is_header(columns):
            continue
        if len(columns) not in (3, 4):
            raise BadInput(f"{path.name}, line {number}: {len(columns)} columns.", "Give query, chunk and grade.")
        query_id, judged, grade = columns[0], columns[-2], _grade(path, number, columns[-1])
        if grades.setdefault(query_id, {}).setdefault(judged, grade) != grade:
            raise BadInput(f"{path.name}, line {number}: {judged!r} has two grades for {query_id!r}.", "Keep one.")
    if not grades:
        raise BadInput(f"{path.name} holds no judgment.", "Write query, chunk and grade in each line.")
    return Qrels(MappingProxyType({query_id: MappingProxyType(of) for query_id, of in grades.items()}))


def queries_as_text(queries: Sequence[Query]) -> str:
    """Queries as JSON Lines that `read_queries` reads back to the same."""
    lines = (query.model_dump_json(exclude_none=True, exclude_defaults=True) for query in queries)
    return "".join(f"{line}\n" for line in lines)


def qrels_as_text(qrels: Qrels) -> str:
    """Judgments as BEIR writes them: a header, then query, chunk and grade, parted by tabs."""
    rows = (f"{query}\t{judged}\t{grade}\n" for query, of in qrels.grades.items() for judged, grade in of.items())
    return "query-id\tcorpus-id\tscore\n" + "".join(rows)


def read_beside(folder: Path) -> tuple[tuple[Query, ...], Qrels]:
    """The queries and judgments that lie in a folder beside its corpus, as BEIR lays them; empty where there are none.

    Judgments are those of `qrels.tsv` or `qrels/test.tsv`; the queries that they do not name are left out.
    """
    judged = next((path for path in (folder / "qrels.tsv", folder / "qrels" / "test.tsv") if path.is_file()), None)
    if judged is None or not (folder / "queries.jsonl").is_file():
        return (), NO_QRELS
    qrels = read_qrels(judged)
    return tuple(query for query in read_queries(folder / "queries.jsonl") if query.id in qrels.grades), qrels


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines; only a line feed ends one, since queries may hold other separators."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8 (byte {error.start}).", "Save it as UTF-8.") from error
    return ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), start=1))


def _json_query(path: Path, number: int, line: str) -> Query:
    try:
        record = parse(line)
        if not isinstance(record, dict):
            raise ValueError("no object")
        query_id = as_text(record.pop("_id" if "_id" in record else "id"))
        if not query_id.strip():
            raise ValueError("its id is empty")
        known = {key: record.pop(key) for key in list(record) if key in _QUERY_FIELDS}
        metadata = {**(record.pop("metadata", None) or {}), **record}
        return Query(id=query_id, metadata={key: as_scalar(value)[0] for key, value in metadata.items()}, **known)
    except (ValueError, KeyError, AttributeError, TypeError, ValidationError) as error:
        raise BadInput(f"{path.name}, line {number} is not a query: {error}.", "Give `_id` and `text`.") from error


def _tabbed_query(path: Path, number: int, line: str) -> Query:
    query_id, tab, text = line.partition("\t")
    if not tab or not query_id:
        raise BadInput(f"{path.name}, line {number} is not a query.", "Write the id, a tab and the text.")
    return Query(id=query_id, text=text)


def _splitter(path: Path, lines: Sequence[str]) -> Callable[[str], list[str]]:
    """How the lines of a file become cells."""
    if path.suffix.lower() == ".csv":
        return lambda line: next(csv.reader([line]))
    mixed = all(_is_trec(line.split()) for line in lines)
    if not mixed and {line.count("\t") for line in lines} in ({2}, {3}):
        return lambda line: line.split("\t")
    return str.split


def _is_trec(columns: list[str]) -> bool:
    return len(columns) == 4 and columns[1] in {"0", "Q0"}


def _is_header(columns: list[str]) -> bool:
    try:
        float(columns[-1])
    except ValueError:
        return True
    return False


def _grade(path: Path, number: int, text: str) -> int:
    try:
        grade = float(text)
    except ValueError:
        grade = float("nan")
    if not grade.is_integer():
        raise BadInput(f"{path.name}, line {number}: the grade {text!r} is not a whole number.", "Use 0, 1, 2, …")
    return int(grade)
