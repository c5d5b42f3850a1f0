import json

import numpy as np
import pytest

from engine.errors import BadInput, Unavailable
from engine.store.build import build_collection, rebuild_collection
from engine.store.collection import open_collection
from engine.store.indexing import given_vectors, open_dense
from engine.store.manifest import BuildOptions
from engine.types import Setup


def source(folder, vectors):
    path = folder / "two.jsonl"
    path.write_text("".join(json.dumps({"id": i, "text": f"text {i}"}) + "\n" for i in "ab"))
    np.save(folder / "two.npy", np.array(vectors, dtype=np.float32))
    return path


def test_vectors_that_came_with_the_source_are_searched_and_outlive_a_rebuild(workspace, tmp_path):
    build_collection(workspace, "two", source(tmp_path, [[3, 0], [3, 4]]), BuildOptions())
    rebuild_collection(workspace, "two")
    collection = open_collection(workspace, "two")
    assert collection.manifest.encoder == "precomputed"
    given = given_vectors(collection.stored, workspace.current("two"))
    assert np.allclose(given, [[1.0, 0.0], [0.6, 0.8]], atol=1e-7)
    dense = collection.search.channels["dense"]
    assert dense.neighbours("a", 5).score("b") == pytest.approx(0.6)
    assert "encoder" in collection.search.run("text", Setup()).unavailable["dense"]


def test_a_chunk_whose_vector_cannot_be_used_has_no_place_and_stops_no_build(workspace, tmp_path):
    built = build_collection(workspace, "two", source(tmp_path, [[3, 4], [0, 0]]), BuildOptions())
    assert [problem.text for problem in built.report.problems if problem.kind == "no vector"] == [
        "a vector of zeros; its chunk has no place in the dense channel"
    ]
    rebuild_collection(workspace, "two")
    dense = open_collection(workspace, "two").search.channels["dense"]
    assert (dense.vector("a").tolist(), dense.vector("b")) == (pytest.approx([0.6, 0.8]), None)


def test_vectors_of_another_length_than_the_named_encoder_makes_are_refused(workspace, tmp_path):
    with pytest.raises(BadInput, match="2 dimensions"):
        build_collection(workspace, "two", source(tmp_path, [[3, 0], [3, 4]]), BuildOptions(encoder="hash"))
    assert workspace.names() == ()


def test_summaries_need_an_encoder(workspace, tmp_path):
    with pytest.raises(BadInput, match="Summaries cannot be indexed without an encoder"):
        build_collection(workspace, "two", source(tmp_path, [[3, 0], [3, 4]]), BuildOptions(summary=True))


def test_naming_an_encoder_on_rebuild_embeds_anew(workspace, tmp_path):
    build_collection(workspace, "two", source(tmp_path, [[3, 0], [3, 4]]), BuildOptions())
    assert rebuild_collection(workspace, "two", "hash").manifest.encoder == "hash"
    assert "dense" in open_collection(workspace, "two").search.run("text", Setup()).channels


def test_a_channel_that_was_not_asked_for_is_no_fault(kites, workspace):
    folder = workspace.current("kites")
    assert open_dense(kites.stored, folder, "summary") is None
    with pytest.raises(Unavailable, match="built without vectors"):
        open_dense(_without_vectors(kites.stored), folder, "dense")


def _without_vectors(stored):
    return type(stored)(
        stored.manifest.model_copy(update={"encoder": "none"}),
        stored.report,
        stored.corpus,
        stored.queries,
        stored.qrels,
    )
