from engine.types import Ranking, Setup, Trace


def test_the_hits_are_the_first_of_the_final_ranking():
    fused = Ranking.of("fused", ["a", "b", "c"], [0.3, 0.2, 0.1])
    final = fused.keep(["b", "c"])
    trace = Trace("q", Setup(shown=1), {}, fused, final)
    assert trace.before_rerank is None
    assert [(hit.rank, hit.chunk_id) for hit in trace.hits] == [(1, "b")]


def test_what_was_reranked_has_its_fused_order_too():
    fused = Ranking.of("fused", ["a", "b", "c"], [0.3, 0.2, 0.1])
    reranked = Ranking.of("reranked", ["a", "c"], [0.1, 0.9])
    trace = Trace("q", Setup(), {}, fused, reranked, reranked=reranked)
    assert trace.before_rerank.ids == ("a", "c")
    assert trace.before_rerank.rank("c") == 2
