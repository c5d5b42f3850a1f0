"""The headings by which laws, codes and manuals are divided, in four languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from engine.text.normalise import case_folded

Division = Literal["part", "chapter", "section", "article"]
DIVISIONS: tuple[Division, ...] = get_args(Division)

_DIVISION_OF: dict[str, Division] = {
    **dict.fromkeys(("part", "partie", "parte", "phần", "book", "livre", "libro", "quyển"), "part"),
    **dict.fromkeys(("title", "titre", "título", "titulo"), "part"),
    **dict.fromkeys(("chapter", "chapitre", "capítulo", "capitulo", "chương"), "chapter"),
    **dict.fromkeys(("section", "sección", "seccion", "mục"), "section"),
    **dict.fromkeys(("article", "artículo", "articulo", "art", "điều"), "article"),
}
_NUMBER = (
    r"(?:[LRDA]\.?[ *]*)?\d[\w*]*(?:[.-]\d\w*)*(?:[ ](?:bis|ter|quater))?|(?-i:[IVXLCDM]+(?:er|re)?|[A-Z])"
    r"|thứ\s\w+|premi[eè]re?|première|unique|preliminar|préliminaire|[uú]nic[oa]|primer[oa]?|segund[oa]|tercer[oa]?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten"
)
_MARKER = re.compile(rf"\s*([^\W\d_]+)\.?\s+({_NUMBER})(?!\w)\s*([.:–—-]?)\s*(.*)$", re.IGNORECASE | re.DOTALL)
_LONGEST_HEADING = 200
_SENTENCE = re.compile(r"[.;,:]\s*$|[.;]\s+\S")
_LEADER = re.compile(r"\.{4}|…\s?…|(?:\. ){3}")  # the dots of a table of contents
_PARAGRAPH = re.compile(r"\s*(?:[Kk]hoản\s+(\d{1,3})\b|(\d{1,3})[.)]\s|\((\d{1,3})\)\s|([IVX]{1,5})\s?\.?\s?[–—-]\s)")


@dataclass(frozen=True, slots=True)
class Marker:
    """A line that opens a division. `label` is its word and number as written (`Điều 5`, `Chapter IV`).

    `heading` is the whole line; None where the line goes on as text of the division, which stays in its body.
    """

    division: Division
    label: str
    heading: str | None


def read_marker(line: str, is_heading: bool = False) -> Marker | None:
    """The division that a line opens; None for any other line, such as a sentence that begins with `Article 5 of`.

    A title follows the number after a full stop, a colon or a dash; in a heading or in capitals, after a space.
    """
    match = _MARKER.match(line)
    division = _DIVISION_OF.get(case_folded(match[1])) if match else None
    if match is None or division is None or _LEADER.search(line):
        return None
    title = match[4]
    if title and not (match[3] or is_heading or title.isupper()):
        return None
    label = " ".join(f"{match[1]} {match[2]}".split())
    if len(line) > _LONGEST_HEADING or _SENTENCE.search(title):
        return Marker(division, label, None)
    return Marker(division, label, " ".join(line.split()))


def read_paragraph_number(line: str) -> str | None:
    """The number of the paragraph that a line of an article opens (`2. `, `2) `, `(2) `, `Khoản 2`, `II. – `)."""
    match = _PARAGRAPH.match(line)
    return next(filter(None, match.groups())) if match else None
