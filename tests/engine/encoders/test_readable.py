from engine.encoders.readable import readable


def test_nul_and_lone_surrogates_become_spaces_of_the_same_length():
    assert readable("a\x00b\ud800c\udfffd") == "a b c d"


def test_other_text_is_unchanged():
    assert readable("đường 😀 I21.9\n") == "đường 😀 I21.9\n"


def test_the_result_can_always_be_written_as_utf8():
    assert readable("\udc80" * 3).encode() == b"   "
