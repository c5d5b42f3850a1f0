from collections.abc import Callable
from pathlib import Path

import pytest

from engine.corpus.options import ImportOptions
from engine.corpus.reading import Reading, read_source
from engine.corpus.sources import SourceFile

Write = Callable[[str, bytes | str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Put a file, with folders above it where they are missing, below a temporary folder."""

    def put(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


@pytest.fixture
def read(write: Write) -> Callable[..., Reading]:
    """Read a file of this name and content, under these options."""

    def reading(name: str, content: bytes | str, **options: object) -> Reading:
        return read_source(write(name, content), ImportOptions.model_validate(options))

    return reading


@pytest.fixture
def source(write: Write) -> Callable[..., SourceFile]:
    """A file of this name and content, as readers get it."""

    def made(name: str, content: bytes | str, head_only: bool = False, **options: object) -> SourceFile:
        path = write(name, content)
        return SourceFile(path, path.name, ImportOptions.model_validate(options), head_only)

    return made
