import pytest

from engine.export.results import trace_as_data
from engine.types import RerankSetup, Setup


def without_timings(data):
    return {key: value for key, value in data.items() if key != "timings_ms"}


def test_it_prints_what_the_engine_returns(kites, data):
    printed = data("search", "kites", "kite")
    assert without_timings(printed) == without_timings(
        trace_as_data(kites.search.run("kite", Setup()), kites.corpus)
    ) | {"setup": Setup().model_dump(mode="json")}
    assert set(printed) >= {"query", "setup", "hits", "channels", "dropped", "timings_ms", "warnings"}


def test_every_knob_reaches_the_setup(data):
    printed = data(
        *("search", "kites", "kite", "--top", "2", "--depth", "50", "--k", "20", "--weight", "bm25=0.5"),
        *("--weight", "dense=2", "--threshold", "dense=0.1", "--filter", "metadata.year=2021", "--agreement", "both"),
        *("--variant", "lucene", "--k1", "1.2", "--b", "0.5", "--fused-threshold", "0.001"),
        *("--fusion", "wsum", "--normaliser", "floor", "--absence", "lowest", "--floor", "dense=-0.5"),
        *("--rerank-depth", "5", "--rerank-threshold", "0.3", "--rerank-blend", "0.4", "--rerank-anyway"),
    )
    setup = Setup.model_validate(printed["setup"])
    assert (setup.shown, setup.k, setup.agreement, setup.fused_threshold) == (2, 20.0, "both", 0.001)
    assert [(c.weight, c.depth, c.threshold) for c in setup.channels] == [(0.5, 50, None), (2.0, 50, 0.1)]
    assert (setup.bm25.variant, setup.bm25.k1, setup.bm25.b) == ("lucene", 1.2, 0.5)
    assert (setup.fusion, setup.normaliser, setup.absence) == ("wsum", "floor", "lowest")
    assert [channel.floor for channel in setup.channels] == [None, -0.5]
    assert setup.rerank == RerankSetup(depth=5, threshold=0.3, blend=0.4, anyway=True)
    assert [hit["chunk_id"] for hit in printed["hits"]] == ["007"]


def test_the_reranker_is_named_by_an_option(data):
    assert data("search", "kites", "kite", "--rerank", "")["setup"]["rerank"]["model"] == ""


@pytest.mark.model
def test_the_packaged_reranker_orders_anew(data, call, monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path))
    asked = ("search", "kites", "which bird soars", "--rerank", "english", "--rerank-depth", "2")
    printed = data(*asked)
    assert [hit["rerank"]["rank"] for hit in printed["hits"]] == [1, 2]
    assert printed["hits"][0]["chunk_id"] == "007"
    assert printed["hits"][0]["rerank"]["logit"] > printed["hits"][1]["rerank"]["logit"]
    code, out, err = call(*asked)
    assert (code, err) == (0, "")
    assert "reranked" in out


def test_a_reranker_that_is_not_here_is_a_note(call):
    code, out, err = call("search", "kites", "kite", "--rerank", "no-such-model")
    assert code == 0
    assert "Red kite" in out
    assert "Not reranked, the fused order stays. The reranker 'no-such-model' is not on this machine" in err


def test_a_fusion_of_scores_is_printed_with_its_contributions(data):
    hits = data("search", "kites", "red kite", "--fusion", "wsum", "--weight", "dense=0.5")["hits"]
    for hit in hits:
        assert sum(each["contribution"] for each in hit["channels"].values()) == pytest.approx(hit["score"])
    assert hits[0]["channels"]["bm25"]["contribution"] == 1.0


def test_explain_gives_terms_that_add_up(data):
    bm25 = data("search", "kites", "red kite", "--explain")["hits"][0]["channels"]["bm25"]
    assert sum(term["contribution"] for term in bm25["terms"]) == pytest.approx(bm25["score"], abs=1e-9)


def test_the_text_form_names_places_and_notes(call):
    code, out, err = call("search", "kites", "the of and", "--explain")
    assert code == 0
    assert "Red kite" in out
    assert "no searchable terms" in err


def test_nothing_found_is_said(call):
    assert "Nothing was found" in call("search", "kites", "zebra", "--weight", "dense=0")[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("search", "kitten", "x"), "no collection 'kitten'"),
        (("search", "../kites", "x"), "cannot be the name of a collection"),
        (("search", "kites", "  "), "Type a query"),
        (("search", "kites", "x", "--k", "0"), "greater than 0"),
        (("search", "kites", "x", "--weight", "splade=1"), "no channel 'splade'"),
        (("search", "kites", "x", "--filter", "colour=red"), "Cannot filter by 'colour'"),
        (("search", "kites", "x", "--top", "many"), "--top"),
        (("search", "kites", "x", "--fusion", "rff"), "--fusion"),
        (("search", "kites", "x", "--floor", "dense=low"), "floor = 'low'"),
        (("search", "kites", "x", "--absence", "zero", "--normaliser", "z-score"), "Absent chunks cannot get 0"),
        (("search", "kites"), "query"),
        (("serach", "kites"), "serach"),
        ((), "Missing command"),
    ],
)
def test_faults_are_one_line_and_exit_code_two(call, arguments, reason):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert reason in err
