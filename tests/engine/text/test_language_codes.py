import pytest

from engine.text.language_codes import language_code


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("fr", "fr"),
        ("fr-FR", "fr"),
        (" Français ", "fr"),
        ("EN_us", "en"),
        ("Tiếng Việt", "vi"),
        ("de", "de"),
        ("", ""),
    ],
)
def test_names_and_regions_become_codes_and_the_rest_stays(said, code):
    assert language_code(said) == code
