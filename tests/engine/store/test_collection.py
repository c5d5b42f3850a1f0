import json
import shutil

import numpy as np
import pytest

from engine.cli import main
from engine.corpus.corpus import Corpus
from engine.corpus.parquet import save_chunks
from engine.errors import StaleIndex, Unavailable, UnknownName
from engine.store.build import build_collection
from engine.store.collection import open_collection
from engine.store.manifest import BuildOptions, read_manifest, write_manifest
from engine.types import Chunk, Setup


def test_an_opened_collection_knows_itself(kites):
    assert (kites.name, kites.title, kites.channel_names) == ("kites", "Kites and lamps", ("bm25", "dense"))
    assert kites.manifest.languages == ("en",)


def test_an_unknown_one_is_refused_with_those_there_are(kites, workspace):
    with pytest.raises(UnknownName, match=r"no collection 'kitten'\. Collections: kites"):
        open_collection(workspace, "kitten")


def test_a_setup_is_fitted_to_its_channels_in_their_order(kites):
    asked = Setup().with_channel("stranger", weight=2).with_channel("dense", weight=0.3)
    one = asked.model_copy(update={"channels": asked.channels[::-1][:2]})  # stranger and dense: bm25 is not named
    assert [(each.name, each.weight) for each in kites.fitted(one).channels] == [("bm25", 1.0), ("dense", 0.3)]
    assert kites.fitted(Setup()) == Setup()


def test_the_command_line_and_a_notebook_give_the_same_scores_with_a_channel_of_summaries(
    workspace, tmp_path, monkeypatch, capsys
):
    rows = [{"id": str(n), "text": f"kite {n}", "summary": f"lamp {n}"} for n in range(3)]
    source = tmp_path / "rows.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    build_collection(workspace, "lamps", source, BuildOptions(encoder="hash", summary=True))
    monkeypatch.setenv("RANKSCOPE_HOME", str(workspace.root))
    main(["search", "lamps", "lamp 1", "--json"])
    printed = json.loads(capsys.readouterr().out)
    lamps = open_collection(workspace, "lamps")
    trace = lamps.search.run("lamp 1", lamps.fitted(Setup()))
    assert "summary" in trace.channels
    assert [(hit["chunk_id"], hit["score"]) for hit in printed["hits"]] == [(h.chunk_id, h.score) for h in trace.hits]


def test_a_channel_whose_index_is_damaged_is_left_out_and_the_other_serves(kites, workspace):
    path = workspace.current("kites") / "dense" / "dense.faiss"
    path.write_bytes(path.read_bytes()[:20])
    damaged = open_collection(workspace, "kites")
    trace = damaged.search.run("lamp", Setup())
    assert trace.final.ids == ("lamp",)
    assert "dense" in trace.unavailable
    assert damaged.channel_names == ("bm25", "dense")


def test_an_index_of_another_encoder_is_refused_with_both_names(kites, workspace):
    # field case 30: the manifest names an encoder of another dimension than the index has
    folder = workspace.current("kites")
    write_manifest(read_manifest(folder).model_copy(update={"encoder": "minilm"}), folder)
    trace = open_collection(workspace, "kites").search.run("a query without a kept vector", Setup())
    assert trace.channels["bm25"].source == "bm25"
    for part in ("minilm", "384", "hash", "ebuild"):
        assert part in trace.unavailable["dense"]


def test_a_missing_file_is_said_with_the_next_step(kites, workspace):
    folder = workspace.current("kites")
    for path in folder.glob("bm25/*"):
        path.unlink()
    left = open_collection(workspace, "kites")
    assert set(left.search.unavailable) == {"bm25"}
    for path in folder.glob("dense/*"):
        path.unlink()
    with pytest.raises(Unavailable, match="No channel can answer"):
        open_collection(workspace, "kites").search.run("lamp", Setup())


def test_another_number_of_chunks_is_stale(kites, workspace):
    folder = workspace.current("kites")
    write_manifest(read_manifest(folder).model_copy(update={"chunks": 4}), folder)
    with pytest.raises(StaleIndex, match="holds 3 chunks, but was built from 4"):
        open_collection(workspace, "kites")


@pytest.mark.parametrize("channel", ["bm25", "dense"])
def test_an_index_of_another_collection_is_refused(kites, workspace, tmp_path, channel):
    # as many chunks with the same ids, other texts: only their fingerprints tell them apart
    lines = [json.dumps({"id": chunk.id, "text": f"oak {chunk.id}"}) for chunk in kites.corpus]
    (tmp_path / "oaks.jsonl").write_text("\n".join(lines))
    build_collection(workspace, "oaks", tmp_path / "oaks.jsonl", kites.manifest.options)
    shutil.rmtree(workspace.current("oaks") / channel)
    shutil.copytree(workspace.current("kites") / channel, workspace.current("oaks") / channel)
    opened = open_collection(workspace, "oaks")
    assert set(opened.search.unavailable) == {channel}
    assert "was made from other texts" in opened.search.unavailable[channel]


@pytest.mark.parametrize(("channel", "field"), [("bm25", "bm25_fields"), ("dense", "dense_fields")])
def test_an_index_of_other_fields_is_refused(kites, workspace, channel, field):
    folder = workspace.current("kites")
    options = kites.manifest.options.model_copy(update={field: ("text",)})
    write_manifest(kites.manifest.model_copy(update={"options": options}), folder)
    opened = open_collection(workspace, "kites")
    assert set(opened.search.unavailable) == {channel}
    assert "the collection asks for text" in opened.search.unavailable[channel]


def test_texts_of_another_build_are_refused(kites, workspace):
    path = workspace.current("kites") / "chunks.parquet"
    save_chunks(Corpus(Chunk(id=chunk.id, text="green oak") for chunk in kites.corpus), path)
    with pytest.raises(StaleIndex, match="texts of 'kites' are not those that it was built from"):
        open_collection(workspace, "kites")


def test_terms_add_up_to_the_scores(kites):
    trace = kites.search.run("red kite", Setup())
    for chunk_id, terms in kites.terms(trace).items():
        score = trace.channels["bm25"].score(chunk_id) or 0.0
        assert np.isclose(sum(term["contribution"] for term in terms), score, atol=1e-9)


def test_a_build_folder_that_is_gone_is_said_and_not_waited_for(kites, workspace):
    (workspace.folder("kites") / "current").write_text("20300101T000000-00000000")
    with pytest.raises(StaleIndex, match="build of 'kites' that is in use is not there"):
        open_collection(workspace, "kites")
