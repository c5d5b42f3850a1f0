import pytest

from engine.text.languages import LANGUAGES, respell_vietnamese


@pytest.mark.parametrize(
    ("spellings", "one"),
    [
        (("hoà", "hòa"), "hòa"),
        (("khoẻ", "khỏe"), "khỏe"),
        (("thuý", "thúy"), "thúy"),
        (("quý", "qúy", "quí"), "quý"),
        (("qui", "quy"), "quy"),
        (("kĩ", "kỹ"), "kỹ"),
        (("lí", "lý"), "lý"),
        (("sĩ", "sỹ"), "sĩ"),
        (("ðường", "đường"), "đường"),
    ],
)
def test_spellings_of_a_vietnamese_syllable_come_together(spellings, one):
    assert {respell_vietnamese(spelling) for spelling in spellings} == {one}


@pytest.mark.parametrize(
    "syllable", ["hoàn", "quả", "quyền", "tay", "tai", "huy", "hui", "y", "thi", "ma", "sai", "bị"]
)
def test_other_syllables_keep_their_spelling(syllable):
    assert respell_vietnamese(syllable) == syllable


def test_every_stemmer_exists():
    import Stemmer

    assert {rules.stemmer for rules in LANGUAGES.values() if rules.stemmer} <= set(Stemmer.algorithms())


def test_unaccented_spellings_of_french_and_spanish_grammar_words_count():
    assert {"à", "a", "où", "ou", "très", "tres"} <= LANGUAGES["fr"].stop_words
    assert {"él", "el", "más", "mas"} <= LANGUAGES["es"].stop_words
