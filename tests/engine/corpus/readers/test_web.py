import pytest

from engine.corpus.readers.web import MOST_NESTED, html_blocks, open_html
from engine.errors import BadInput


def blocks(html):
    return [(block.level, block.text) for block in html_blocks(html)]


def test_headings_have_levels_and_white_space_is_joined():
    html = "<h1>Été\n <i>indien</i></h1><p>Un  <b>deux</b>\ntrois<br>quatre</p>cinq<h3>Six</h3>"
    assert blocks(html) == [(1, "Été indien"), (None, "Un deux trois\nquatre"), (None, "cinq"), (3, "Six")]


def test_what_a_browser_hides_is_left_out():
    html = "<head><title>T</title></head><style>p{}</style><script>x()</script><!-- c --><template>t</template><p>shown"
    assert blocks(html) == [(None, "shown")]


def test_items_are_marked_and_numbered_per_list():
    html = "<ul><li><p>a</p><p>more</p><li>b</ul><ol><li>x<ol><li>inner</ol><li>y</ol>"
    assert [text for _, text in blocks(html)] == ["- a", "more", "- b", "1. x", "1. inner", "2. y"]


def test_a_table_row_is_a_line_whatever_its_cells_hold():
    html = "<table><tr><th>A<th>B</tr><tr><td><p>1</p><p>one</p></td><td><ul><li>2</ul></td></tr></table>"
    assert [text for _, text in blocks(html)] == ["A | B", "1 one | 2"]


def test_preformatted_text_keeps_its_spaces():
    assert blocks("<p>a</p><pre><code> x\n   y</code></pre>") == [(None, "a"), (None, " x\n   y")]


def test_entities_are_characters_and_no_markup():
    assert blocks("<p>From $5 to $9, use *star* and &lt;b&gt;tag&lt;/b&gt;</p>") == [
        (None, "From $5 to $9, use *star* and <b>tag</b>")
    ]


def test_a_page_says_title_and_language(source):
    document = open_html(source("a.html", '<html lang="fr"><title> My\n page </title><body><p>x'))
    assert (document.title, document.language) == ("My page", "fr")


@pytest.mark.parametrize(
    ("html", "encoding"),
    [
        ('<meta charset="iso-8859-1"><p>café', "latin-1"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>café', "cp1252"),
        ("<meta charset=koi8-r><p>кафе", "koi8-r"),
        ("<meta charset=unheard-of><p>café déjà vu, été", "cp1252"),
        ("<meta charset=latin-1><p>café", "utf-8"),
        ("<p>café", "utf-16"),
    ],
)
def test_the_encoding_is_checked_before_it_is_believed(source, html, encoding):
    document = open_html(source("a.html", html.encode(encoding)))
    assert next(document.blocks).text == html.rpartition(">")[2]


def test_nesting_without_end_is_refused(source):
    with pytest.raises(BadInput, match=r"a.html nests more than 2,000 elements"):
        open_html(source("a.html", "<div>" * 100_000))
    assert blocks("<div>" * (MOST_NESTED + 1) + "x") == []
    assert blocks("<div>" * (MOST_NESTED - 10) + "x") == [(None, "x")]


def test_elements_that_close_by_themselves_are_no_nesting():
    html = "<p>x" * 5_000 + "<ul>" + "<li>y" * 5_000
    assert len(blocks(html)) == 10_000


def test_an_empty_page_has_no_blocks():
    assert blocks("") == blocks("<html><body> \n </body></html>") == []
