"""Marks, ties, lengths and the finding of chunks."""

import pytest

from engine.corpus.corpus import Corpus
from engine.corpus.report import ImportReport, LongChunk
from engine.types import Chunk, Filter
from pages.components.chunk_rows import export_rows, table_rows
from pages.components.inventory import Wanted, take_stock
from pages.components.lengths import term_counts


def chunk(chunk_id, text, document=None, **fields):
    return Chunk(id=chunk_id, text=text, language="en", location={"document_id": document}, **fields)


CORPUS = Corpus(
    [
        chunk("a", "Red kite", "d1", title="Birds", references=("c", "N7", "gone")),
        chunk("b", "Red kite", "d2"),
        chunk("c", "red-kité!", "d1"),
        chunk("d", "of the", "d1", number="N7"),
        chunk("e", "?!", None, domain="signs"),
        chunk("f", "Night trains leave at ten", "d2"),
    ]
)
REPORT = ImportReport(
    source="x",
    format="csv",
    max_tokens=4,
    overflow="windowed",
    long_chunks=(LongChunk(chunk_id="f", tokens=9, lost=0),),
)


@pytest.fixture(scope="module")
def stock():
    return take_stock(CORPUS, term_counts(CORPUS, None), REPORT)


def test_lengths_count_the_terms_of_title_text_and_number(stock):
    # a: bird red kite; b, c: red kite; d: its number; e: blank; f: night train leav ten ("at" is a stop word).
    assert stock.terms == (3, 2, 2, 1, 0, 4)


def test_marks_tell_twins_long_and_blank_chunks(stock):
    assert stock.marks == (
        ("same text", "near-identical"),
        ("same text", "near-identical"),
        ("near-identical",),
        (),
        ("blank",),
        ("windowed",),
    )
    assert stock.twins("a") == ("b", "c")
    assert stock.counts == {"same text": 2, "near-identical": 3, "windowed": 1, "blank": 1}


def test_a_chunk_of_stop_words_only_has_no_terms():
    corpus = Corpus([chunk("x", "of the")])
    assert take_stock(corpus, term_counts(corpus, None), REPORT).marks == (("no terms",),)


def test_lengths_are_those_of_the_fields_that_were_indexed():
    # "Birds" and "Red kite": three terms in all, two in the text alone, none but blank in the summary.
    corpus = Corpus([chunk("a", "Red kite", title="Birds")])
    counts = [list(term_counts(corpus, None, fields)) for fields in (("title", "text"), ("text",), ("summary",))]
    assert counts == [[3], [2], [-1]]


def test_every_word_must_occur_whatever_its_case_and_accents(stock):
    assert stock.rows(Wanted(find="KITÉ red")) == [0, 1, 2]
    assert stock.rows(Wanted(find="kite bird")) == [0]
    assert stock.rows(Wanted(find="n7")) == [3]
    assert stock.rows(Wanted(find="d2")) == [1, 5]


def test_marks_filters_and_order_work_together(stock):
    mask = CORPUS.mask((Filter(field="document_id", values=("d1",)),))
    assert stock.rows(Wanted(marks=("same text", "near-identical")), mask) == [0, 2]
    assert stock.rows(Wanted(order="longest")) == [5, 0, 1, 2, 3, 4]
    assert stock.rows(Wanted(order="shortest"))[:2] == [4, 3]
    assert stock.rows(Wanted(order="id", marks=("blank",))) == [4]


def test_neighbours_are_those_of_the_document(stock):
    assert stock.beside(CORPUS.chunk("c")) == ("a", "d")
    assert stock.beside(CORPUS.chunk("a")) == (None, "c")
    assert stock.beside(CORPUS.chunk("f")) == ("b", None)
    assert stock.beside(CORPUS.chunk("e")) == ("d", "f")


def test_references_name_chunks_by_id_or_number_in_both_directions(stock):
    assert (stock.named["c"], stock.named["N7"], stock.named.get("gone")) == ("c", "d", None)
    assert stock.cited_by == {"c": ("a",), "d": ("a",)}


def test_rows_leave_out_what_would_say_nothing(stock):
    rows = table_rows(CORPUS, stock, [0, 1])
    assert list(rows[0]) == ["Id", "Chunk", "Text", "Marks", "Terms", "Document"]
    assert table_rows(CORPUS, stock, [3])[0]["Number"] == "N7"


def test_a_file_holds_everything_of_a_chunk(stock):
    (row,) = export_rows(CORPUS, stock, [0])
    assert (row["chunk_id"], row["marks"], row["references"]) == ("a", "same text; near-identical", "c; N7; gone")
    assert row["text"] == "Red kite"


def test_an_empty_corpus_has_an_empty_inventory():
    stock = take_stock(Corpus([]), [], REPORT)
    assert stock.rows(Wanted(find="x")) == []
    assert stock.counts == {}
