import pytest

from engine.corpus.fields import BM25_FIELDS, DENSE_FIELDS, SUMMARY_FIELDS, is_blank, searched_text
from engine.types import Chunk

CHUNK = Chunk(id="a", title="Cholera", text="An infection.", number="A00", entities=("vibrio", "gut"), summary="Short")


def test_each_channel_reads_its_fields_one_a_line_in_their_order():
    assert searched_text(CHUNK, BM25_FIELDS) == "Cholera\nAn infection.\nA00\nvibrio, gut"
    assert searched_text(CHUNK, DENSE_FIELDS) == "Cholera\nAn infection."
    assert searched_text(CHUNK, SUMMARY_FIELDS) == "Short"


def test_empty_fields_leave_no_empty_line():
    assert searched_text(Chunk(id="a", text="x"), BM25_FIELDS) == "x"
    assert searched_text(Chunk(id="a"), BM25_FIELDS) == ""


@pytest.mark.parametrize("text", ["", "   ", "!!!", "—…", "\u200b", "😀", "\n\t"])
def test_a_text_without_letter_and_digit_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "é", "7", "!x!", "Ж", "漢", "ệ", "²"])
def test_one_letter_or_digit_is_enough(text):
    assert not is_blank(text)
