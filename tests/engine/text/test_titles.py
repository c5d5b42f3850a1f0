from engine.text.measuring import Lengths
from engine.text.sections import Block, read_sections
from engine.text.titles import titled


def count(texts):
    return [len(text.split()) for text in texts]


def titles_and_bodies(blocks: list[Block], limit: int) -> list[tuple[str, str]]:
    return [(title, section.body) for section, title in titled(read_sections(blocks), limit, Lengths(count))]


GUIDE = [
    Block("The long guide", 1, 1),
    Block("Fusion", 2, 2),
    Block("Ranks.", page=2),
    Block("Dense", 2),
    Block("Vectors."),
]


def test_a_title_is_the_path_of_headings():
    assert titles_and_bodies(GUIDE, 5) == [
        ("The long guide › Fusion", "Ranks."),
        ("The long guide › Dense", "Vectors."),
    ]


def test_an_outer_heading_without_room_stands_alone_once():
    # "The long guide › Fusion" has 5 words with the sign between; only "Fusion" fits into 4
    assert titles_and_bodies(GUIDE, 4) == [("", "The long guide"), ("Fusion", "Ranks."), ("Dense", "Vectors.")]


def test_headings_that_stand_alone_keep_their_place_and_pages():
    section, _ = next(titled(read_sections(GUIDE), 0, Lengths(count)))
    assert section.body == "The long guide\nFusion"
    assert section.pages == ((0, 1), (15, 2))
    assert [heading.label for heading in section.path] == ["The long guide", "Fusion"]


def test_a_heading_in_its_body_is_not_put_there_twice():
    blocks = [Block("Article 5. The contract ends.")]
    assert titles_and_bodies(blocks, 2) == [("Article 5", "Article 5. The contract ends.")]
    assert titles_and_bodies(blocks, 0) == [("", "Article 5. The contract ends.")]
