import pytest

from engine.text.places import place
from engine.text.sections import Block, read_sections
from engine.types import ChunkLocation

LAW = "Phần thứ nhất\nChương II\nMục 1\nĐiều 5. Quyền\nMở đầu:\n1. Một.\n2. Hai.\n3. Ba."


def stretch(first: str, last: str, language: str | None = "vi", *, whole: bool = False) -> ChunkLocation:
    (section,) = read_sections([Block(LAW, page=7)])
    span = (section.body.index(first), section.body.index(last) + len(last))
    return place(section, span, "law", language, whole=whole)


def test_divisions_and_page():
    assert stretch("2. Hai.", "2. Hai.") == ChunkLocation(
        document_id="law",
        part="Phần thứ nhất",
        chapter="Chương II",
        section="Mục 1",
        article="Điều 5",
        paragraph="Khoản 2",
        page=7,
    )


@pytest.mark.parametrize(
    ("first", "last", "paragraph"),
    [
        ("Mở đầu", "Mở đầu:", None),
        ("Mở đầu", "1. Một.", "Khoản 1"),
        ("Mở đầu", "2. Hai.", "Khoản 1–2"),
        ("Một", "2. Hai.", "Khoản 1–2"),
        ("Ba", "Ba.", "Khoản 3"),
    ],
)
def test_paragraphs_held_in_part_or_in_full(first, last, paragraph):
    assert stretch(first, last).paragraph == paragraph


def test_other_languages_give_the_number_alone():
    assert stretch("2. Hai", "3. Ba.", "fr").paragraph == "2–3"
    assert stretch("2. Hai", "3. Ba.", None).paragraph == "2–3"


def test_a_whole_article_and_other_text_name_no_paragraph():
    assert stretch("Mở đầu", "3. Ba.", whole=True).paragraph is None
    (section,) = read_sections([Block("1. A list\n2. of things")])
    assert place(section, (10, 22), "list", "en", whole=False) == ChunkLocation(document_id="list")


def test_headings_by_level_fill_part_chapter_and_section():
    blocks = [Block("Guide", 1), Block("Fusion", 2), Block("Ranks", 3), Block("Ties", 4), Block("Text.")]
    (section,) = read_sections(blocks)
    location = place(section, (0, 5), "guide", "en", whole=True)
    assert (location.part, location.chapter, location.section, location.article) == ("Guide", "Fusion", "Ranks", None)
