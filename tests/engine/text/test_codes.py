import pytest

from engine.text.codes import is_code, is_initials, one_spelling, pieces


@pytest.mark.parametrize("text", ["I21.9", "HBQK389-02", "A00.0", "12/2019/QH14", "B-12", "9.9", "12/03/2020", "a_1"])
def test_codes(text):
    assert is_code(text)


@pytest.mark.parametrize("text", ["I21", "post-opératoire", "U.S.A", "9,9", "word", "", "e.g", "2019"])
def test_other_texts_are_no_codes(text):
    assert not is_code(text)


def test_pieces_lie_between_joiners():
    text = "cf 12/2019/QH14"
    assert [text[start:end] for start, end in pieces(text, 3, len(text))] == ["12", "2019", "QH14"]
    assert pieces("I21", 0, 3) == ((0, 3),)


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011", "\u2013", "\u2212"])
def test_hyphens_that_print_alike_are_one(hyphen):
    assert is_code(f"HBQK389{hyphen}02")
    assert one_spelling(f"HBQK389{hyphen}02") == "HBQK389-02"


def test_the_fraction_slash_is_a_slash():
    assert one_spelling("1\u20442") == "1/2"


@pytest.mark.parametrize(("text", "expected"), [("U.S", True), ("U.S.A", True), ("A", False), ("a.bc", False)])
def test_initials(text, expected):
    assert is_initials(text) is expected
