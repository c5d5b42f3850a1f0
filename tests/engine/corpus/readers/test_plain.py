from engine.corpus.readers.plain import open_plain
from engine.text.chunking import Block


def test_paragraphs_stand_between_empty_lines(source):
    document = open_plain(source("a.txt", "\n\nOne\ntwo.\n \t\nThree.\r\n\r\nFour.\n\n\n"))
    assert list(document.blocks) == [Block("One\ntwo."), Block("Three."), Block("Four.")]


def test_form_feeds_count_pages(source):
    document = open_plain(source("a.txt", "One.\n\nTwo.\fThree."))
    assert list(document.blocks) == [Block("One.", None, 1), Block("Two.", None, 1), Block("Three.", None, 2)]


def test_markup_is_text(source):
    text = "From $5 to $9, use *star* and <b>tag</b>"
    assert list(open_plain(source("a.txt", text)).blocks) == [Block(text)]


def test_an_old_encoding_is_guessed_and_said(source):
    document = open_plain(source("a.txt", "L'été à Noël, déjà.".encode("cp1252")))
    assert [block.text for block in document.blocks] == ["L'été à Noël, déjà."]
    assert [problem.kind for problem in document.problems] == ["guess"]
