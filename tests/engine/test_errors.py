from engine.errors import BadInput, RankScopeError, shortened


def test_an_error_reads_as_message_and_hint():
    error = BadInput("Unknown fusion 'rff'.", "Choose one of: rrf.")
    assert isinstance(error, RankScopeError)
    assert str(error) == "Unknown fusion 'rff'. Choose one of: rrf."
    assert str(BadInput("No hint.")) == "No hint."


def test_what_an_error_quotes_is_short():
    assert shortened("abc") == "abc"
    assert shortened("x" * 100) == "x" * 80 + "…"
