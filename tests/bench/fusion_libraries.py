"""What other libraries make of two lists; run by `fusion_peers` in an environment that has the library, not this one.

`python fusion_libraries.py LIBRARY` reads a list of cases from the input and writes one answer for each: a mapping of
ids to fused scores by every name that the library's function here gives. A case has `lists`, two mappings of ids to
cosines, of which the first `depth` of each are to be fused, and `weights`.
"""

from __future__ import annotations

import json
import math
import os
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from typing import Any

Case = dict[str, Any]
Answer = dict[str, dict[str, float]]


def _first(case: Case) -> list[list[tuple[str, float]]]:
    """The first `depth` of each list, best first."""
    return [sorted(each.items(), key=lambda pair: -pair[1])[: case["depth"]] for each in case["lists"]]


def haystack(cases: list[Case]) -> Iterator[Answer]:
    """DocumentJoiner: its RRF with weights, its merge of min-max scores, its distribution-based fusion."""
    from haystack import Document
    from haystack.components.joiners import DocumentJoiner

    def join(lists: list[list[tuple[str, float]]], mode: str, weights: list[float] | None = None) -> dict[str, float]:
        joiner = DocumentJoiner(join_mode=mode, weights=weights)
        found = joiner.run([[Document(id=name, content=name, score=score) for name, score in each] for each in lists])
        return {document.id: document.score for document in found["documents"]}

    for case in cases:
        lists = _first(case)
        yield {
            "rrf": join(lists, "reciprocal_rank_fusion", case["weights"]),
            "merge": join([_min_max(each) for each in lists], "merge", case["weights"]),
            "three-sigma": join(lists, "distribution_based_rank_fusion"),
            "constant": join([[("A", 7.2)], [("B", 0.8), ("C", 0.6)]], "distribution_based_rank_fusion"),
        }


def _min_max(listed: list[tuple[str, float]]) -> list[tuple[str, float]]:
    high, low = listed[0][1], listed[-1][1]
    return [(name, (score - low) / (high - low)) for name, score in listed]


def llama_index(cases: list[Case]) -> Iterator[Answer]:
    """QueryFusionRetriever in three modes, with weights; equal texts; and what becomes of the scores given to it."""
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    class Listed(BaseRetriever):
        def __init__(self, nodes: list[NodeWithScore]) -> None:
            super().__init__()
            self.nodes = nodes

        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return self.nodes

    def nodes(listed: list[tuple[str, float]], text: str = "") -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(id_=name, text=text or name), score=score) for name, score in listed]

    def fuse(lists: list[list[NodeWithScore]], mode: str, weights: list[float]) -> dict[str, float]:
        retriever = QueryFusionRetriever(
            [Listed(each) for each in lists],
            llm=MockLLM(),
            mode=mode,
            similarity_top_k=1000,
            num_queries=1,
            use_async=False,
            retriever_weights=weights,
        )
        return {each.node.node_id: float(each.score) for each in retriever.retrieve("q")}

    for case in cases:
        lists, weights = _first(case), case["weights"]
        given = nodes(lists[0])
        fuse([given, nodes(lists[1])], "relative_score", weights)
        yield {
            "rrf": fuse([nodes(each) for each in lists], "reciprocal_rerank", weights),
            "min-max": fuse([nodes(each) for each in lists], "relative_score", weights),
            "three-sigma": fuse([nodes(each) for each in lists], "dist_based_score", weights),
            "one text": fuse([nodes([("v1", 0.9)], "same"), nodes([("v2", 0.8)], "same")], "relative_score", [1, 1]),
            "zeros": fuse([nodes([("A", 0.0)]), nodes([("B", 0.0)])], "relative_score", [1, 1]),
            "given": {each.node.node_id: float(each.score) for each in given},
        }


def _vector(cosine: float) -> list[float]:
    return [cosine, math.sqrt(1 - cosine * cosine)]


def qdrant(cases: list[Case]) -> Iterator[Answer]:
    """The local client: RRF with k 61 and with its default, weighted RRF, and distribution-based fusion."""
    from qdrant_client import QdrantClient, models

    for case in cases:
        client = QdrantClient(":memory:")
        vectors = models.VectorParams(size=2, distance=models.Distance.COSINE)
        client.create_collection("docs", vectors_config={"one": vectors, "two": vectors})
        names = sorted(case["lists"][0])
        one, two = case["lists"]
        points = [
            models.PointStruct(id=row, vector={"one": _vector(one[name]), "two": _vector(two[name])})
            for row, name in enumerate(names)
        ]
        client.upsert("docs", points)
        prefetch = [models.Prefetch(query=[1.0, 0.0], using=using, limit=case["depth"]) for using in ("one", "two")]

        def fused(query: Any) -> dict[str, float]:
            found = client.query_points("docs", prefetch=prefetch, query=query, limit=1000).points  # noqa: B023
            return {names[point.id]: point.score for point in found}  # noqa: B023

        yield {
            "rrf": fused(models.RrfQuery(rrf=models.Rrf(k=61))),
            "rrf by default": fused(models.FusionQuery(fusion=models.Fusion.RRF)),
            "weighted rrf": fused(models.RrfQuery(rrf=models.Rrf(k=61, weights=case["weights"]))),
            "three-sigma": fused(models.FusionQuery(fusion=models.Fusion.DBSF)),
        }


def milvus(cases: list[Case]) -> Iterator[Answer]:
    """Milvus Lite on a free port of this machine: RRF and weighted fusion of two vector fields, in float32."""
    warnings.filterwarnings("ignore", category=UserWarning)  # it imports pkg_resources
    from milvus_lite.server import Server
    from pymilvus import AnnSearchRequest, DataType, MilvusClient, RRFRanker, WeightedRanker

    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
        server = Server(os.path.join(folder, "peers.db"), address=address)
        if not (server.init() and server.start()):
            raise RuntimeError("Milvus Lite did not start")
        client = MilvusClient(f"http://{address}")
        try:
            for number, case in enumerate(cases):
                yield _in_milvus(client, f"docs{number}", case, (AnnSearchRequest, DataType, RRFRanker, WeightedRanker))
        finally:
            client.close()
            server.stop()


def _in_milvus(client: Any, collection: str, case: Case, kinds: tuple[Any, ...]) -> Answer:
    request, types, rrf, weighted = kinds
    schema, index = client.create_schema(), client.prepare_index_params()
    schema.add_field("id", types.VARCHAR, max_length=16, is_primary=True)
    for name in ("one", "two"):
        schema.add_field(name, types.FLOAT_VECTOR, dim=2)
        index.add_index(name, index_type="FLAT", metric_type="COSINE")
    client.create_collection(collection, schema=schema, index_params=index)
    one, two = case["lists"]
    client.insert(collection, [{"id": name, "one": _vector(one[name]), "two": _vector(two[name])} for name in one])
    wanted = [request([[1.0, 0.0]], name, {"metric_type": "COSINE"}, case["depth"]) for name in ("one", "two")]

    def fused(ranker: Any) -> dict[str, float]:
        return {hit["id"]: hit["distance"] for hit in client.hybrid_search(collection, wanted, ranker, 1000)[0]}

    return {"rrf": fused(rrf(60)), "weighted": fused(weighted(*case["weights"]))}


LIBRARIES: dict[str, Callable[[list[Case]], Iterator[Answer]]] = {
    "haystack": haystack,
    "llama_index": llama_index,
    "qdrant": qdrant,
    "milvus": milvus,
}

if __name__ == "__main__":
    answers = list(LIBRARIES[sys.argv[1]](json.load(sys.stdin)))
    print("\n" + json.dumps(answers))
