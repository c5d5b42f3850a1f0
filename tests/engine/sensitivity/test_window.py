import random
from fractions import Fraction

import pytest

from engine.sensitivity.window import Entrant, smallest_safe_depth, window_certificate
from tests.engine.sensitivity.plain_fusion import as_fractions, plain_rrf, random_lists, rankings_of

F = Fraction
EVEN = {"bm25": 1.0, "dense": 1.0}


def certify(lists, n, depths, weights=EVEN, k=60.0, **rest):
    return window_certificate(rankings_of(lists), weights, k, n, depths, **rest)


def test_who_could_still_enter_and_how_deep_it_may_stand():
    # k = 1, both searched to 2. First: a (1, 1) with 1/2 + 1/2. b (2, -) has 1/3 and can gain 1/(1+3) at most: 7/12 < 1
    lists = {"bm25": ["a", "b"], "dense": ["a", "c"]}
    both = {"bm25": 2, "dense": 2}
    assert certify(lists, 1, both, k=1.0).members_final
    # second is b with 1/3: c (-, 2) has 1/3, too, and needs any place in bm25; a new one has 1/4 + 1/4 at most
    found = certify(lists, 2, both, k=1.0)
    assert not found.members_final
    assert found.entrants == (
        Entrant("c", F(7, 12), {"bm25": None}),
        Entrant(None, F(1, 2), {"bm25": 11, "dense": 11}),  # 1/4 + 1/(1 + 11) = 1/3
    )


def test_a_list_that_is_shorter_than_its_depth_gives_nothing_more():
    lists = {"bm25": ["a", "b"], "dense": ["a", "c"]}
    found = certify(lists, 2, {"bm25": 3, "dense": 3}, k=1.0)
    assert (found.members_final, found.order_final, found.entrants) == (True, True, ())
    assert certify(lists, 2, {"bm25": 3, "dense": 2}, k=1.0).members_final  # c has 1/3 for good, a new one 1/4
    assert certify(lists, 2, {"bm25": 2, "dense": 2}, k=1.0, corpus_size=2).members_final


def test_members_can_be_final_and_their_order_not():
    # k = 1: b (2, 3) has 1/3 + 1/4, a and x 1/2 each; a can gain 1/(1 + 4) in dense: 7/10 > 7/12
    # y has 1/3 for good, since bm25 has no more; a new one 1/5
    lists = {"bm25": ["a", "b"], "dense": ["x", "y", "b"]}
    found = certify(lists, 3, {"bm25": 3, "dense": 3}, k=1.0)
    assert (found.members_final, found.order_final) == (True, False)


def test_fewer_than_n_are_final_only_when_every_list_is_complete():
    lists = {"bm25": ["a"], "dense": ["b"]}
    found = certify(lists, 5, {"bm25": 1, "dense": 2})
    assert found.entrants == (Entrant(None, F(1, 62), {"bm25": None}),)
    assert certify(lists, 5, {"bm25": 2, "dense": 2}).members_final
    assert certify({"bm25": [], "dense": []}, 5, {"bm25": 2, "dense": 2}).order_final
    assert certify(lists, 5, {"bm25": 1, "dense": 1}, {"bm25": 0.0, "dense": 0.0}).order_final


def test_a_source_of_weight_zero_brings_nobody():
    lists = {"bm25": ["a", "b"], "dense": ["c", "d"]}
    found = certify(lists, 1, {"bm25": 2, "dense": 2}, {"bm25": 1.0, "dense": 0.0})
    assert (found.members_final, found.order_final) == (True, True)


def test_the_smallest_depth_at_which_the_list_is_proved():
    # k = 1: a (1, 1) is first at every depth. At depth 1 it has 1 and a new one 1/3 + 1/3 at most: final at once
    lists = {"bm25": ["a", "b", "c"], "dense": ["a", "c", "b"]}
    deep = {"bm25": 9, "dense": 9}
    assert smallest_safe_depth(rankings_of(lists), EVEN, 1.0, 1, deep) == 1
    # two: at depth 3 all have their final scores, b and c 1/3 + 1/4 each; a new one 1/5 + 1/5
    assert smallest_safe_depth(rankings_of(lists), EVEN, 1.0, 2, deep) == 3
    assert smallest_safe_depth(rankings_of(lists), EVEN, 1.0, 2, {"bm25": 2, "dense": 2}) is None
    # four need the lists' end, which a search to 4 sees
    assert smallest_safe_depth(rankings_of(lists), EVEN, 1.0, 4, deep, order=True) == 4


