def test_it_shows_what_becomes_of_each_piece(data, call):
    printed = data("analyze", "l'hôpital d’Angers", "--language", "fr")
    assert [(step["surface"], step["outcome"]) for step in printed["steps"]] == [
        ("l'", "elision"),
        ("hôpital", "kept"),
        ("d’", "elision"),
        ("Angers", "kept"),
    ]
    assert [token["folded"] for token in printed["tokens"]] == ["hopital", "anger"]
    assert "elision" in call("analyze", "l'hôpital", "--language", "fr")[1]


def test_an_unknown_language_is_refused_and_nothing_is_said_of_nothing(call):
    code, _, err = call("analyze", "x", "--language", "tlh")
    assert (code, "no analyser 'tlh'" in err) == (2, True)
    assert call("analyze", "")[1] == "There is nothing to analyse in this text.\n"
