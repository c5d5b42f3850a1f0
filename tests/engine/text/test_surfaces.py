import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.surfaces import SURFACE


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("Reset the Router.", ["Reset", "the", "Router"]),
        ("l'hôpital d’Angers", ["l'hôpital", "d’Angers"]),
        ("l' hôpital", ["l'", "hôpital"]),
        ("I21.9. HBQK389-02, 12/2019/QH14;", ["I21.9", "HBQK389-02", "12/2019/QH14"]),
        ("9,9 x--y a_b ...z", ["9", "9", "x", "y", "a_b", "z"]),
        ("be\u0323\u0302nh vie\u0323\u0302n", ["be\u0323\u0302nh", "vie\u0323\u0302n"]),
        ("ho\u00adpital", ["ho\u00adpital"]),
        ("手机iPhone ภาษาไทย", ["手机", "iPhone", "ภาษาไทย"]),
        ("हिन्दी 한국어 русский ελληνικά", ["हिन्दी", "한국어", "русский", "ελληνικά"]),
        ("🙂 ??? !", []),
        ("", []),
    ],
)
def test_surfaces_of(text, surfaces):
    assert SURFACE.findall(text) == surfaces


@pytest.mark.parametrize(
    ("text", "label"),
    [("hepatitis A", " A"), ("hepatitis A.", " A"), ("groupe O, rhésus", " O"), ("protéine C-réactive", None)],
)
def test_a_capital_letter_after_a_word_is_a_label(text, label):
    assert next((surface for surface in SURFACE.findall(text) if surface[0] == " "), None) == label


@pytest.mark.parametrize(
    "text", ["A group", "end. A group", "INFECT. A CHLAMYDIA", "HEPATITE A", "dans L' eau", "is A.B"]
)
def test_a_capital_letter_elsewhere_is_not(text):
    assert not any(surface[0] == " " for surface in SURFACE.findall(text))


@given(st.text())
def test_every_letter_and_digit_of_the_basic_plane_is_in_a_surface(text):
    uncovered = SURFACE.sub("", text)
    assert not any(
        unicodedata.category(character)[0] in "LN"
        for character in uncovered
        if character < "\U00010000" and character != "ʼ"
    )
