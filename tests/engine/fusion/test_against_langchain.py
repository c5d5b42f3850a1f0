"""Agreement with LangChain's EnsembleRetriever on the same lists, and where it counts otherwise.

It returns an order and no scores; ties stand in the order of the lists. Field cases 14 and 16 are here.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_classic.retrievers import EnsembleRetriever
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from engine.fusion.fuse import fuse
from engine.types import Ranking, Setup


class Listed(BaseRetriever):
    """A retriever whose answer is always the same list."""

    found: list[Document]

    def _get_relevant_documents(self, query, *, run_manager):
        return self.found


def theirs(lists, weights, k, id_key="id"):
    retrievers = [
        Listed(found=[Document(page_content=text, metadata={"id": chunk_id}) for chunk_id, text in each])
        for each in lists
    ]
    ensemble = EnsembleRetriever(retrievers=retrievers, weights=list(weights), c=k, id_key=id_key)
    return [document.metadata["id"] for document in ensemble.invoke("q")]


def ours(lists, weights, k):
    names = [f"list {number}" for number in range(len(lists))]
    rankings = {
        name: Ranking.of(name, [chunk_id for chunk_id, _ in each], [-row for row in range(len(each))])
        for name, each in zip(names, lists, strict=True)
    }
    setup = Setup(k=k)
    for name, weight in zip(names, weights, strict=True):
        setup = setup.with_channel(name, weight=weight)
    return fuse(rankings, setup, {})


def texts(ids):
    return [(chunk_id, f"text of {chunk_id}") for chunk_id in ids]


ids = st.lists(st.integers(0, 40).map(lambda number: f"d{number:02}"), unique=True, max_size=30).map(texts)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(ids, min_size=2, max_size=3), st.sampled_from([(0.5, 0.3, 0.7), (1.0, 1.0, 0.2)]), st.sampled_from([1, 60])
)
def test_the_order_is_the_same_but_for_ties(lists, weights, k):
    fused = ours(lists, weights[: len(lists)], k)
    order = theirs(lists, weights[: len(lists)], k)
    assert set(order) == set(fused.ids)
    scores = [fused.score(chunk_id) for chunk_id in order]
    assert scores == pytest.approx(sorted(scores, reverse=True), abs=1e-15)


def test_weights_count_there_too():
    for weights, first in (((0.8, 0.2), "A"), ((0.2, 0.8), "B")):
        lists = [texts("AB"), texts("BA")]
        assert theirs(lists, weights, 60)[0] == ours(lists, weights, 60).ids[0] == first


def test_weight_zero_still_brings_its_chunks_there():
    lists = [texts("AB"), texts("BC")]
    assert theirs(lists, (1.0, 0.0), 60) == ["A", "B", "C"]
    assert ours(lists, (1.0, 0.0), 60).ids == ("A", "B")


def test_without_an_id_key_it_merges_equal_texts_of_different_chunks():
    lists = [[("v1", "Returns within 30 days")], [("v2", "Returns within 30 days")]]
    assert theirs(lists, (1.0, 1.0), 60, id_key=None) == ["v1"]
    assert theirs(lists, (1.0, 1.0), 60) == list(ours(lists, (1.0, 1.0), 60).ids) == ["v1", "v2"]
