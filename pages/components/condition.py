"""Whether a build still fits this RankScope and its source, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from engine.channels.bm25_files import read_postings
from engine.channels.dense_index import DenseManifest
from engine.encoders.registry import load_encoder
from engine.errors import RankScopeError
from engine.store.manifest import NO_ENCODER, BuildOptions, Manifest, read_manifest
from engine.text.analysers import ANALYSERS


@dataclass(frozen=True, slots=True)
class Condition:
    """A collection as the list shows it. `manifest` is None where it cannot be read; `reasons` say what is amiss."""

    name: str
    manifest: Manifest | None
    reasons: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """`up to date`, `stale` or `damaged`."""
        if self.manifest is None:
            return "damaged"
        return "stale" if self.reasons else "up to date"

    @property
    def order(self) -> tuple[bool, int, str]:
        """By which it is listed: the damaged last, so that none of them is the one opened first; then place, name."""
        return self.manifest is None, (self.manifest.options if self.manifest else BuildOptions()).place, self.name

    @property
    def title(self) -> str:
        """The title for readers: the given one, else the name."""
        return (self.manifest.options.title if self.manifest else "") or self.name


def condition_of(name: str, folder: Path) -> Condition:
    """How the build in that folder stands."""
    try:
        manifest = read_manifest(folder)
    except RankScopeError as error:
        return Condition(name, None, (str(error),))
    except OSError as error:
        return Condition(name, None, (f"Its files cannot be read: {error.strerror}.",))
    return Condition(name, manifest, (*_reasons(manifest), *_index_reasons(manifest, folder)))


def _reasons(manifest: Manifest) -> Iterator[str]:
    for name, fingerprint in manifest.analysers.items():
        analyser = ANALYSERS.get(name)
        if analyser is None or analyser.fingerprint != fingerprint:
            label = name if analyser is None else analyser.label
            yield f"The {label} analyser has changed since."
    if manifest.encoder_fingerprint:
        yield from _encoder_reasons(manifest)


def _index_reasons(manifest: Manifest, folder: Path) -> Iterator[str]:
    """What says that this RankScope cannot read the indexes, by their records; the vectors themselves are not read."""
    try:
        read_postings(folder / "bm25")
    except RankScopeError:
        yield "Its index of words is of another form than this RankScope reads."
    if manifest.encoder != NO_ENCODER:
        try:
            DenseManifest.model_validate_json((folder / "dense" / "dense.json").read_bytes())
        except (OSError, ValueError):
            yield "Its index of vectors is of another form than this RankScope reads."


def _encoder_reasons(manifest: Manifest) -> Iterator[str]:
    try:
        fingerprint = load_encoder(manifest.encoder).fingerprint
    except RankScopeError as error:
        yield f"Its encoder is not there: {error.message}"
        return
    if fingerprint != manifest.encoder_fingerprint:
        yield f"The encoder {manifest.encoder!r} has changed since."


def source_changed(manifest: Manifest) -> bool:
    """Whether the file that was read has been changed since the build. A source that is gone, or a folder, is not."""
    source = Path(manifest.source)
    try:
        return source.is_file() and source.stat().st_mtime > datetime.fromisoformat(manifest.created).timestamp()
    except (OSError, ValueError):
        return False
