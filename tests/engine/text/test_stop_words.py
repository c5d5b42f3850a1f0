import unicodedata

import pytest

from engine.text import stop_words

LISTS = {"en": stop_words.ENGLISH, "fr": stop_words.FRENCH, "es": stop_words.SPANISH}


@pytest.mark.parametrize("words", LISTS.values(), ids=LISTS)
def test_words_are_written_as_they_are_compared(words):
    assert all(word == unicodedata.normalize("NFKC", word).casefold() for word in words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["no", "not", "nor", "without", "with", "off", "against", "unspecified"]),
        (
            "fr",
            [
                "sans",
                "avec",
                "non",
                "pas",
                "ne",
                "nca",
                "sai",
                "été",
                "son",
                "or",
                "plus",
                "dès",
                "de",
                "et",
                "mur",
                "mûr",
            ],
        ),
        ("es", ["no", "sin", "con", "té", "contra", "ni"]),
    ],
)
def test_words_with_content_are_not_listed(language, words):
    assert not LISTS[language] & set(words)
