from engine.text.sections import Block, read_sections


def told(blocks: list[Block]) -> list[tuple[list[str], str]]:
    return [([heading.text for heading in section.titles], section.body) for section in read_sections(blocks)]


def test_headings_by_level():
    blocks = [
        Block("Guide", 1),
        Block("Before.\n\nAll."),
        Block("Fusion", 2),
        Block("Ranks add up."),
        Block("Dense", 2),
        Block("Vectors."),
    ]
    assert told(blocks) == [
        (["Guide"], "Before.\nAll."),
        (["Guide", "Fusion"], "Ranks add up."),
        (["Guide", "Dense"], "Vectors."),
    ]
    assert [heading.division for heading in read_sections(blocks)[1].path] == ["part", "chapter"]


def test_divisions_of_a_law_in_plain_lines():
    first = "Chương I\nQUY ĐỊNH CHUNG\nĐiều 1. Phạm vi\nLuật này.\nĐiều 2. Áp dụng\nMọi người."
    assert told([Block(first), Block("Chương II\nĐiều 3. Việc làm\nHết.")]) == [
        (["Chương I QUY ĐỊNH CHUNG", "Điều 1. Phạm vi"], "Luật này."),
        (["Chương I QUY ĐỊNH CHUNG", "Điều 2. Áp dụng"], "Mọi người."),
        (["Chương II", "Điều 3. Việc làm"], "Hết."),
    ]


def test_a_heading_with_nothing_below_is_a_body():
    blocks = [Block("Empty", 1), Block("Full", 1), Block("Text."), Block("Last", 2)]
    assert told(blocks) == [([], "Empty"), (["Full"], "Text."), (["Full"], "Last")]
    assert read_sections(blocks)[0].path[0].label == "Empty"


def test_a_division_whose_line_is_its_text():
    (section,) = read_sections([Block("Article 5. The contract ends.\nAt once.")])
    assert section.body == "Article 5. The contract ends.\nAt once."
    assert [heading.text for heading in section.titles] == ["Article 5"]


def test_headings_inside_divisions_and_back():
    blocks = [Block("Law", 1), Block("Điều 1. Một\nText."), Block("Annex", 1), Block("More.")]
    assert told(blocks) == [(["Law", "Điều 1. Một"], "Text."), (["Annex"], "More.")]


def test_pages():
    (section,) = read_sections([Block("one", page=1), Block("two\nthree", page=2)])
    assert section.body == "one\ntwo\nthree"
    assert [section.page_at(position) for position in (0, 3, 4, 12)] == [1, 1, 2, 2]
    assert read_sections([Block("one")])[0].page_at(2) is None


def test_nothing():
    assert read_sections([]) == ()
    assert read_sections([Block("  \n "), Block("\n")]) == ()
