import pytest

from engine.corpus.western import is_western


@pytest.mark.parametrize(
    "text",
    [
        "1;café",
        "L'été à Noël, déjà.",
        "Ñandú",
        "ÉTÉ À ÉVRY",
        "¿Qué pasó? ¡El niño comió 3º y 5 m²!",
        "Straße, Übung für Fußgänger",
        "« l’œuvre » – 5 €… naïve façade",
        "é",
    ],
)
def test_words_of_western_europe_are_told(text):
    assert is_western(text.encode("cp1252"))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("1;Привет мир", "cp1251"),
        ("1;Zażółć gęślą jaźń", "cp1250"),
        ("1;Zażółć gęślą jaźń", "iso8859_2"),
        ("Čeština příliš", "cp1250"),
        ("Türkçe ığüşöç", "cp1254"),
        ("Ελληνικά κείμενο", "cp1253"),
        ("שלום עולם", "cp1255"),
        ("Ha\u0300 Nô\u0323i la\u0300 thu\u0309 đô", "cp1258"),
        ("hoa hô\u0300ng", "cp1258"),
        ("L'été à Noël", "mac_roman"),
        ("l'été", "cp850"),
        ("日本語のテキスト", "shift_jis"),
        ("中文文本检索", "gb18030"),
        ("한국어 텍스트", "euc_kr"),
        ("café", "utf-8"),
    ],
)
def test_words_of_other_encodings_are_not(text, encoding):
    assert not is_western(text.encode(encoding))
