"""MiniLM against `SentenceTransformer.encode` with its defaults: the same mixed-length texts, the same cores.

The peer runs with as many torch threads as there are cores, as it would on its own; runs alternate, the best of each
counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from engine.encoders import load_encoder, minilm

TEXTS = 192
ROUNDS = 3
VOCABULARY = """
the of and in to patient with treatment was after before study results show clinical flow pressure boundary layer
temperature measured significant increase reduction method analysis information library retrieval acute chronic
infarction hypertension rehabilitation laminar turbulent specification questionnaire
"""

START = {
    "RankScope": "from engine.encoders import load_encoder\nload_encoder('minilm').encode_query('a red kite')",
    "sentence-transformers": (
        "import sys\nfrom sentence_transformers import SentenceTransformer\n"
        "SentenceTransformer(sys.argv[1], device='cpu', local_files_only=True).encode('a red kite')"
    ),
}


def mixed_texts(count: int) -> list[str]:
    """Texts of 4 to 400 words, short ones as frequent as long ones (log-uniform), the same in every run."""
    random = np.random.default_rng(11)
    words = VOCABULARY.split()
    lengths = np.exp(random.uniform(np.log(4), np.log(400), count)).astype(int)
    return [" ".join(random.choice(words, length)) for length in lengths]


def best_of(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The shortest of several alternating runs of each, in seconds."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begun = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - begun)
    return {name: min(values) for name, values in seconds.items()}


def passages(folder: str) -> None:
    """Time and compare the encoding of passages."""
    import torch
    from sentence_transformers import SentenceTransformer

    texts = mixed_texts(TEXTS)
    peer = SentenceTransformer(folder, device="cpu", local_files_only=True)
    ours = load_encoder("minilm")
    difference = np.abs(ours.encode_passages(texts[:32]) - peer.encode(texts[:32])).max()

    def run_peer() -> None:
        torch.set_num_threads(os.cpu_count() or 1)
        peer.encode(texts)

    def run_ours() -> None:
        torch.set_num_threads(1)
        ours.encode_passages(texts)

    seconds = best_of({"peer": run_peer, "ours": run_ours}, ROUNDS)
    for name, value in seconds.items():
        print(f"passages  {name:5} {TEXTS / value:7.1f} texts/s")
    print(f"passages  {seconds['peer'] / seconds['ours']:.2f} times as fast, largest difference {difference:.1e}")


def start(folder: str) -> None:
    """Time a new process up to its first query vector."""

    def begin(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code, folder], check=True, capture_output=True)

    seconds = best_of({name: begin(code) for name, code in START.items()}, 2)
    for name, value in seconds.items():
        print(f"first query of a new process  {name:22} {value:5.2f} s")
    print(f"first query of a new process  {seconds['sentence-transformers'] / seconds['RankScope']:.2f} times as fast")


def main() -> None:
    """Print speeds and ratios."""
    folder = str(minilm.package_folder(minilm.PACKAGE, minilm.REQUIREMENT) / "model")
    passages(folder)
    start(folder)


if __name__ == "__main__":
    main()
