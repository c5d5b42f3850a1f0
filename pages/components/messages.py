"""What the reader is told: faults with their hint, notes, and what to do where there is nothing to show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape

import streamlit as st

from engine.errors import RankScopeError, Unavailable


def plain(text: str) -> str:
    """Text from data for a label, which Streamlit reads as Markdown: shown character for character."""
    marked = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
    return re.sub(r"(:\\/\\/|www|\\@)", "\\1\N{WORD JOINER}", marked)


def fault(error: RankScopeError) -> None:
    """The message of a fault and, below it, the next step."""
    hint = f"<p>{escape(error.hint)}</p>" if error.hint else ""
    st.html(f'<div class="rs-fault" role="alert"><p><b>{escape(error.message)}</b></p>{hint}</div>')


def from_system(error: OSError) -> RankScopeError:
    """What the system refused (a full disk, a folder that may not be written), as a fault that can be told."""
    where = f" ({error.filename})" if error.filename else ""
    reason = error.strerror or "the file system refused"
    return Unavailable(f"This could not be done: {reason}{where}.", "Look at the disk and at who may write there.")


def remarks(texts: Sequence[str]) -> None:
    """Quiet remarks, one a line; nothing where there are none."""
    if texts:
        lines = "".join(f"<p>{escape(text)}</p>" for text in texts)
        st.html(f'<div class="rs-remarks" role="status">{lines}</div>')


def nothing(title: str, text: str) -> None:
    """The calm form of an empty screen: what is missing and what to do."""
    st.html(f'<div class="rs-nothing"><h2>{escape(title)}</h2><p>{escape(text)}</p></div>')


def offers(title: str, texts: Sequence[str], *, key: str, on_click: Callable[[str], None]) -> None:
    """A row of buttons, each offering one text, under a title where there is one."""
    if title:
        st.caption(plain(title))
    with st.container(horizontal=True, gap="xsmall", key=key):
        for row, text in enumerate(texts):
            st.button(plain(text), key=f"{key}.{row}.{text}", on_click=on_click, args=(text,))


@contextmanager
def guarded() -> Iterator[None]:
    """Turns a fault that a user can act on into its message, and ends the run there; a defect stays loud."""
    try:
        yield
    except RankScopeError as error:
        fault(error)
        st.stop()
