"""Where the cuts fall, and what is repeated."""

from engine.corpus.documents import count_words
from engine.corpus.options import ImportOptions
from engine.text.chunking import ChunkingOptions
from pages.components.cuts import as_html, cuts_of, repeated


def test_the_longest_shared_end_is_what_is_repeated():
    assert repeated("one two three", "two three four") == len("two three")
    assert repeated("one", "two") == 0
    assert repeated("", "two") == 0


def test_a_document_is_cut_within_the_limit(tmp_path):
    path = tmp_path / "guide.md"
    path.write_text("# Trains\n\n" + " ".join(f"Train {number} leaves 3 < 4 & 5." for number in range(30)), "utf-8")
    options = ImportOptions(language="en", chunking=ChunkingOptions(max_tokens=20, overlap_tokens=4))
    cuts = cuts_of(path, options, count_words)
    assert cuts.document == "guide.md"
    assert len(cuts.shown) > 3
    assert all(cut.tokens <= 20 and cut.title == "Trains" for cut in cuts.shown)
    assert cuts.shown[1].repeated > 0
    shown = as_html(cuts, 20)
    assert "3 &lt; 4 &amp; 5" in shown


def test_a_table_has_no_cuts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,x\n", "utf-8")
    assert cuts_of(path, ImportOptions(), count_words) is None
