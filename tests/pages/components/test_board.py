import json

import pytest

from engine.fusion.rrf import fuse_rrf
from engine.types import Dropped, Ranking, Setup, Trace
from pages.components.board import MOST_ROWS, BoardView, board_data, color_of

LABELS = {"bm25": "BM25", "dense": "Dense"}


def trace_of(bm25="abcd", dense="dcxy", shown=2, unavailable=None, dropped=(), weights=()):
    setup = Setup(shown=shown)
    for name, weight in dict(weights).items():
        setup = setup.with_channel(name, weight=weight)
    lists = {"bm25": bm25, "dense": dense}
    channels = {
        name: Ranking.of(name, list(ids), [float(len(ids) - row) for row in range(len(ids))])
        for name, ids in lists.items()
        if ids is not None
    }
    fused = fuse_rrf(channels, {name: setup.channel(name).weight for name in channels}, setup.k)
    return Trace("q", setup, channels, fused, fused, tuple(dropped), unavailable or {})


def data_of(trace, **rest):
    return board_data(BoardView(trace, LABELS, title=str.upper, **rest))


def column(data, key):
    return next(column for column in data["columns"] if column["key"] == key)


def test_columns_stand_in_the_order_of_the_setup_and_show_the_window():
    data = data_of(trace_of())
    assert [each["label"] for each in data["columns"]] == ["BM25", "Dense", "Fused"]
    assert [(row["rank"], row["id"]) for row in column(data, "bm25")["rows"]] == [(1, "a"), (2, "b")]
    assert column(data, "bm25")["more"] == "2 more"
    assert column(data, "bm25")["detail"] == "depth 100 · weight 1"
    assert column(data, "fused")["detail"] == "RRF · k 60"
    json.dumps(data, allow_nan=False)


def test_fused_rows_compare_with_every_channel():
    # d: BM25 4, dense 1: 1/64 + 1/61 = 0.032018; c: 1/63 + 1/62 = 0.032002; so d is first and c second.
    rows = column(data_of(trace_of()), "fused")["rows"]
    assert [row["id"] for row in rows] == ["d", "c"]
    assert [f"{arrow['letter']} {arrow['sign']}" for arrow in rows[0]["arrows"]] == ["B ▲3", "D ="]
    assert [f"{arrow['letter']} {arrow['sign']}" for arrow in rows[1]["arrows"]] == ["B ▲1", "D ="]
    assert all(row["arrows"] == [] for row in column(data_of(trace_of()), "dense")["rows"])


def test_a_chunk_outside_a_window_has_its_place_or_its_reason_there():
    ends = column(data_of(trace_of()), "bm25")["ends"]
    assert ends["d"] == {"kind": "beyond", "text": "4", "word": "rank 4 in BM25"}
    dense = column(data_of(trace_of(dropped=[Dropped("b", "threshold", "dense", 1.0, 2.0)])), "dense")["ends"]
    assert dense["a"]["kind"] == "absent"
    assert dense["a"]["text"] == "not retrieved"
    assert dense["b"] == {"kind": "removed", "text": "removed", "word": "below the minimum score 2 in Dense"}


def test_every_chunk_of_a_window_has_a_place_in_every_list():
    data = data_of(trace_of(), selected="y")
    named = {row["id"] for each in data["columns"] for row in each["rows"]} | {"y"}
    assert set(data["titles"]) == named
    for each in data["columns"]:
        assert {row["id"] for row in each["rows"]} | set(each["ends"]) == named


def test_a_silent_channel_says_so_in_its_column():
    trace = trace_of(dense=None, unavailable={"dense": "No encoder."})
    waiting = column(data_of(trace, loading=frozenset({"dense"})), "dense")
    assert (waiting["state"], waiting["message"], waiting["rows"]) == ("loading", "No encoder.", [])
    assert column(data_of(trace), "dense")["state"] == "unavailable"


def test_a_channel_of_weight_zero_is_muted_and_is_compared_with_nothing():
    data = data_of(trace_of(weights={"dense": 0.0}))
    assert column(data, "dense")["muted"]
    assert column(data, "dense")["detail"].endswith("weight 0, adds nothing")
    assert [arrow["letter"] for arrow in column(data, "fused")["rows"][0]["arrows"]] == ["B"]
    assert column(data, "fused")["ends"]["d"]["kind"] == "beyond"


def test_grades_are_shapes_and_only_on_judged_queries():
    row = column(data_of(trace_of(), grades={"a": 1, "b": 0}), "bm25")["rows"]
    assert [each["grade"]["sign"] for each in row] == ["●", "○"]
    assert column(data_of(trace_of(), grades={"z": 1}), "bm25")["rows"][0]["grade"]["sign"] == "·"
    assert column(data_of(trace_of()), "bm25")["rows"][0]["grade"] is None


def test_a_pinned_ranking_adds_its_own_arrow():
    pinned = Ranking.of("fused", ["c", "d"], [2.0, 1.0])
    arrows = column(data_of(trace_of(), pinned=pinned), "fused")["rows"][0]["arrows"]
    assert (arrows[-1]["letter"], arrows[-1]["sign"], arrows[-1]["color"]) == ("P", "▲1", None)


def test_an_empty_list_says_that_nothing_matches():
    assert column(data_of(trace_of(bm25="")), "bm25")["message"] == "No chunk matches."


def test_the_board_has_an_end():
    ids = [f"{number:04}" for number in range(300)]
    assert len(column(data_of(trace_of(bm25=ids, shown=250)), "bm25")["rows"]) == MOST_ROWS


@pytest.mark.parametrize(
    ("name", "place"), [("bm25", 0), ("dense", 1), ("fused", 2), ("reranked", 3), ("summary", 4), ("remote", 5)]
)
def test_a_list_has_one_colour(name, place):
    assert color_of(name, ["bm25", "summary", "dense", "remote", "fused"]) == place
