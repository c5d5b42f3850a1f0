from engine.types import Ranking, Setup, Trace


def test_the_hits_are_the_first_of_the_final_ranking():
    fused = Ranking.of("fused", ["a", "b", "c"], [0.3, 0.2, 0.1])
    final = fused.keep(["b", "c"])
    trace = Trace("q", Setup(shown=1), {}, fused, final)
    assert [(hit.rank, hit.chunk_id) for hit in trace.hits] == [(1, "b")]
