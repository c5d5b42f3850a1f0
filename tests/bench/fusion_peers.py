"""Fused scores against Haystack, LlamaIndex, Qdrant's local client and Milvus Lite on the same lists.

`python -m tests.bench.fusion_peers` makes an environment of its own in a temporary folder, installs the libraries
there (about 700 MB, some minutes), runs `fusion_libraries` in it, and prints for each library where it agrees and
where it counts otherwise, and why; each such difference is computed and must hold. A folder named as an argument is
used instead of a temporary one and stays. A library that cannot be installed or run is named with the reason. The exit
code is 1 where a value is not as said. ranx and LangChain are compared in the tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from engine.fusion.fuse import fuse
from engine.types import Ranking, Setup

PACKAGES: Mapping[str, tuple[str, ...]] = {
    "haystack": ("haystack-ai==3.4.1",),
    "llama_index": ("llama-index-core==0.14.25",),
    "qdrant": ("qdrant-client==1.20.0",),
    "milvus": ("milvus-lite==2.5.1", "pymilvus==3.0.2", "setuptools<81"),
}
CHUNKS, DEPTH, CASES = 40, 25, 10
WEIGHTS = (0.3, 0.7)
NAMES = ("one", "two")

Scores = Mapping[str, float]


@dataclass(frozen=True)
class Check:
    """One comparison: what is claimed, what the library answered, and what that should be by our fusion."""

    claim: str
    theirs: Scores
    expected: Scores
    tolerance: float = 1e-9

    def difference(self) -> float:
        """The largest difference of a score; infinite where the chunks are not the same."""
        if set(self.theirs) != set(self.expected):
            return float("inf")
        return max(abs(self.theirs[name] - self.expected[name]) for name in self.theirs)


class Ours:
    """Our fusions of one case."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        whole = {
            name: Ranking.of(name, list(each), list(each.values()))
            for name, each in zip(NAMES, case["lists"], strict=True)
        }
        self.lists = {name: ranking.keep(ranking.ids[: case["depth"]]) for name, ranking in whole.items()}

    def fused(self, weights: Sequence[float] = (1.0, 1.0), **knobs: Any) -> dict[str, float]:
        """The fused scores."""
        setup = Setup(**knobs)
        for name, weight in zip(NAMES, weights, strict=True):
            setup = setup.with_channel(name, weight=weight)
        ranking = fuse(self.lists, setup, dict.fromkeys(NAMES, -1.0))
        return dict(zip(ranking.ids, ranking.scores.tolist(), strict=True))

    def sigma(self, name: str, *, sample: bool = False) -> dict[str, float]:
        """The three-sigma values of one list; with the sample's deviation (n - 1) where asked for."""
        ranking = self.lists[name]
        spread = float(ranking.scores.std(ddof=1 if sample else 0))
        values = 0.5 + (ranking.scores - ranking.scores.mean()) / (6 * spread)
        return dict(zip(ranking.ids, values.tolist(), strict=True))


def scaled(scores: Scores, factor: float) -> dict[str, float]:
    """Every score times a factor."""
    return {name: score * factor for name, score in scores.items()}


def without_absent(ours: Ours, weights: Sequence[float]) -> dict[str, float]:
    """Our weighted three-sigma, with nothing for absent chunks in the place of the list's lowest."""
    found = ours.fused(weights, fusion="wsum", normaliser="three-sigma")
    lowest = {name: min(ours.sigma(name).values()) for name in NAMES}
    return {
        chunk_id: score
        - sum(
            w * lowest[name] for name, w in zip(NAMES, weights, strict=True) if ours.lists[name].rank(chunk_id) is None
        )
        for chunk_id, score in found.items()
    }


def haystack(ours: Ours, answer: Mapping[str, Scores]) -> Iterator[Check]:
    """What Haystack's DocumentJoiner should answer."""
    share = 1 / sum(WEIGHTS)
    yield Check(
        "RRF agrees, times 61 and with weights that sum to 1", answer["rrf"], scaled(ours.fused(WEIGHTS), 61 * share)
    )
    yield Check(
        "merge of min-max scores is our weighted sum",
        answer["merge"],
        scaled(ours.fused(WEIGHTS, fusion="wsum"), share),
    )
    one, two = ours.sigma("one"), ours.sigma("two")
    yield Check(
        "its distribution-based fusion keeps the higher value and no weight: CombMAX, of the lists that have the chunk",
        answer["three-sigma"],
        {name: max(one.get(name, -9.0), two.get(name, -9.0)) for name in {**one, **two}},
    )
    yield Check(
        "otherwise: a constant list keeps its raw scores there (7.2 beside 0.83); ours is 0.5, the average",
        {"A": answer["constant"]["A"]},
        {"A": 7.2},
    )


def llama_index(ours: Ours, answer: Mapping[str, Scores]) -> Iterator[Check]:
    """What LlamaIndex's QueryFusionRetriever should answer."""
    share = 1 / sum(WEIGHTS)
    yield Check(
        "otherwise: RRF counts ranks from 0 (first place 1/60, our k 59) and ignores the weights",
        answer["rrf"],
        ours.fused(k=59.0),
    )
    yield Check(
        "relative score is our weighted min-max, with weights that sum to 1",
        answer["min-max"],
        scaled(ours.fused(WEIGHTS, fusion="wsum"), share),
    )
    yield Check(
        "otherwise: distribution-based gives an absent chunk 0, three deviations down; ours the list's lowest",
        answer["three-sigma"],
        scaled(without_absent(ours, WEIGHTS), share),
    )
    yield Check("otherwise: it merges chunks of one text (ours are two, by id)", answer["one text"], {"v1": 1.0})
    yield Check(
        "otherwise: a constant list of 0 gives 0 (ours 1: the best it has)", answer["zeros"], {"A": 0.0, "B": 0.0}
    )
    first = next(iter(ours.lists["one"].ids))
    yield Check(
        "otherwise: it overwrites the scores that it was given (ours are read-only)",
        {first: answer["given"][first]},
        {first: answer["min-max"][first]},
    )


