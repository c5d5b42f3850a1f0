import logging

import pytest
from pypdf import PdfWriter

from engine.corpus.readers.portable import open_pdf
from engine.corpus.reading import read_source
from engine.corpus.report import Problem
from engine.errors import BadInput
from engine.text.chunking import Block


def pdf(*pages: str) -> bytes:
    """A PDF with these lines of text on its pages, written by hand."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        moves = "".join(f"({line}) Tj 0 -20 Td " for line in text.split("\n") if line)
        stream = f"BT /F1 12 Tf 72 700 Td {moves}ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def test_each_page_gives_its_text_and_its_number(source):
    document = open_pdf(source("a.pdf", pdf("First page.", "Second page.\nSecond line.")))
    assert list(document.blocks) == [Block("First page.", None, 1), Block("Second page.\nSecond line.", None, 2)]


def test_a_page_without_text_is_a_problem_and_stops_no_other(source):
    found = list(open_pdf(source("a.pdf", pdf("", "Text."))).blocks)
    assert found == [
        Problem(
            where="a.pdf, page 1", kind="no text", text="the page has no text; a scan needs text recognition first"
        ),
        Block("Text.", None, 2),
    ]


def test_a_scan_without_any_text_is_refused_with_the_reason(write):
    with pytest.raises(BadInput, match=r"Nothing in a.pdf could be read. a.pdf, page 1: the page has no text; a scan"):
        read_source(write("a.pdf", pdf("", "")))


def test_pages_reach_the_chunks(write):
    corpus = read_source(write("a.pdf", pdf("The first page says one thing.", "The second says another."))).corpus
    assert [chunk.location.page for chunk in corpus][:1] == [1]
    assert corpus.ids[0] == "a#0001"


def test_a_password_is_named(source, tmp_path):
    writer = PdfWriter(clone_from=source("plain.pdf", pdf("Text.")).path)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(BadInput, match=r"locked.pdf is protected by a password"):
        open_pdf(source("locked.pdf", (tmp_path / "locked.pdf").read_bytes()))


def test_an_empty_password_opens(source, tmp_path):
    writer = PdfWriter(clone_from=source("plain.pdf", pdf("Text.")).path)
    writer.encrypt("", "owner", algorithm="RC4-128")
    writer.write(tmp_path / "open.pdf")
    assert list(open_pdf(source("open.pdf", (tmp_path / "open.pdf").read_bytes())).blocks) == [Block("Text.", None, 1)]


@pytest.mark.parametrize(
    "content", [b"%PDF-1.4 garbage", b"hello", pdf("x")[:200], b"%PDF-1.4\n" + bytes(range(256)) * 20]
)
def test_a_broken_file_is_refused(source, content):
    with pytest.raises(BadInput, match=r"a.pdf (cannot be read as a PDF|is )"):
        list(open_pdf(source("a.pdf", content)).blocks)


def test_pages_in_a_circle_end(source):
    content = pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(BadInput, match=r"a.pdf cannot be read as a PDF"):
        list(open_pdf(source("a.pdf", content)).blocks)


def test_pypdf_writes_nothing_of_its_own(source, caplog):
    logging.getLogger("pypdf").setLevel(logging.NOTSET)
    with pytest.raises(BadInput, match="cannot be read as a PDF"):
        list(open_pdf(source("a.pdf", bytes(range(1, 256)) * 8)).blocks)
    assert caplog.records == []
