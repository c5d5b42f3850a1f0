import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.normalise import Normalised, case_folded, clean, fold


def test_clean_counts_what_cannot_be_stored():
    cleaned = clean("a\0b\ud800c\0")
    assert (cleaned.text, cleaned.removed) == ("abc", 3)


def test_clean_leaves_a_good_text_alone():
    assert clean("Điều 5 🙂\n") == clean("Điều 5 🙂\n")
    assert clean("Điều 5 🙂\n").text == "Điều 5 🙂\n"
    assert clean("").removed == 0


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Lésions", "lesions"),
        ("Đường", "duong"),
        ("Œdème", "oedeme"),
        ("CŒUR", "coeur"),
        ("niño", "nino"),
        ("Straße", "strasse"),
        ("Ærø", "aero"),
        ("ﬁèvre", "fievre"),
        ("Ｉ２１", "i21"),
        ("ho\u00adpital", "hopital"),
        ("l’été", "l’ete"),
        ("Ёлка", "елка"),
        ("한국어", "한국어"),
        ("が", "が"),
        ("ภาษาไทย", "ภาษาไทย"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_fold_takes_accents_and_no_other_marks(text, folded):
    assert fold(text) == folded


def test_the_three_spellings_of_a_vietnamese_letter_become_one():
    spellings = ["bệnh", "be\u0323\u0302nh", "be\u0302\u0323nh"]
    assert [len(spelling) for spelling in spellings] == [4, 6, 6]
    assert {case_folded(spelling) for spelling in spellings} == {"bệnh"}
    assert {fold(spelling) for spelling in spellings} == {"benh"}


def test_case_folding_keeps_accents():
    assert case_folded("ÉCOLE Straße ﬁn") == "école strasse fin"


def test_positions_lead_back_to_the_original():
    # b, e + dot below + circumflex (3 code points), n, h: "ệ" at 1 was made from original 1..4
    normalised = Normalised.of("be\u0323\u0302nh")
    assert normalised.text == "bệnh"
    assert normalised.original_span(1, 2) == (1, 4)
    assert normalised.original_span(2, 4) == (4, 6)
    # one character that stands for two leads back to itself, whichever half is asked for
    assert Normalised.of("ﬁn").original_span(0, 1) == (0, 1)
    assert Normalised.of("ﬁn").original_span(1, 2) == (0, 1)
    assert Normalised.of("ﬁn").original_span(2, 3) == (1, 2)


def test_an_empty_stretch_has_an_empty_span():
    assert Normalised.of("ab").original_span(1, 1) == (1, 1)
    assert Normalised.of("ab").original_span(2, 2) == (2, 2)
    assert Normalised.of("").original_span(0, 0) == (0, 0)


@given(st.text())
def test_fold_is_stable(text):
    assert fold(fold(text)) == fold(text)


LETTERS = "aeéo\u0301\u0323\u0302\u0308ﬁ½ệ한\u1112\u1161\u11ab が\u3099ｶﾞ🙂'’.-9"


@given(st.text(alphabet=LETTERS))
def test_normalised_agrees_with_unicodedata_on_the_whole_text(text):
    assert Normalised.of(text).text == unicodedata.normalize("NFKC", text)


@given(st.text())
def test_positions_never_step_back_nor_leave_the_text(text):
    normalised = Normalised.of(text)
    assert len(normalised.text) == len(normalised.starts) == len(normalised.ends)
    assert list(normalised.starts) == sorted(normalised.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(normalised.starts, normalised.ends, strict=True))
