import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.sentences import sentence_ends


def sentences(text: str, language: str | None) -> list[str]:
    ends = sentence_ends(text, language)
    return [text[start:end] for start, end in zip((0, *ends), ends, strict=False)]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("fr", ["Selon M. Dupont, l'art. 12 s'applique. ", "Cf. al. 2, p. 45. ", "Il prend 2,5 mg. ", "Fin."]),
        ("en", ["Dr. Smith left at 5 p.m. ", "He took 2.5 mg. ", "See Fig. 3."]),
        ("es", ["El Sr. Pérez llegó. ", "Véase el art. 5 de la Ley. ", "¿Qué pasó? ", "¡Nada!"]),
        ("vi", ["Trụ sở ở TP. Hồ Chí Minh. ", "TS. Lê Văn Bình ký."]),
        (None, ["劳动合同可以解除。", "当事人应当提前三十日通知。"]),
    ],
)
def test_sentences_of(language, expected):
    assert sentences("".join(expected), language) == expected


def test_an_item_of_a_list_keeps_its_number():
    items = ["Người lao động có quyền sau đây\n", "1. Làm việc;\n", "a) ở nhà. ", "Hoặc không;\n", "(2) Nghỉ."]
    assert sentences("".join(items), "vi") == items


def test_a_line_end_alone_ends_no_sentence():
    assert sentences("A line that was\nbroken. Next.", "en") == ["A line that was\nbroken. ", "Next."]


def test_nothing_has_no_sentence():
    assert sentence_ends("", "en") == ()
    assert sentence_ends(" \n", "en") == (2,)


@given(
    st.one_of(st.text(), st.text(alphabet="ab. \n1)é?!…。\r\u2028TP")),
    st.sampled_from([None, "en", "fr", "es", "vi", "xx"]),
)
def test_the_ends_ascend_to_the_end_of_the_text(text, language):
    ends = sentence_ends(text, language)
    assert list(ends) == sorted(set(ends))
    assert (ends[-1] if ends else 0) == len(text)
