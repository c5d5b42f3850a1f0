import pytest

from pages.components.messages import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("$5 and $9", r"\$5 and \$9"),
        ("![x](http://a.b)", "\\!\\[x\\]\\(http\\:\\/\\/\N{WORD JOINER}a\\.b\\)"),
        (":material/delete:", r"\:material\/delete\:"),
        ("a@b.c", "a\\@\N{WORD JOINER}b\\.c"),
        ("www.x.y", "www\N{WORD JOINER}\\.x\\.y"),
    ],
)
def test_nothing_in_a_label_is_read_as_markdown(text, shown):
    assert plain(text) == shown