def qdrant(ours: Ours, answer: Mapping[str, Scores]) -> Iterator[Check]:
    """What Qdrant's local client should answer; its cosines are float32."""
    yield Check("RRF agrees where it is sent k 61: it counts ranks from 0", answer["rrf"], ours.fused())
    yield Check("otherwise: its k is 2 unless given, our 1", answer["rrf by default"], ours.fused(k=1.0))
    parts = [
        {c: 1 / (ours.lists[n].rank(c) / w + 60) for c in ours.lists[n].ids}
        for n, w in zip(NAMES, WEIGHTS, strict=True)
    ]
    yield Check(
        "otherwise: its weights divide the rank: 1 / (rank / w + k - 1)",
        answer["weighted rrf"],
        {name: sum(part.get(name, 0.0) for part in parts) for name in {**parts[0], **parts[1]}},
    )
    sample = [ours.sigma(name, sample=True) for name in NAMES]
    yield Check(
        f"otherwise: DBSF takes the sample's deviation (ours is {sqrt(DEPTH / (DEPTH - 1)):.3f} times as steep), no "
        "weights, and gives absent chunks 0",
        answer["three-sigma"],
        {name: sum(each.get(name, 0.0) for each in sample) for name in {**sample[0], **sample[1]}},
        1e-5,
    )


def milvus(ours: Ours, answer: Mapping[str, Scores]) -> Iterator[Check]:
    """What Milvus Lite should answer; everything there is float32."""
    yield Check("RRF agrees (it has no weights)", answer["rrf"], ours.fused(), 1e-7)
    # (1 + cos) / 2 is our fixed floor of -1 for a list whose best is 1: the weight makes up for a lower best
    weights = [w * (1 + float(ours.lists[name].scores[0])) / 2 for name, w in zip(NAMES, WEIGHTS, strict=True)]
    yield Check(
        "weighted: (1 + cosine) / 2 in each list, our floor of -1, but that ours ends at the list's best",
        answer["weighted"],
        ours.fused(weights, fusion="wsum", normaliser="floor"),
        1e-5,
    )


CHECKS = {"haystack": haystack, "llama_index": llama_index, "qdrant": qdrant, "milvus": milvus}


def random_cases() -> list[dict[str, Any]]:
    """Cosines of the same chunks in two lists, none of them equal; the first of each are fused."""
    rng = np.random.default_rng(11)
    ids = [f"d{number:02}" for number in range(CHUNKS)]
    return [
        {
            "lists": [dict(zip(ids, rng.uniform(-0.9, 0.95, CHUNKS).tolist(), strict=True)) for _ in NAMES],
            "depth": DEPTH,
            "weights": list(WEIGHTS),
        }
        for _ in range(CASES)
    ]


def last_line(text: str) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def installed(python: Path, library: str) -> bool:
    """Whether the library is there; the reason is printed where it is not."""
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[library]],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        print(f"{library}: cannot be installed: {last_line(done.stderr)}")
    return done.returncode == 0


def answers(python: Path, library: str, cases: list[dict[str, Any]]) -> list[dict[str, Scores]] | None:
    """What the library makes of the cases; None, with the reason printed, where it does not run."""
    done = subprocess.run(
        [python, "-P", Path(__file__).with_name("fusion_libraries.py"), library],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        print(f"{library}: does not run: {last_line(done.stderr)}")
        return None
    found: list[dict[str, Scores]] = json.loads(last_line(done.stdout))
    return found


def compare(library: str, found: list[dict[str, Scores]], cases: list[dict[str, Any]]) -> bool:
    """Print every claim with the largest difference over all cases; whether all hold."""
    print(f"\n{', '.join(PACKAGES[library][:2])}")
    rows: dict[str, tuple[float, float]] = {}
    for case, answer in zip(cases, found, strict=True):
        for check in CHECKS[library](Ours(case), answer):
            worst = max(rows.get(check.claim, (0.0, 0.0))[0], check.difference())
            rows[check.claim] = (worst, check.tolerance)
    for claim, (worst, tolerance) in rows.items():
        print(f"  {'ok' if worst <= tolerance else 'NOT SO':7}{worst:8.0e}  {claim}")
    return all(worst <= tolerance for worst, tolerance in rows.values())


def run(folder: Path) -> int:
    """Install, run and compare every library in that folder; the exit code."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    cases, held = random_cases(), []
    print(
        f"{CASES} pairs of lists, {DEPTH} of {CHUNKS} chunks each, weights {WEIGHTS}; largest difference of any score"
    )
    for library in PACKAGES:
        if installed(python, library) and (found := answers(python, library, cases)) is not None:
            held.append(compare(library, found, cases))
    return 0 if all(held) else 1


def main() -> int:
    """Compare in the folder that is named, or in a temporary one."""
    if len(sys.argv) > 1:
        return run(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
