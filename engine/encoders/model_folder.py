"""A sentence-transformers model on this machine: where its files lie, and which revision they are."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ValidationError

from engine.errors import BadInput, Unavailable

_READ = ("*.json", "*.txt", "*.model", "*.safetensors")
_DIGESTS_KEPT = 64
_COMMIT = re.compile(r"[0-9a-f]{40}")
_E5 = re.compile(r"(?<![a-z0-9])e5-(small|base|large)\b(?!.*instruct)")


class _Settings(BaseModel):
    """What matters here of a model's own `config_sentence_transformers.json`."""

    prompts: dict[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model's folder, its revision (commit or digest of its files) and what goes before queries and passages."""

    name: str
    path: Path
    revision: str
    query_prefix: str
    passage_prefix: str


def find_model(name: str) -> ModelFolder:
    """The model of that name: a folder, or a Hugging Face name whose files are already on this machine.

    Nothing is downloaded: `Unavailable` where the model is not here. `BadInput` where its weights are a pickle.
    """
    path = Path(name).expanduser()
    if not path.is_dir():
        path = _cached(name)
    if not (path / "modules.json").is_file() and not (path / "config.json").is_file():
        raise BadInput(
            f"The folder {name!r} holds no model: no modules.json, no config.json.", "Name a model's folder."
        )
    if any(not any(pickled.parent.glob("*.safetensors")) for pickled in path.rglob("pytorch_model*.bin")):
        raise BadInput(f"The weights of {name!r} are pickled (.bin).", "Use a model with .safetensors weights.")
    query_prefix, passage_prefix = _prefixes(name, path)
    return ModelFolder(name, path, _revision(path), query_prefix, passage_prefix)


def _cached(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    try:
        return Path(snapshot_download(repository, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError):
        raise Unavailable(
            f"The encoder {name!r} is not on this machine.",
            # The folder keeps the model's name, by which E5 models are known.
            f"Run `hf download {repository} --local-dir {repository.split('/')[-1]}` where there is a network and name "
            "that folder, "
            "or use one of minilm, e5-small, hash, precomputed.",
        ) from None


def _revision(path: Path) -> str:
    if _COMMIT.fullmatch(path.name):
        return path.name
    files = sorted(file for pattern in _READ for file in path.rglob(pattern))
    return _digest(path, tuple((file, (found := file.stat()).st_mtime_ns, found.st_size) for file in files))


@lru_cache(maxsize=_DIGESTS_KEPT)
def _digest(path: Path, files: tuple[tuple[Path, int, int], ...]) -> str:
    """The digest of files, read again where one has another time of change (ns) or size (bytes)."""
    digest = hashlib.sha256()
    for file, _, _ in files:
        digest.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _prefixes(name: str, path: Path) -> tuple[str, str]:
    """What the model declares for queries and passages; E5 models declare nothing and need theirs."""
    declared = _declared(path / "config_sentence_transformers.json")
    query = declared.get("query") or ""
    passage = next((text for key in ("document", "passage", "corpus") if (text := declared.get(key))), "")
    if not query and not passage and _E5.search(name.lower()):
        return "query: ", "passage: "
    return query, passage


def _declared(settings: Path) -> dict[str, str | None]:
    if not settings.is_file():
        return {}
    try:
        return _Settings.model_validate_json(settings.read_bytes()).prompts or {}
    except ValidationError as error:
        raise BadInput(f"The model's file {settings.name} cannot be read.", "Download the model again.") from error
