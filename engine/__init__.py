"""RankScope's engine: rank, fuse, explain and measure, with the same numbers on screen, command line and notebook."""

import os

# Two OpenMP runtimes (torch's and FAISS's) share the process: thread counts and tokeniser parallelism
# are fixed here, before either is imported, so that no search spawns one thread per core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("KMP_DUPLICATE_LIB_OK", "TRUE")

# Nothing is downloaded unasked: a model is on this machine, or its absence is said.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
