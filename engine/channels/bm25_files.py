"""A BM25 index on disk: one `.npy` file per array and a small header, read by memory map. Nothing is ever unpickled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from engine.channels.bm25_postings import Form, Postings, Space
from engine.channels.bm25_vocabulary import Vocabulary
from engine.channels.origin import Origin
from engine.errors import StaleIndex

FORMAT = 2
HEADER = "bm25.json"

_DTYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "lengths": ("int32",),
        "offsets": ("int64",),
        "rows": ("uint32",),
        "codes": ("uint16", "uint32"),
        "code_frequencies": ("int32",),
        "code_lengths": ("int32",),
        "exact_text": ("uint8",),
        "exact_ends": ("int64",),
        "exact_lists": ("int32",),
        "folded_text": ("uint8",),
        "folded_ends": ("int64",),
        "folded_lists": ("int32",),
    }
)
_OWN_SPACE = ("folded_text", "folded_ends", "folded_lists")


def write_postings(postings: Postings, folder: Path) -> None:
    """Write the arrays and the header into `folder`, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = _arrays(postings)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    header = {
        "format": FORMAT,
        "analysers": dict(postings.analysers),
        "origin": None if postings.origin is None else postings.origin.model_dump(),
        "shapes": {name: len(values) for name, values in arrays.items()},
    }
    (folder / HEADER).write_text(json.dumps(header, indent=1, sort_keys=True), encoding="utf-8")


def read_postings(folder: Path) -> Postings:
    """The postings saved in `folder`; `StaleIndex` where a file is missing, of another format or another shape."""
    header = _header(folder)
    arrays = {name: _array(folder, name, length) for name, length in header["shapes"].items()}
    _check(folder, arrays)
    exact = _space(arrays, "exact")
    folded = _space(arrays, "folded") if "folded_lists" in arrays else exact
    return Postings(
        lengths=arrays["lengths"],
        offsets=arrays["offsets"],
        rows=arrays["rows"],
        codes=arrays["codes"],
        code_frequencies=arrays["code_frequencies"],
        code_lengths=arrays["code_lengths"],
        spaces=MappingProxyType({"exact": exact, "folded": folded}),
        analysers=MappingProxyType(dict(header["analysers"])),
        origin=_origin(folder, header.get("origin")),
    )


def _arrays(postings: Postings) -> dict[str, NDArray[Any]]:
    names = ("lengths", "offsets", "rows", "codes", "code_frequencies", "code_lengths")
    arrays: dict[str, NDArray[Any]] = {name: getattr(postings, name) for name in names}
    own = postings.spaces["folded"] is not postings.spaces["exact"]
    forms: tuple[Form, ...] = ("exact", "folded") if own else ("exact",)
    for form in forms:
        space = postings.spaces[form]
        arrays[f"{form}_text"] = space.vocabulary.text
        arrays[f"{form}_ends"] = space.vocabulary.ends
        arrays[f"{form}_lists"] = space.lists
    return arrays


def _space(arrays: Mapping[str, NDArray[Any]], form: Form) -> Space:
    return Space(Vocabulary(arrays[f"{form}_text"], arrays[f"{form}_ends"]), arrays[f"{form}_lists"])


def _header(folder: Path) -> dict[str, Any]:
    try:
        header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _stale(folder, f"{HEADER} cannot be read ({error})") from error
    found = header.get("format") if isinstance(header, dict) else None
    if found != FORMAT:
        raise _stale(folder, f"{HEADER} has the format {found!r}, this version reads {FORMAT}")
    shapes = header.get("shapes")
    needed = [name for name in _DTYPES if name not in _OWN_SPACE]
    if not isinstance(shapes, dict) or set(shapes) not in (set(needed), set(_DTYPES)):
        raise _stale(folder, f"{HEADER} does not name the arrays {', '.join(needed)}")
    if not isinstance(header.get("analysers"), dict):
        raise _stale(folder, f"{HEADER} does not name the analysers")
    return dict(header)


def _origin(folder: Path, found: object) -> Origin | None:
    try:
        return None if found is None else Origin.model_validate(found)
    except ValidationError as error:
        raise _stale(folder, f"{HEADER} does not name the texts that it was made from") from error


def _array(folder: Path, name: str, length: int) -> NDArray[Any]:
    try:
        values = np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError) as error:
        raise _stale(folder, f"{name}.npy cannot be read ({error})") from error
    if values.dtype.name not in _DTYPES[name] or values.shape != (length,):
        raise _stale(folder, f"{name}.npy is {values.dtype.name} of shape {values.shape}, not of length {length}")
    return values


def _check(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays that do not belong together: a number out of its range would be read from foreign memory."""
    pairs = [("rows", "codes"), ("code_frequencies", "code_lengths"), ("exact_ends", "exact_lists")]
    if "folded_lists" in arrays:
        pairs.append(("folded_ends", "folded_lists"))
    for one, other in pairs:
        if len(arrays[one]) != len(arrays[other]):
            raise _stale(folder, f"{one} has {len(arrays[one])} values, {other} {len(arrays[other])}")
    _check_steps(folder, "offsets", arrays["offsets"][1:], len(arrays["rows"]))
    if len(arrays["offsets"]) == 0 or arrays["offsets"][0] != 0:
        raise _stale(folder, "the offsets do not start at 0")
    for name in ("exact", "folded"):
        if f"{name}_lists" in arrays:
            _check_steps(folder, f"{name}_ends", arrays[f"{name}_ends"], len(arrays[f"{name}_text"]))
            _check_bound(folder, f"{name}_lists", arrays[f"{name}_lists"], len(arrays["offsets"]) - 1)
    for name, counted in (("rows", "lengths"), ("codes", "code_lengths")):
        _check_bound(folder, name, arrays[name], len(arrays[counted]))


def _check_steps(folder: Path, name: str, ends: NDArray[Any], length: int) -> None:
    if int(ends[-1] if len(ends) else 0) != length or (np.diff(ends, prepend=0) < 0).any():
        raise _stale(folder, f"{name} does not rise from 0 to {length}")


def _check_bound(folder: Path, name: str, values: NDArray[Any], bound: int) -> None:
    if len(values) and not (int(values.min()) >= 0 and int(values.max()) < bound):
        raise _stale(folder, f"{name} holds numbers outside 0 to {bound - 1}")


def _stale(folder: Path, reason: str) -> StaleIndex:
    return StaleIndex(f"The BM25 index in {folder.name} cannot be used: {reason}.", "Build the collection again.")
