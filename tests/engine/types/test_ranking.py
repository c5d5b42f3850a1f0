import numpy as np
import pytest

from engine.types import Ranking


def test_ranking_orders_by_score_then_id_and_ranks_from_one():
    ranking = Ranking.of("bm25", ["b", "a", "c"], [0.5, 0.5, 0.9])
    assert ranking.ids == ("c", "a", "b")
    assert [ranking.rank(i) for i in "cab"] == [1, 2, 3]
    assert ranking.rank("z") is None
    assert ranking.score("z") is None


def test_ties_go_by_the_order_of_text_ids():
    ranking = Ranking.of("bm25", ["10", "9", "07", "7"], [1.0] * 4)
    assert ranking.ids == ("07", "10", "7", "9")


@pytest.mark.parametrize(
    ("ids", "scores", "reason"),
    [
        (("a", "a"), (1.0, 0.5), "not unique"),
        (("a",), (float("nan"),), "not finite"),
        (("a", "b"), (0.1, 0.2), "not in the order"),
        (("b", "a"), (0.1, 0.1), "not in the order"),
        (("a",), (0.1, 0.2), "of shape"),
    ],
)
def test_ranking_refuses_what_is_not_a_ranking(ids, scores, reason):
    with pytest.raises(ValueError, match=reason):
        Ranking("bm25", ids, np.array(scores))


def test_contributions_must_add_up():
    with pytest.raises(ValueError, match="add up"):
        Ranking.of("fused", ["a"], [1.0], {"bm25": np.array([0.4]), "dense": np.array([0.4])})


def test_ranking_cannot_be_changed_through_its_inputs():
    scores = np.array([2.0, 1.0])
    ranking = Ranking("bm25", ("a", "b"), scores)
    scores[0] = 0
    assert ranking.scores[0] == 2.0
    with pytest.raises(ValueError, match="read-only"):
        ranking.scores[0] = 3.0


def test_hits_never_pad_and_never_slice_from_the_end():
    ranking = Ranking.of("bm25", ["a"], [1.0])
    assert [len(ranking.hits(n)) for n in (None, 5, 1, 0, -3)] == [1, 1, 1, 0, 0]


def test_keep_gives_new_ranks_in_the_same_order():
    ranking = Ranking.of("fused", ["a", "b", "c"], [3.0, 2.0, 1.0], {"bm25": np.array([3.0, 2.0, 1.0])})
    kept = ranking.keep({"c", "a", "x"})
    assert kept.ids == ("a", "c")
    assert kept.rank("c") == 2
    assert kept.contributions["bm25"].tolist() == [3.0, 1.0]
