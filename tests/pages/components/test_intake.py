"""How a source was read, in one line."""

from engine.corpus.options import ImportOptions
from engine.corpus.previewing import preview
from pages.components.intake import guess_line


def test_the_guesses_of_a_table_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id\ttext\n1\tcafé\n", "utf-8")
    line = guess_line(preview(path, ImportOptions()))
    assert line.endswith("the first 1 rows · encoding utf-8 · separated by tab · 2 columns")


def test_a_document_has_blocks_and_no_columns(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nText\n", "utf-8")
    line = guess_line(preview(path, ImportOptions()))
    assert "the first 2 blocks" in line
    assert "columns" not in line
