"""JSON text to values, with its numbers exactly as written and its faults in words."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.corpus.cells import Cell, ExactFloat


class NotJson(ValueError):
    """A text that is no JSON that can be used; the message says why and where."""


class Repeating(dict[str, Any]):
    """An object in which a field came twice; as in JSON everywhere, the last one holds."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = Repeating(found)
    repeating.repeated = tuple(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return repeating


def repeated_fields(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that came more than once in a parsed object, or in an object that one of its fields holds."""
    inner = [part for part in (record, *record.values()) if isinstance(part, Repeating)]
    return tuple(name for part in inner for name in part.repeated)


_DECODER = json.JSONDecoder(parse_float=ExactFloat, object_pairs_hook=_object)


def parse(text: str) -> Cell:
    """The value of a JSON text. `NotJson` for a fault, a number of over 4,300 digits, and nesting without end."""
    with _in_words():
        value: Cell = _DECODER.decode(text)
    return value


def parse_at(text: str, start: int) -> tuple[Cell, int]:
    """The JSON value that begins at `start`, and where it ends. `NotJson` as in `parse`."""
    with _in_words():
        value, end = _DECODER.raw_decode(text, start)
    return value, end


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except json.JSONDecodeError as error:
        raise NotJson(_place(error)) from error
    except RecursionError:
        raise NotJson("nested too deeply") from None
    except ValueError:  # Python reads no whole number of more digits, lest it take for ever
        raise NotJson(
            f"a whole number of more than {sys.get_int_max_str_digits():,} digits; write it as text"
        ) from None


def _place(error: json.JSONDecodeError) -> str:
    line = f"line {error.lineno}, " if error.lineno > 1 else ""
    return f"{error.msg} ({line}character {error.colno})"
