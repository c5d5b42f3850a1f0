"""The problems met while reading, counted without limit and kept up to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.corpus.report import Problem, ProblemKind

MOST_KEPT = 100


class ProblemLog:
    """Problems in the order in which they were met; beyond `MOST_KEPT` of a kind they are only counted.

    A change of form (`changed value`) that a whole column shares is kept once, where it was first met.
    """

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._said: set[str] = set()

    def add(self, where: str, kind: ProblemKind, text: str) -> None:
        """Note one problem."""
        self._counts[kind] += 1
        if self._counts[kind] > MOST_KEPT or (kind == "changed value" and text in self._said):
            return
        self._said.add(text)
        self._kept.append(Problem(where=where, kind=kind, text=text))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note several."""
        for problem in problems:
            self.add(problem.where, problem.kind, problem.text)

    @property
    def kept(self) -> tuple[Problem, ...]:
        """The problems that can be shown one by one."""
        return tuple(self._kept)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there were of each kind."""
        return dict(self._counts)
