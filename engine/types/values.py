"""The base of values that come from outside, and the names of the arrays and callbacks that travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Mask = NDArray[np.bool_]
Scalar = str | int | float | bool | None
Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total). It may raise to cancel the work."""


def no_progress(stage: str, done: int, total: int) -> None:
    """The progress callback of callers that do not watch."""


class Value(BaseModel):
    """A frozen value that refuses unknown fields; the base of everything that comes from outside."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _as_metadata(value: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    return MappingProxyType(dict(value))


Metadata = Annotated[Mapping[str, Scalar], AfterValidator(_as_metadata), PlainSerializer(dict, return_type=dict)]
