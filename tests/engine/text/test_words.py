from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.text.languages import LANGUAGES
from engine.text.words import Piece, WordAnalysis


def kept(language: str, surface: str) -> list[tuple[str, str]]:
    return [
        (piece.exact, piece.folded)
        for piece in WordAnalysis(LANGUAGES[language]).pieces(surface)
        if piece.outcome == "kept"
    ]


def test_an_elided_article_and_its_noun():
    assert WordAnalysis(LANGUAGES["fr"]).pieces("l’hôpital") == (
        Piece(0, 2, "elision", "word", note="elided before a vowel"),
        Piece(2, 9, "kept", "word", "hôpital", "hopital"),
    )


@pytest.mark.parametrize(
    "surface", ["aujourd'hui", "aujourd’hui", "prud'homme", "presqu'île", "grand’mère", "rock'n'roll", "O’Brien"]
)
def test_apostrophes_inside_french_words_part_nothing(surface):
    pieces = WordAnalysis(LANGUAGES["fr"]).pieces(surface)
    assert [(piece.start, piece.end, piece.outcome) for piece in pieces] == [(0, len(surface), "kept")]


@pytest.mark.parametrize(
    ("surface", "words"),
    [
        ("qu'aujourd'hui", [("aujourd'hui", "aujourd'hui")]),
        ("jusqu’à", []),
        ("lorsqu'elle", []),
        ("L'ÉTÉ", [("été", "ete")]),
        ("l'", []),
        ("main-d'œuvre", [("main", "main"), ("œuvr", "oeuvr")]),
        ("d'I21.9", [("i21.9", "i21.9"), ("i21", "i21"), ("9", "9")]),
        ("chiens'", [("chien", "chien")]),
    ],
)
def test_french_elision(surface, words):
    assert kept("fr", surface) == words


def test_the_folded_form_is_stemmed_after_folding():
    # stems: "lésions" → "lésion", "lesions" → "lesion"; capitals without accents meet the accented in the folded form
    assert kept("fr", "lésions") == [("lésion", "lesion")]
    assert kept("fr", "LESIONS") == [("lesion", "lesion")]
    # "opérée" loses its ending only with its accent, which is why both forms are kept
    assert kept("fr", "opérée")[0][0] == "oper"


@pytest.mark.parametrize(("surface", "exact"), [("dog's", "dog"), ("don't", "don't"), ("dogs'", "dog"), ("B12", "b12")])
def test_english_words(surface, exact):
    assert kept("en", surface) == [(exact, exact)]


@pytest.mark.parametrize("surface", ["the", "The", "THE", "it's", "It’s", "where"])
def test_english_grammar_words(surface):
    assert kept("en", surface) == []


def test_what_holds_a_digit_is_not_stemmed():
    assert kept("fr", "X12ES") == [("x12es", "x12es")]


def test_initials_are_one_word_even_where_they_spell_a_grammar_word():
    assert kept("en", "U.S") == [("us", "us")]
    assert kept("fr", "l'H.T.A") == [("hta", "hta")]


def test_a_stop_word_is_judged_on_its_exact_form():
    assert kept("fr", "sûr") == [("sûr", "sur")]
    assert kept("fr", "sur") == []
    assert kept("es", "té") == [("te", "te")]
    assert kept("es", "te") == []
    assert kept("es", "MAS") == kept("es", "más") == []


def test_a_language_without_rules_drops_single_letters_at_apostrophes():
    assert kept("plain", "l'hôpital") == [("hôpital", "hopital")]
    assert kept("plain", "don't") == [("don", "don")]
    assert kept("plain", "X") == [("x", "x")]


@pytest.mark.parametrize(
    ("surface", "tokens"),
    [
        ("手机壳", ["手机", "机壳"]),
        ("手", ["手"]),
        ("ｱｲ", ["アイ"]),
        ("กำ", ["ก\u0e4d\u0e32"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
    ],
)
def test_text_without_spaces_is_read_by_pairs(surface, tokens):
    assert [exact for exact, _ in kept("plain", surface)] == tokens


def test_pieces_of_a_decomposed_code_lie_in_the_original():
    surface = "e\u0301a-12"
    pieces = WordAnalysis(LANGUAGES["plain"]).pieces(surface)
    assert [(piece.kind, surface[piece.start : piece.end], piece.exact) for piece in pieces] == [
        ("code", "e\u0301a-12", "éa-12"),
        ("part", "e\u0301a", "éa"),
        ("part", "12", "12"),
    ]


def test_a_character_that_stands_for_several_is_read_as_these():
    assert kept("plain", "⑴") == [("1", "1")]
    assert kept("plain", "½") == [("1/2", "1/2"), ("1", "1"), ("2", "2")]


def test_respelling_is_noted():
    (piece,) = WordAnalysis(LANGUAGES["vi"]).pieces("hoà")
    assert (piece.exact, piece.folded, piece.note) == ("hòa", "hoa", "spelled hòa")


def test_several_threads_get_the_same_stems():
    analysis = WordAnalysis(LANGUAGES["en"])
    words = [f"{stem}ing" for stem in ("walk", "talk", "test", "rest", "jump", "paint")] * 200
    alone = [analysis.pieces(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analysis.pieces, words)) == alone
