"""Where the cuts fall, and what is repeated."""

from engine.corpus.documents import count_words
from engine.corpus.options import ImportOptions
from engine.corpus.reading import read_source
from engine.text.chunking import ChunkingOptions
from pages.components.cuts import BLOCKS, as_html, cuts_of


def test_a_document_is_cut_within_the_limit(tmp_path):
    path = tmp_path / "guide.md"
    path.write_text("# Trains\n\n" + " ".join(f"Train {number} leaves 3 < 4 & 5." for number in range(30)), "utf-8")
    options = ImportOptions(language="en", chunking=ChunkingOptions(max_tokens=20, overlap_tokens=4))
    cuts = cuts_of(path, options, count_words)
    assert cuts.document == "guide.md"
    assert len(cuts.shown) > 3
    assert all(cut.tokens <= 20 and cut.title == "Trains" for cut in cuts.shown)
    again = cuts.shown[1].text[: cuts.shown[1].repeated]
    assert again
    assert cuts.shown[0].text.endswith(again)
    shown = as_html(cuts, 20)
    assert "3 &lt; 4 &amp; 5" in shown


def test_a_table_has_no_cuts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,x\n", "utf-8")
    assert cuts_of(path, ImportOptions(), count_words) is None


def test_the_preview_cuts_as_the_build_does(tmp_path):
    """A page with a title and no heading, of a language that only it declares."""
    path = tmp_path / "page.html"
    body = "".join(f"<p>{number} {number + 1}.</p>" for number in range(12))
    path.write_text(f'<html lang="fr"><head><title>Horaires</title></head><body>{body}</body></html>', "utf-8")
    options = ImportOptions(chunking=ChunkingOptions(max_tokens=8, overlap_tokens=2))
    built = read_source(path, options, count_words).corpus
    cuts = cuts_of(path, options, count_words)
    assert [(cut.title, cut.text) for cut in cuts.shown] == [(chunk.title, chunk.text) for chunk in built]
    assert cuts.shown[0].title == "Horaires"
    assert not cuts.more


def test_a_longer_document_says_that_there_is_more(tmp_path):
    path = tmp_path / "long.md"
    path.write_text("\n\n".join(f"word{number}" for number in range(BLOCKS + 1)), "utf-8")
    assert cuts_of(path, ImportOptions(), count_words).more
