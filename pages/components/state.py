"""The only user of `st.session_state` and of the query parameters: one frozen `Session`, always in the address bar.

A change goes through a callback or `change`, and so is known before the next run draws anything. The address follows
the session at the start of each run; the session follows the address when it is new, and when the reader went Back or
Forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from zlib import crc32

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.session import Session, from_params, to_params

T = TypeVar("T")
_SESSION = "session"
_NOTES = "session_notes"
_ENTERED = "entered"
_COLD = "cold_link"
_ONCE = "once_a_run"
_UNSET = object()


def current() -> Session:
    """The session as it is now."""
    return st.session_state.get(_SESSION, Session())


def change(**changes: object) -> None:
    """Replaces the session by a copy with those fields changed."""
    replace(current().changed(**changes))


def replace(session: Session) -> None:
    """Makes that session the current one."""
    st.session_state[_SESSION] = session
    st.session_state[_NOTES] = ()


def notes() -> tuple[str, ...]:
    """What the link asked for and could not get, and what was noted since; until the reader changes something."""
    return st.session_state.get(_NOTES, ())


def note(text: str) -> None:
    """Adds a note."""
    if text not in notes():
        st.session_state[_NOTES] = (*notes(), text)


def begin(pages: Sequence[str], collection: str | None) -> Session:
    """The session of this run, with the address bar brought in line. To be called once a run, by `app.py`.

    `pages` are the names of all pages, `collection` is the one that is open where the address names none.
    """
    st.session_state.pop(_ONCE, None)
    address = {name: st.query_params.get_all(name) for name in st.query_params}
    if _SESSION not in st.session_state or _went_through_history():
        st.session_state[_SESSION], st.session_state[_NOTES] = from_params(address, pages)
    if current().query and current().collection is None:
        st.session_state[_SESSION] = current().changed(collection=collection)
    wanted = to_params(current())
    if address != wanted:
        st.query_params.from_dict(wanted)
    return current()


def _went_through_history() -> bool:
    """Whether this run is due to Back or Forward; then the address is the newer one, else the session is."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def bound(name: str, value: object, step: Callable[[Session, Any], Session]) -> dict[str, Any]:
    """`key`, `on_change` and `args` for a widget that shows `value`, of the session, and changes it by `step`.

    The widget's own default must be `value` too. Where the session changed by another way than this widget, the key is
    a new one, so that the browser draws the widget anew: a value sent into a widget can be lost between two quick runs.
    """
    key = _key(name, value, lambda held: held)
    return {"key": key, "on_change": follow, "args": (key, step)}


def of_labels(name: str, labels: Iterable[str]) -> str:
    """The name of a widget that offers those labels.

    The browser tells which choice was made by its label; where the labels have changed since, Streamlit gives that text
    in place of a value. So a widget with other labels is another widget.
    """
    return f"{name}.{crc32(chr(10).join(labels).encode(errors='surrogatepass')):08x}"


def bound_rows(name: str, rows: Sequence[int]) -> str:
    """The key for a table in which those rows are selected; its `selection_default` must say so too."""
    return _key(name, list(rows), lambda held: list(held["selection"]["rows"]))


def _key(name: str, value: object, shown: Callable[[Any], object]) -> str:
    """The key under which the widget shows `value`: the last one, or the next where that shows something else.

    Streamlit forgets a widget's value when the page changes, the browser does not: then what was drawn last counts.
    """
    number = st.session_state.get(f"{name}.number", 0)
    held = st.session_state.get(f"{name}.{number}", _UNSET)
    before = st.session_state.get(f"{name}.drawn", _UNSET) if held is _UNSET else shown(held)
    if before is not _UNSET and before != value:
        number += 1
        st.session_state[f"{name}.number"] = number
    st.session_state[f"{name}.drawn"] = value
    return f"{name}.{number}"


def seed(key: str, value: object) -> str:
    """The key, with the widget of that key set to show `value`; to be called just before it is drawn.

    Only for widgets that no link sets: see `bound`, which is to be preferred.
    """
    if st.session_state.get(key, _UNSET) != value:
        st.session_state[key] = value
    return key


def seed_selection(key: str, rows: Sequence[int]) -> None:
    """Sets the selected rows of the table of that key; to be called just before it is drawn. Prefer `bound_rows`."""
    held = st.session_state.get(key)
    if held is None or list(held["selection"]["rows"]) != list(rows):
        st.session_state[key] = {"selection": {"rows": list(rows)}}


def remember(key: str, ids: Sequence[str]) -> None:
    """Notes which ids the widget of that key shows, in its order, for the callback that hears of a position."""
    st.session_state[f"{key}.ids"] = tuple(ids)


def remembered(key: str) -> tuple[str, ...]:
    """The ids noted for the widget of that key."""
    return st.session_state.get(f"{key}.ids", ())


def widget(key: str) -> Any:  # noqa: ANN401 - a widget's value has the widget's own type
    """The value of the widget or component of that key."""
    return st.session_state.get(key)


def follow(key: str, step: Callable[[Session, Any], Session]) -> None:
    """A callback: the session becomes what `step` makes of it and of the value of the widget of that key."""
    replace(step(current(), widget(key)))


@contextmanager
def one_run() -> Iterator[None]:
    """At its end, however the run ends, what `once` remembers is let go: an idle tab pins nothing in memory."""
    try:
        yield
    finally:
        st.session_state.pop(_ONCE, None)


def once(key: str, make: Callable[[], T]) -> T:
    """What `make` gives, made once a run and remembered for the rest of it; to be called within `one_run`."""
    held = st.session_state.setdefault(_ONCE, {})
    if key not in held:
        held[key] = make()
    return held[key]


def keep(key: str, value: object) -> None:
    """Remembers a frozen value of one page that is not for the address bar, across pages, until the session ends."""
    st.session_state[f"{key}.kept"] = value


def kept(key: str) -> Any:  # noqa: ANN401 - whatever the page put there
    """What was remembered under that key; None where nothing was."""
    return st.session_state.get(f"{key}.kept")


def entered() -> bool:
    """Whether `app.py` has run in this session."""
    return bool(st.session_state.get(_ENTERED))


def enter() -> tuple[str, dict[str, list[str]]] | None:
    """Notes that `app.py` runs. The page and parameters of a link that arrived before it, once."""
    st.session_state[_ENTERED] = True
    return st.session_state.pop(_COLD, None)


def keep_cold_link(page: str) -> None:
    """Remembers a link that Streamlit opened without `app.py`, for `enter` to hand out."""
    st.session_state[_COLD] = (page, {name: st.query_params.get_all(name) for name in st.query_params})
