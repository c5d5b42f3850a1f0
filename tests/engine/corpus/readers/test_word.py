import zipfile

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from engine.corpus.readers.word import open_word
from engine.corpus.sources import SourceFile
from engine.errors import BadInput


@pytest.fixture
def saved(tmp_path):
    def made(fill):
        document = Document()
        fill(document)
        document.save(tmp_path / "a.docx")
        return SourceFile(tmp_path / "a.docx", "a.docx")

    return made


def blocks(source):
    return [(block.level, block.text) for block in open_word(source).blocks]


def test_headings_paragraphs_and_tables_come_in_their_order(saved):
    def fill(document):
        document.add_heading("The title", 0)
        document.add_heading("Partie un", 1)
        document.add_paragraph(" Un paragraphe. ")
        document.add_paragraph("  ")
        table = document.add_table(2, 3)
        for place, text in enumerate(["a", "b", "c"]):
            table.cell(0, place).text = text
        table.cell(1, 0).merge(table.cell(1, 1)).text = "wide"
        table.cell(1, 2).text = "d"
        document.add_heading("Section", 3)
        document.add_paragraph("Fin.")

    assert blocks(saved(fill)) == [
        (1, "The title"),
        (1, "Partie un"),
        (None, "Un paragraphe."),
        (None, "a | b | c\nwide | d"),
        (3, "Section"),
        (None, "Fin."),
    ]


def test_a_style_of_ones_own_is_a_heading_by_its_base_or_its_outline_level(saved):
    def fill(document):
        own = document.styles.add_style("Mine", 1)
        own.base_style = document.styles["Heading 2"]
        document.add_paragraph("By base", style="Mine")
        outlined = document.styles.add_style("Titre 9", 1)
        outlined.element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="3"/>'))
        document.add_paragraph("By level", style="Titre 9")
        plain = document.add_paragraph("Not any more", style="Heading 1")
        plain._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="9"/>'))

    assert blocks(saved(fill)) == [(2, "By base"), (4, "By level"), (None, "Not any more")]


def test_styles_that_are_based_on_each_other_end(saved):
    def fill(document):
        one, two = document.styles.add_style("One", 1), document.styles.add_style("Two", 1)
        one.base_style, two.base_style = two, one
        document.add_paragraph("x", style="One")

    assert blocks(saved(fill)) == [(None, "x")]


def test_the_language_is_that_of_the_properties(saved):
    def fill(document):
        document.core_properties.language = "fr-FR"
        document.add_paragraph("x")

    assert open_word(saved(fill)).language == "fr-FR"


def test_links_are_text(saved):
    def fill(document):
        paragraph = document.add_paragraph("see ")
        link = parse_xml(f"<w:hyperlink {nsdecls('w')}><w:r><w:t>the page</w:t></w:r></w:hyperlink>")
        paragraph._p.append(link)

    assert blocks(saved(fill)) == [(None, "see the page")]


def test_a_broken_file_is_refused(saved, write):
    for name, content in (("b.docx", b"hello"), ("c.docx", b"PK\x03\x04"), ("d.docx", b"\xd0\xcf\x11\xe0old")):
        with pytest.raises(BadInput, match=f"{name} cannot be read as an Office file"):
            open_word(SourceFile(write(name, content), name))
    path = write("e.docx", b"")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "not a document")
    with pytest.raises(BadInput, match=r"e.docx cannot be read as a Word document"):
        open_word(SourceFile(path, "e.docx"))
    source = saved(lambda document: document.add_paragraph("x"))
    with zipfile.ZipFile(source.path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["word/document.xml"] = files["word/document.xml"].replace(b"<w:body>", b"<w:body")
    with zipfile.ZipFile(source.path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    with pytest.raises(BadInput, match=r"a.docx cannot be read as a Word document"):
        open_word(source)
