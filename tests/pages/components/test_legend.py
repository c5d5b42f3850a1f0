from pages.components.legend import legend


def row(chunk_id="a", grade=None, arrows=()):
    return {"id": chunk_id, "grade": grade and {"sign": grade}, "arrows": list(arrows)}


def arrow(letter, way, color):
    return {"letter": letter, "way": way, "color": color}


def column(label, color, rows, ends=None, state="ready"):
    return {"label": label, "color": color, "rows": rows, "ends": ends or {}, "state": state}


def read(*columns):
    return [f"{' '.join(item['signs'])} {item['word']}" for item in legend(columns)]


def test_a_board_without_signs_needs_no_legend():
    assert read(column("BM25", 0, [row()]), column("Fused", 2, [row()])) == []


def test_grades_stand_in_rising_order_and_only_those_shown():
    rows = [row(grade=sign) for sign in "·●○◔"]
    assert read(column("BM25", 0, rows)) == ["◔ ● relevant, the fuller the more", "○ not relevant", "· not judged"]
    assert read(column("BM25", 0, [row(grade="●")])) == ["● relevant"]


def test_letters_are_named_and_ways_are_said_once():
    arrows = [arrow("B", "up", 0), arrow("D", "absent", 1), arrow("P", "new", None)]
    fused = column("Fused", 2, [row(arrows=arrows), row(arrows=[arrow("B", "up", 0), arrow("D", "same", 1)])])
    assert read(column("BM25", 0, []), column("Dense", 1, []), fused) == [
        "B against BM25",
        "D against Dense",
        "P against the pinned setup",
        "▲ places higher",
        "= same place",
        "new not among the pinned results",
        "× not in that list",
    ]


def test_lines_that_end_in_the_open_are_explained_with_a_rank_that_is_there():
    # a stands in the left list only and has rank 18 in the right one; b the other way round, with rank 12 on the left.
    left = column("BM25", 0, [row("a")], {"b": {"kind": "beyond", "text": "12"}})
    right = column("Dense", 1, [row("b"), row("c")], {"a": {"kind": "beyond", "text": "18"}})
    assert read(left, right) == ["→18 rank 18 in the next list", "12→ rank 12 in the previous list"]
    left["ends"] = {"b": {"kind": "removed", "text": "removed"}, "c": {"kind": "absent", "text": "not retrieved"}}
    assert read(left, {**right, "ends": {}}) == ["× not in that list", "| taken out of that list"]


def test_a_list_that_is_still_loading_draws_no_lines():
    left = column("BM25", 0, [row("a")])
    right = column("Dense", 1, [], {"a": {"kind": "beyond", "text": "18"}}, state="loading")
    assert read(left, right) == []
