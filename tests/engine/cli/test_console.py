import json

import pytest

from engine.cli.console import fail, follow, print_json, print_table


def test_a_fault_is_one_line_and_exit_code_two(capsys):
    assert fail("No such\ncollection.  Build it.") == 2
    assert capsys.readouterr().err == "Error: No such collection. Build it.\n"


def test_json_never_holds_what_json_does_not_know(capsys):
    print_json({"text": "đường\u2028"})
    assert json.loads(capsys.readouterr().out) == {"text": "đường\u2028"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"score": float("nan")})


def test_a_table_shows_text_as_it_is(capsys):
    print_table([{"id": "[bold]7[/bold]", "rank": None, "score": 0.0163934426}])
    shown = capsys.readouterr().out
    assert "[bold]7[/bold]" in shown
    assert "–" in shown
    assert "0.0163934" in shown


def test_progress_as_json_is_a_line_a_step(capsys):
    with follow("json") as progress:
        progress("encode", 1, 2)
    assert json.loads(capsys.readouterr().out) == {"stage": "encode", "done": 1, "total": 2}


def test_no_bar_is_drawn_where_nobody_watches(capsys):
    with follow("bar") as progress:
        progress("encode", 1, 2)
    assert capsys.readouterr() == ("", "")
