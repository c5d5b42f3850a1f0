"""Field case 54: text from data is shown character for character, and only what was found is marked."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from engine.text.highlight import Span
from engine.types import Chunk, ChunkLocation
from pages.components.results import (
    SNIPPET,
    Standing,
    badge,
    card,
    chunk_facts,
    facts,
    heading,
    marked,
    snippet,
    spans_of,
    where,
)

PRICES = "From $5 to $9, use *star* and <b>tag</b>"
EVIL = '<img src=x onerror=alert(1)>" onmouseover="alert(1)'


class Reader(HTMLParser):
    """Collects the tags and the text of some HTML."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.found, self._inside = [], "", [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._inside = tag == "mark"

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        self.text += data
        if self._inside:
            self.found.append(data)


def test_only_the_word_is_marked_and_the_text_is_untouched():
    chunk = Chunk(id="1", text=PRICES, language="en")
    read = Reader(marked(PRICES, spans_of(chunk, "star")))
    assert read.text == PRICES
    assert read.found == ["star"]
    assert read.tags == ["mark"]


@given(text=st.text(max_size=80), cuts=st.lists(st.integers(0, 80), max_size=6, unique=True).map(sorted))
def test_marking_changes_no_character(text, cuts):
    spans = [Span(a, b, EVIL, "exact") for a, b in zip(cuts[::2], cuts[1::2], strict=False) if b <= len(text)]
    clean = text.replace("\r", "").replace("\x00", "")
    read = Reader(marked(clean, [span for span in spans if span.end <= len(clean)]))
    assert read.text == clean
    assert set(read.tags) <= {"mark"}


def test_a_card_holds_no_markup_from_data():
    chunk = Chunk(id=EVIL, title=EVIL, text=EVIL, location=ChunkLocation(document_id=EVIL), metadata={EVIL: EVIL})
    place = Standing("bm25", EVIL, 0, 1, 2.0, 0.1)
    html = card(chunk, marked(chunk.text, ()), [place], None, chosen=False) + facts(chunk_facts(chunk))
    read = Reader(html)
    assert not {"img", "script", "b onmouseover"} & set(read.tags)
    assert read.text.count(EVIL) >= 6


def test_a_snippet_keeps_its_highlight_and_says_where_it_cuts():
    text = "word " * 400 + "needle " + "word " * 400
    at = text.index("needle")
    read = Reader(snippet(text, [Span(at, at + 6, "needle", "exact")]))
    assert read.found == ["needle"]
    assert read.text.startswith("… word")
    assert read.text.endswith(" …")
    assert len(read.text) < SNIPPET + 10


def test_a_short_text_is_whole():
    assert Reader(snippet("short & sweet", ())).text == "short & sweet"


def test_headings_fall_back_from_title_to_text_to_id():
    assert heading(Chunk(id="1", title="T", text="x")) == "T"
    assert heading(Chunk(id="1", text="a\n  b")) == "a b"
    assert heading(Chunk(id="1")) == "1"
    assert heading(Chunk(id="1", text="x" * 300)) == "x" * 89 + "…"


def test_a_place_reads_from_the_whole_to_the_part():
    chunk = Chunk(id="c9", location=ChunkLocation(document_id="law", part="I", article="4", page=7))
    assert where(chunk) == "law › I › 4 › page 7 › c9"


def test_facts_leave_out_what_is_empty():
    assert facts([("a", ""), ("b", "1")]).count("<tr>") == 1
    assert facts([("a", "")]) == ""


def test_a_badge_says_what_took_the_chunk_out_of_its_list():
    place = Standing("bm25", "BM25", 0, None, None, None, removed="below the minimum score 3.5")
    assert Reader(badge(place)).text == "BM25 below the minimum score 3.5"
    assert Reader(badge(Standing("bm25", "BM25", 0, None, None, None))).text == "BM25 not retrieved"
