"""Bytes to text: the encoding of a file, given, marked, checked or guessed, and the bytes that are no text in it."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import Literal, TextIO

from engine.corpus.report import Problem
from engine.corpus.sources import HEAD_BYTES, SourceFile, binary_kind, refusing
from engine.corpus.western import ENCODING, is_western
from engine.errors import BadInput

How = Literal["given", "byte mark", "valid", "only ASCII so far", "guessed"]

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = "id,text\n"
_BLOCK = 1 << 18
_SAMPLE = 1 << 15
# Undecodable bytes arrive as these lone surrogates (PEP 383), so that one bad row costs no other.
_ESCAPED = re.compile("[\udc80-\udcff]")
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f\x7f]")
# What Western European and Vietnamese Windows programs write: preferred where several encodings fit as well.
_PREFERRED = (ENCODING, "cp1258")


@dataclass(frozen=True, slots=True)
class Decoding:
    """An encoding and how it is known."""

    encoding: str
    how: How

    @property
    def settings(self) -> dict[str, str]:
        """The encoding under its name, unless what was read of the file says nothing of it."""
        return {} if self.how == "only ASCII so far" else {"encoding": self.encoding}

    def problems(self, source: SourceFile) -> tuple[Problem, ...]:
        """What the report says of it: nothing unless it was guessed."""
        if self.how != "guessed":
            return ()
        text = f"not UTF-8; read as {self.encoding}, a guess from its bytes. Check the accents, or choose an encoding."
        return (Problem(where=source.name, kind="guess", text=text),)


def find_decoding(source: SourceFile) -> Decoding:
    """The encoding of a text file. `BadInput` for an unknown name, and for a file that is not text.

    In this order: the one in the options, a byte mark, UTF-8 where all bytes are valid (or nearly all: single faulty
    bytes do not make it another encoding), the guess of charset-normalizer.
    """
    if source.options.encoding is not None:
        return Decoding(_known(source.options.encoding), "given")
    with refusing(source, "text"), source.open_bytes() as stream:
        head = stream.read(_BLOCK)
    if kind := binary_kind(head):
        raise BadInput(f"{source.name} is {kind} by its content, not text.", "Give it the ending of its format.")
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if marked:
        return Decoding(marked, "byte mark")
    if wide := _wide(head):
        return wide
    _refuse_binary(head[:_SAMPLE], source)
    return _checked(source)


def open_text(source: SourceFile, encoding: str, newline: str) -> TextIO:
    """The file as text, undecodable bytes as lone surrogates, without byte mark; `newline` as for `open`."""
    name = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
    return io.TextIOWrapper(source.open_bytes(), encoding=name, errors="surrogateescape", newline=newline)


def read_text(source: SourceFile, encoding: str) -> tuple[str, tuple[Problem, ...]]:
    """A whole text file (its head for a preview), every line ended by a line feed.

    `BadInput` for bytes that are no text in the encoding, unless the options allow replacement characters.
    """
    with refusing(source, f"{encoding} text"), open_text(source, encoding, "") as stream:
        text = stream.read(HEAD_BYTES if source.head_only else -1)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    fault = undecodable(text)
    if fault is None:
        return text, ()
    if source.options.errors == "strict":
        raise BadInput(
            f"{source.name}: {fault} in {encoding}.", "Choose its encoding, or allow replacement characters."
        )
    return replaced(text), (Problem(where=source.name, kind="undecodable", text=f"{fault}; marked with U+FFFD"),)


def undecodable(text: str) -> str | None:
    """The first undecodable byte of a text from `open_text`, in words; None where there is none."""
    found = _ESCAPED.search(text)
    return None if found is None else f"byte 0x{ord(found[0]) - 0xDC00:02X} is no text"


def replaced(text: str) -> str:
    """The text with U+FFFD in the place of every undecodable byte."""
    return _ESCAPED.sub("\ufffd", text)


def _known(encoding: str) -> str:
    """The encoding, if it is one of text in which undecodable bytes can be told; `idna`, for one, is not."""
    try:
        _PROBE.encode(encoding).decode(encoding, "surrogateescape")
        return encoding
    except (LookupError, ValueError):
        raise BadInput(
            f"Unknown encoding {encoding!r}: it is none of text.", "Use utf-8, cp1252, cp1258, utf-16, …"
        ) from None


def _wide(head: bytes) -> Decoding | None:
    """UTF-16 without a byte mark: text of Latin letters has a NUL in every other place."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    places = max(len(head) // 2, 1)
    if min(even, odd) > places // 20 or max(even, odd) < places // 2 or places < 4:
        return None
    return Decoding("utf-16-le" if odd > even else "utf-16-be", "guessed")


def _checked(source: SourceFile) -> Decoding:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    only_ascii, read = True, 0
    with refusing(source, "text"), source.open_bytes() as stream:
        last = b""
        while block := stream.read(_BLOCK):
            only_ascii = only_ascii and block.isascii()
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                return _guess(block + stream.readline(_BLOCK))
            read, last = read + len(block), block
            if source.head_only and read >= HEAD_BYTES:
                return Decoding("utf-8", "only ASCII so far" if only_ascii else "valid")
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _guess(last)
    return Decoding("utf-8", "valid")


def _guess(data: bytes) -> Decoding:
    """The most plausible encoding of bytes that are not all valid UTF-8."""
    from charset_normalizer import from_bytes

    text = data.decode("utf-8", "surrogateescape")
    faulty = len(_ESCAPED.findall(text))
    if sum(1 for character in text if character > "\x7f") - faulty > 3 * faulty:
        return Decoding("utf-8", "valid")
    telling = b"\n".join(line for line in data.splitlines() if not line.isascii())[:_SAMPLE]
    if is_western(telling):
        return Decoding(ENCODING, "guessed")
    matches = list(from_bytes(telling))
    if not matches:
        return Decoding(ENCODING, "guessed")
    best = matches[0]
    close = [match for match in matches if match.chaos <= best.chaos + 0.05 and match.coherence >= best.coherence - 0.1]
    fitting = {name for match in close for name in match.could_be_from_charset}
    return Decoding(next((name for name in _PREFERRED if name in fitting), best.encoding), "guessed")


def _refuse_binary(sample: bytes, source: SourceFile) -> None:
    controls = len(_CONTROL.findall(sample))
    if controls > 8 and controls > len(sample) / 20:
        raise BadInput(
            f"{source.name} is not text: {controls:,} of its first {len(sample):,} bytes are control codes.",
            "Check that it is the right file, or choose its encoding.",
        )
