"""A value that is made when it is first asked for, once, whichever thread asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Calling it gives the value of `make`, made by the first call; later calls wait for that one and share it.

    Where `make` raises, nothing is kept and the next call tries again.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: T | None = None
        self._turn = threading.Lock()

    def __call__(self) -> T:
        """The value."""
        with self._turn:
            if self._made is None:
                self._made = self._make()
            return self._made
