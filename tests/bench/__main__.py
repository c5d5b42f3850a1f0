"""`make bench`: every benchmark, one after the other, each in a process of its own."""

import subprocess
import sys

BENCHMARKS = ("bm25", "embedding", "dense_search", "fusion", "fusion_peers", "sensitivity", "collections", "repaint")

for name in BENCHMARKS:
    print(f"\n## {name}\n", flush=True)
    subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], check=True)
