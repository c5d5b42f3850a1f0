import pytest

from engine.encoders.readable import readable, readable_query


def test_nul_and_lone_surrogates_become_spaces_of_the_same_length():
    assert readable("a\x00b\ud800c\udfffd") == "a b c d"


def test_other_text_is_unchanged():
    assert readable("đường 😀 I21.9\n") == "đường 😀 I21.9\n"


def test_the_result_can_always_be_written_as_utf8():
    assert readable("\udc80" * 3).encode() == b"   "


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("FRACTURE DU FEMUR", "fracture du femur"),
        ("LÉSION, NCA", "lésion, nca"),
        ("HBQK389-02", "HBQK389-02"),
        ("I21.9", "I21.9"),
        ("SIADH", "SIADH"),
        ("BPCO ET IRC", "BPCO ET IRC"),
        ("Fracture du FEMUR", "Fracture du FEMUR"),
    ],
)
def test_a_query_in_capitals_is_read_in_small_letters_unless_it_is_a_code(query, read):
    assert readable_query(query) == read
