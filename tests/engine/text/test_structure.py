import pytest

from engine.text.structure import Marker, read_marker, read_paragraph_number


@pytest.mark.parametrize(
    ("line", "division", "label"),
    [
        ("Phần thứ nhất", "part", "Phần thứ nhất"),
        ("PHẦN I: QUY ĐỊNH CHUNG", "part", "PHẦN I"),
        ("Part II. Retrieval", "part", "Part II"),
        ("Partie 2 – Obligations", "part", "Partie 2"),
        ("Livre III : Des contrats", "part", "Livre III"),
        ("Título preliminar", "part", "Título preliminar"),
        ("Chương III", "chapter", "Chương III"),
        ("Chapter 4: Leave", "chapter", "Chapter 4"),
        ("CHAPITRE Ier", "chapter", "CHAPITRE Ier"),
        ("Capítulo IV. De la prueba", "chapter", "Capítulo IV"),
        ("Mục 2", "section", "Mục 2"),
        ("Section 1 - Scope", "section", "Section 1"),
        ("Sección 1.ª De las partes", "section", "Sección 1"),
        ("Điều 37. Trợ cấp thôi việc", "article", "Điều 37"),
        ("Article L1234-5", "article", "Article L1234-5"),
        ("Article R. 4127-1 : Secret", "article", "Article R. 4127-1"),
        ("Artículo 14 bis. Plazo", "article", "Artículo 14 bis"),
        ("Art. 5. – Durée", "article", "Art 5"),
        ("Chương II VIỆC LÀM", "chapter", "Chương II"),
    ],
)
def test_headings_of_four_languages(line, division, label):
    marker = read_marker(line)
    assert marker is not None
    assert (marker.division, marker.label, marker.heading) == (division, label, line)


@pytest.mark.parametrize(
    "line",
    [
        "Article 5 of the Convention applies.",
        "Điều 4 của Luật này không áp dụng.",
        "Part of the text",
        "Parte civil: la víctima",
        "Section",
        "Chapter I ........ 5",
        "Partial 5.",
        "",
    ],
)
def test_other_lines_open_nothing(line):
    assert read_marker(line) is None


def test_a_heading_needs_no_punctuation_after_its_number():
    assert read_marker("Chapter 3 Methods") is None
    assert read_marker("Chapter 3 Methods", is_heading=True) == Marker("chapter", "Chapter 3", "Chapter 3 Methods")


def test_a_division_that_goes_on_as_text_keeps_its_line_in_the_body():
    assert read_marker("Article 5. The contract ends.") == Marker("article", "Article 5", None)
    assert read_marker("Article 5. " + "long " * 60) == Marker("article", "Article 5", None)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("2. Người", "2"),
        ("2) Text", "2"),
        ("(12) Text", "12"),
        ("Khoản 3 Điều này", "3"),
        ("II. – Texte", "II"),
        ("2.5 mg", None),
        ("2020 was", None),
        ("a) điểm", None),
        ("", None),
    ],
)
def test_paragraph_numbers(line, number):
    assert read_paragraph_number(line) == number
