from engine.errors import BadInput, RankScopeError


def test_an_error_reads_as_message_and_hint():
    error = BadInput("Unknown fusion 'rff'.", "Choose one of: rrf.")
    assert isinstance(error, RankScopeError)
    assert str(error) == "Unknown fusion 'rff'. Choose one of: rrf."
    assert str(BadInput("No hint.")) == "No hint."
