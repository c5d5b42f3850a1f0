"""Measures every real collection beside the project, by the command line, with its language's analyser and encoder.

`python -m tests.bench.collections [NAME …]` builds what is not built yet (vectors come from the embedding cache) in
the workspace that RANKSCOPE_BENCH names, and prints one table.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATASETS = ROOT.parent / "shared" / "datasets"
LANGUAGE = {
    "adi": "en",
    "cranfield": "en",
    "med": "en",
    "cisi": "en",
    "scifact": "en",
    "xquad_en": "en",
    "icd10cm_en": "en",
    "spf_fr": "fr",
    "piaf_fr": "fr",
    "cim10_fr": "fr",
    "xquad_es": "es",
    "squad_es": "es",
    "xquad_vi": "vi",
    "alqac2022_vi": "vi",
}
MEASURES = ("nDCG@10", "R@10", "R@100", "RR@10")
CHANNELS = ("bm25", "dense", "fused")
HOME = os.environ.get("RANKSCOPE_BENCH") or str(Path(tempfile.gettempdir()) / "rankscope-bench")


def main(names: list[str]) -> None:
    environment = {**os.environ, "RANKSCOPE_HOME": HOME, "HF_HUB_OFFLINE": "1"}
    print(f"| collection | channel | {' | '.join(MEASURES)} | judged@10 | queries |")
    print(f"|---|---|{'---|' * (len(MEASURES) + 2)}")
    for name in names or LANGUAGE:
        if not (DATASETS / name).is_dir():
            print(f"| {name} | not beside the project |")
            continue
        build(name, environment)
        for channel in CHANNELS:
            print(row(name, channel, environment), flush=True)


def build(name: str, environment: dict[str, str]) -> None:
    known = [one["name"] for one in call(["collections"], environment)["collections"]]
    if name not in known:
        source = ["index", name, "--from", str(DATASETS / name), "--language", LANGUAGE[name], "--format", "beir"]
        call(source, environment)


def row(name: str, channel: str, environment: dict[str, str]) -> str:
    folder = DATASETS / name
    report = call(
        [
            *("evaluate", name, "--channel", channel, "--measures", " ".join(MEASURES), "--depth", "100", "--k", "60"),
            *("--queries", str(folder / "queries.jsonl"), "--qrels", str(folder / "qrels" / "test.tsv")),
        ],
        environment,
    )
    values = " | ".join(f"{report['measures'][measure]:.4f}" for measure in MEASURES)
    return f"| {name} | {channel} | {values} | {report['judged']['nDCG@10']:.2f} | {report['queries']} |"


def call(arguments: list[str], environment: dict[str, str]) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-m", "engine", *arguments, "--json"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
