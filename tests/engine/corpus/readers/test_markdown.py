import pytest

from engine.corpus.readers.markdown import open_markdown
from engine.text.chunking import Block


def blocks(source, text):
    return [(block.level, block.text) for block in open_markdown(source("a.md", text)).blocks]


def test_headings_keep_their_level_and_text_loses_its_markup(source):
    text = (
        "# One *two*\n\nSome **bold** `code` [link](http://x) ![picture](x.png)\nsame line  \nnext line\n\nSub\n---\n"
    )
    assert blocks(source, text) == [
        (1, "One two"),
        (None, "Some bold code link picture same line\nnext line"),
        (2, "Sub"),
    ]


def test_items_keep_their_numbers(source):
    text = "3. third\n4. fourth\n\n   more of it\n\n- dash\n  - inner\n"
    assert [text for _, text in blocks(source, text)] == ["3. third", "4. fourth", "more of it", "- dash", "- inner"]


def test_a_table_is_one_block_of_its_rows(source):
    assert blocks(source, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | |\n") == [(None, "a | b\n1 | 2\n3 | ")]


def test_code_keeps_its_lines(source):
    assert blocks(source, "```python\nx  = 1\n\ny\n```\n\n    indented\n") == [
        (None, "x  = 1\n\ny"),
        (None, "indented"),
    ]


def test_html_inside_is_text_without_scripts(source):
    assert blocks(source, "<div>shown <script>hidden()</script></div>\n\nx <b>y</b><br>z\n") == [
        (None, "shown"),
        (None, "x y\nz"),
    ]


def test_front_matter_gives_title_and_language_and_is_noted(source):
    document = open_markdown(source("a.md", '---\ntitle: "My guide"\nlang: fr\ntags: [x]\n---\n# Head\n'))
    assert (document.title, document.language) == ("My guide", "fr")
    assert list(document.blocks) == [Block("Head", 1)]
    assert [problem.kind for problem in document.problems] == ["changed value"]


def test_a_rule_is_no_front_matter(source):
    document = open_markdown(source("a.md", "Text.\n\n---\n\nMore.\n"))
    assert [block.text for block in document.blocks] == ["Text.", "More."]
    assert document.problems == ()


@pytest.mark.parametrize(
    "text", ["[" * 50_000, "> " * 20_000 + "x", "*a " * 20_000, "- " * 5_000, "<div>" * 20_000, "`" * 50_001]
)
def test_hostile_markup_ends(source, text):
    blocks(source, text)
