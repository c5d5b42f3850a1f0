from engine.corpus.drafts import Draft
from engine.corpus.languages import SAMPLE, settle_languages, text_language

ENGLISH = (
    "The patient was admitted with chest pain and was treated at once by the team on duty, who called for help. " * 2
)
FRENCH = (
    "Le patient a été admis avec une douleur dans la poitrine et il a été soigné par l'équipe de garde aussitôt. " * 2
)
SPANISH = (
    "El paciente fue ingresado con dolor en el pecho y fue tratado enseguida por el equipo de guardia de noche. " * 2
)
VIETNAMESE = (
    "Bộ luật này quy định địa vị pháp lý, chuẩn mực pháp lý về cách ứng xử của cá nhân và pháp nhân trong đời sống. "
    * 2
)


def drafts(*texts, **fields):
    return [Draft(f"row {row}", row, str(row), "", {"text": text, **fields}) for row, text in enumerate(texts)]


def languages(rows):
    return [row.fields.get("language") for row in rows]


def test_every_long_text_is_read_by_itself():
    rows = drafts(ENGLISH, FRENCH, SPANISH, VIETNAMESE)
    assert settle_languages(rows, None) is None
    assert languages(rows) == ["en", "fr", "es", "vi"]


def test_the_choice_holds_for_all_and_a_given_language_stays():
    rows = drafts(ENGLISH, FRENCH, language="vi")
    settle_languages(rows, None)
    assert languages(rows) == ["vi", "vi"]
    settle_languages(rows, "es")
    assert languages(rows) == ["es", "es"]


def test_short_texts_follow_the_long_ones():
    rows = drafts(*[FRENCH] * 5, "Cholera", "12", "")
    settle_languages(rows, None)
    assert languages(rows) == ["fr"] * 8


def test_short_texts_alone_are_read_together():
    rows = drafts(
        *["Fièvre typhoïde", "Choléra, sans précision", "Infection à salmonelles", "Intoxication alimentaire"] * 5
    )
    settle_languages(rows, None)
    assert set(languages(rows)) == {"fr"}


def test_in_a_mixed_collection_a_short_text_is_left_to_itself():
    rows = drafts(ENGLISH, FRENCH, "12")
    settle_languages(rows, None)
    assert languages(rows) == ["en", "fr", None]


def test_another_language_than_the_four_has_none():
    german = "Der Patient wurde mit Schmerzen in der Brust aufgenommen und sofort von der Bereitschaft behandelt. " * 3
    assert text_language(german) is None
    rows = drafts(ENGLISH, german)
    settle_languages(rows, None)
    assert languages(rows) == ["en", None]


def test_a_large_collection_in_one_language_is_sampled_and_says_so():
    rows = drafts(*[ENGLISH] * (2 * SAMPLE + 1))
    remark = settle_languages(rows, None)
    assert remark == f"language 'en', detected in {SAMPLE + 1:,} of {2 * SAMPLE + 1:,} rows"
    assert set(languages(rows)) == {"en"}


def test_nothing_to_read_is_no_fault():
    assert settle_languages([], None) is None
    rows = drafts("", "!!!")
    settle_languages(rows, None)
    assert languages(rows) == [None, None]