def worst(lists, depths, chunk_id):
    """The lists searched deeper, with the chunk on the first place that each open list has left."""
    return {
        name: [*ids, chunk_id] if len(ids) >= depths[name] and chunk_id not in ids else ids
        for name, ids in lists.items()
    }


def outcome(lists, depths, weights, k, n):
    """Whether any chunk's best luck changes the members, or the order, by fusing again."""
    now = plain_rrf(lists, weights, k, n)
    known = sorted(set().union(*lists.values()))
    later = [plain_rrf(worst(lists, depths, i), weights, k, n) for i in ["a-new-one", *known]]
    return all(set(each) == set(now) for each in later), all(each == now for each in later)


def random_window(rng, sources, longest):
    deep = random_lists(rng, sources, longest)
    depth = rng.randint(1, longest + 1)
    lists = {name: ids[:depth] for name, ids in deep.items()}
    weights = {name: rng.choice([1.0, 1.0, 0.0, 0.7, 0.35]) for name in lists}
    return deep, depth, lists, weights, rng.choice([1.0, 60.0, 7.5]), rng.choice([1, 2, 3, 5])


@pytest.mark.parametrize("sources", [2, 3])
def test_the_proof_agrees_with_every_chunks_best_luck(sources):
    finals = 0
    for seed in range(400):
        deep, depth, lists, weights, k, n = random_window(random.Random(seed), sources, 12)
        exact, depths = as_fractions(weights), dict.fromkeys(lists, depth)
        found = certify(lists, n, depths, weights, k)
        assert (found.members_final, found.order_final) == outcome(lists, depths, exact, F(str(k)), n), seed
        now = plain_rrf(lists, exact, F(str(k)), n)
        for entrant in found.entrants:
            lucky = plain_rrf(worst(lists, depths, entrant.chunk_id or "a-new-one"), exact, F(str(k)), n)
            assert (entrant.chunk_id or "a-new-one") in lucky
        if found.members_final:
            finals += 1
            assert set(plain_rrf(deep, exact, F(str(k)), n)) == set(now)
        if found.order_final:
            assert plain_rrf(deep, exact, F(str(k)), n) == now
    assert 20 < finals < 380


def test_the_deepest_rank_that_is_enough_is_enough_and_the_next_is_not():
    for seed in range(150):
        _, depth, lists, weights, k, n = random_window(random.Random(seed), 2, 12)
        exact, depths, constant = as_fractions(weights), dict.fromkeys(lists, depth), F(str(k))
        now = plain_rrf(lists, exact, constant, n)
        for entrant in certify(lists, n, depths, weights, k).entrants:
            chunk_id = entrant.chunk_id or "a-new-one"
            for source, deepest in entrant.within.items():
                for rank, enters in [(deepest, True), (deepest + 1, False)] if deepest else [(10**9, True)]:
                    scores = {
                        i: sum(
                            exact[name] / (constant + ids.index(i) + 1)
                            for name, ids in worst(lists, depths, chunk_id).items()
                            if i in ids and (i != chunk_id or name != source)
                        )
                        for i in {*now, chunk_id}
                    }
                    scores[chunk_id] += exact[source] / (constant + rank)
                    last = now[-1] if len(now) == n else None
                    before = last is None or (-scores[chunk_id], chunk_id) < (-scores[last], last)
                    assert before == enters, (seed, chunk_id, source, rank)


def test_the_smallest_safe_depth_agrees_with_trying_every_depth():
    for seed in range(100):
        deep, _, _, weights, k, n = random_window(random.Random(seed), 2, 12)
        exact, searched = as_fractions(weights), 14
        trials = [
            outcome({name: ids[:depth] for name, ids in deep.items()}, dict.fromkeys(deep, depth), exact, F(str(k)), n)
            for depth in range(1, searched + 1)
        ]
        for index, order in enumerate((False, True)):
            held = [trial[index] for trial in trials]
            assert held == sorted(held)  # once proved, always proved
            found = smallest_safe_depth(rankings_of(deep), weights, k, n, dict.fromkeys(deep, searched), order=order)
            assert found == (held.index(True) + 1 if any(held) else None), seed
