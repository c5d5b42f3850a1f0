import pytest

from engine.text.detect import DETECTED, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The contract may be terminated by either party.", "en"),
        ("Le contrat peut être résilié par chacune des parties.", "fr"),
        ("El contrato puede ser rescindido por cualquiera de las partes.", "es"),
        ("Hợp đồng lao động có thể bị chấm dứt bởi một trong các bên.", "vi"),
        ("quyen cua nguoi lao dong khi nghi viec", "vi"),
    ],
)
def test_each_language_is_told(text, language):
    assert detect_language(text) == language
    assert language in DETECTED


@pytest.mark.parametrize("text", ["", "I21.9", "Choléra", "A00.0 12/2019/QH14 250 mg", "???", "🙂" * 40])
def test_too_little_text_has_no_language(text):
    assert detect_language(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Der Mietvertrag kann mit einer Frist von drei Monaten gekündigt werden.",
        "O contrato de trabalho pode ser rescindido por justa causa.",
        "Трудовой договор может быть расторгнут.",
        "劳动合同可以由当事人解除，当事人应当提前三十日通知。",
    ],
)
def test_other_languages_are_not_forced_into_one_of_ours(text):
    assert detect_language(text) is None


def test_capitals_and_decomposed_accents_change_nothing():
    assert detect_language("LE CONTRAT PEUT ÊTRE RÉSILIÉ PAR CHACUNE DES PARTIES") == "fr"
    assert detect_language("Le contrat peut e\u0302tre re\u0301silie\u0301 par chacune des parties.") == "fr"
