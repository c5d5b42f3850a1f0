"""Builds with the hash encoder: what is under test is the store, not a model."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.corpus.options import ImportOptions
from engine.errors import BadInput, RankScopeError
from engine.evaluation.judgments import Qrels
from engine.store.build import Judged, build_collection, rebuild_collection
from engine.store.collection import open_collection
from engine.store.manifest import NO_ENCODER, BuildOptions
from engine.store.workspace import Workspace
from engine.types import Query, Setup

ROOT = Path(__file__).resolve().parents[3]
OPTIONS = BuildOptions(encoder="hash", reading=ImportOptions(language="en"))


def write(folder, texts, name="corpus.jsonl"):
    path = folder / name
    lines = [json.dumps({"id": chunk_id, "text": text}) for chunk_id, text in texts.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def found(workspace, name, query):
    trace = open_collection(workspace, name).search.run(query, Setup())
    return list(trace.channels["bm25"].ids)


def test_a_build_is_searched_by_both_channels(workspace, tmp_path):
    built = build_collection(workspace, "kites", write(tmp_path, {"a": "red kite", "b": "blue lamp", "c": ""}), OPTIONS)
    collection = open_collection(workspace, "kites")
    assert (built.manifest.chunks, built.manifest.searchable, built.report.blank) == (3, 2, ("c",))
    assert collection.channel_names == ("bm25", "dense")
    trace = collection.search.run("kite", Setup())
    assert trace.channels["bm25"].ids == ("a",)
    assert set(trace.channels["dense"].ids) == {"a", "b"}
    assert collection.title == "kites"


def test_a_replaced_source_is_what_is_searched(workspace, tmp_path):
    # field case 55: the same name and the same size, red, then blue
    for word, hits in (("red", {"red": ["1"], "blue": []}), ("blue", {"red": [], "blue": ["1"]})):
        build_collection(workspace, "corpus", write(tmp_path, {"1": f"{word:<4}"}), OPTIONS)
        assert {query: found(workspace, "corpus", query) for query in hits} == hits


def test_nothing_searchable_is_a_state_and_no_fault(workspace, tmp_path):
    # field case 3 (b): only blank texts
    build_collection(workspace, "blank", write(tmp_path, {"a": "", "b": "   ", "c": "!!!"}), OPTIONS)
    collection = open_collection(workspace, "blank")
    assert (collection.manifest.chunks, collection.manifest.searchable) == (3, 0)
    assert len(collection.search.run("quartz", Setup()).final) == 0


def test_judgments_travel_and_are_found_beside_a_corpus(workspace, tmp_path):
    source = write(tmp_path, {"a": "red kite"})
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q", "text": "kite", "kind": "plain"}\n{"_id": "r", "text": "x"}\n'
    )
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t2\n")
    given = Judged((Query(id="g", text="red"),), Qrels({"g": {"a": 1}}))
    build_collection(workspace, "given", source, OPTIONS, judged=given)
    opened = open_collection(workspace, "given")
    assert Judged(opened.queries, opened.qrels) == given
    rebuild_collection(workspace, "given")
    assert open_collection(workspace, "given").queries == given.queries
    # beside a corpus in a folder: of the queries, those that are judged
    build_collection(workspace, "beside", tmp_path, OPTIONS)
    found_beside = open_collection(workspace, "beside")
    assert [(query.id, query.text, query.kind) for query in found_beside.queries] == [("q", "kite", "plain")]
    assert {query: dict(of) for query, of in found_beside.qrels.grades.items()} == {"q": {"a": 2}}


def test_without_an_encoder_there_is_one_channel_and_a_reason(workspace, tmp_path):
    options = OPTIONS.model_copy(update={"encoder": NO_ENCODER})
    build_collection(workspace, "lexical", write(tmp_path, {"a": "red kite"}), options)
    trace = open_collection(workspace, "lexical").search.run("kite", Setup())
    assert trace.final.ids == ("a",)
    assert "without vectors" in trace.unavailable["dense"]


def test_summaries_are_a_channel_of_their_own(workspace, tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "text": "long text", "summary": "short"}\n{"id": "b", "text": "other"}\n')
    build_collection(workspace, "s", path, OPTIONS.model_copy(update={"summary": True}))
    collection = open_collection(workspace, "s")
    assert collection.channel_names == ("bm25", "dense", "summary")
    assert collection.search.run("short", Setup().with_channel("summary", weight=1)).channels["summary"].ids == ("a",)


def test_an_unchanged_chunk_is_not_encoded_again(workspace, tmp_path, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "cache"))
    texts = {"a": "red kite", "b": "blue kite"}
    first = build_collection(workspace, "kites", write(tmp_path, texts), OPTIONS).manifest
    assert (first.embedded, first.reused) == (2, 0)
    second = build_collection(workspace, "kites", write(tmp_path, {**texts, "b": "green kite"}), OPTIONS).manifest
    assert (second.embedded, second.reused) == (1, 1)


def test_a_cancelled_build_leaves_the_one_in_use(workspace, tmp_path):
    source = write(tmp_path, {"a": "red kite"})
    build_collection(workspace, "kites", source, OPTIONS)

    class Cancelled(Exception):
        pass

    def cancel(stage, done, total):
        if stage == "write":
            raise Cancelled

    with pytest.raises(Cancelled):
        build_collection(workspace, "kites", write(tmp_path, {"a": "blue lamp"}), OPTIONS, progress=cancel)
    assert found(workspace, "kites", "kite") == ["a"]
    assert sorted(path.name for path in workspace.folder("kites").iterdir())[-1] == "current"
    assert len(list(workspace.folder("kites").iterdir())) == 2


def test_a_killed_build_leaves_the_one_in_use_and_no_lock(workspace, tmp_path):
    build_collection(workspace, "kites", write(tmp_path, {"a": "red kite"}), OPTIONS)
    many = write(tmp_path, {f"d{n}": f"lamp number {n}" for n in range(20_000)}, "many.jsonl")
    environment = {**os.environ, "RANKSCOPE_HOME": str(workspace.root), "RANKSCOPE_CACHE": str(tmp_path / "cache")}
    call = [sys.executable, "-m", "engine", "index", "kites", "--from", str(many), "--encoder", "hash"]
    process = subprocess.Popen(
        [*call, "--language", "en", "--progress", "json"], stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True
    )
    for line in process.stdout:
        if '"embedding"' in line:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert list(workspace.folder("kites").glob("*.partial")), "it was killed in the middle"
    assert found(workspace, "kites", "kite") == ["a"]
    build_collection(workspace, "kites", write(tmp_path, {"a": "green kite"}), OPTIONS)
    assert not list(workspace.folder("kites").glob("*.partial"))


@pytest.mark.parametrize(("encoder", "most"), [(NO_ENCODER, 20_000), ("hash", 1_000_000)])
def test_a_full_disk_is_said_and_the_build_in_use_stays(workspace, tmp_path, monkeypatch, encoder, most):
    # 2,000 vectors of 256 x 4 bytes are 2 MB: only they are beyond 1,000,000 bytes
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path / "cache"))
    build_collection(workspace, "kites", write(tmp_path, {"a": "red kite"}), OPTIONS)
    texts = {f"d{n}": f"lamp number {n} " * 20 for n in range(2_000)}
    source = write(tmp_path, texts, "many.jsonl")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        with pytest.raises(RankScopeError, match="The disk is full, so 'kites' could not be built"):
            build_collection(workspace, "kites", source, OPTIONS.model_copy(update={"encoder": encoder}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert found(workspace, "kites", "kite") == ["a"]
    assert not list(workspace.folder("kites").glob("*.partial"))


@pytest.mark.skipif(sys.platform != "linux", reason="/sys is where nobody may write on Linux, root neither")
def test_a_closed_folder_is_said(tmp_path):
    with pytest.raises(RankScopeError, match="cannot be written to"):
        build_collection(Workspace(Path("/sys/rankscope")), "kites", write(tmp_path, {"a": "red kite"}), OPTIONS)


def test_a_bad_name_or_source_builds_nothing(workspace, tmp_path):
    with pytest.raises(BadInput, match="cannot be the name"):
        build_collection(workspace, "../kites", write(tmp_path, {"a": "x"}), OPTIONS)
    with pytest.raises(BadInput, match="absent"):
        build_collection(workspace, "kites", tmp_path / "absent.csv", OPTIONS)
    assert workspace.names() == ()


def test_two_processes_read_while_one_rebuilds(workspace, tmp_path):
    build_collection(workspace, "kites", write(tmp_path, {f"d{n}": f"kite {n}" for n in range(300)}), OPTIONS)
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom engine.store.workspace import Workspace\n"
        "from engine.store.collection import open_collection\nfrom engine.types import Setup\n"
        "end = time.monotonic() + float(sys.argv[2])\nruns = 0\n"
        "while time.monotonic() < end or not runs:\n"
        "    trace = open_collection(Workspace(Path(sys.argv[1])), 'kites').search.run('kite', Setup())\n"
        "    assert len(trace.final) >= 100\n    runs += 1\n"
        "print(runs)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(workspace.root), "6"], stdout=subprocess.PIPE, env=environment, text=True
        )
        for _ in range(2)
    ]
    end = time.monotonic() + 6
    while time.monotonic() < end:
        rebuild_collection(workspace, "kites")
    assert all(int(reader.communicate()[0]) >= 1 for reader in readers)
    assert [reader.returncode for reader in readers] == [0, 0]


@pytest.mark.model
def test_documents_are_cut_by_the_tokens_of_the_encoder_that_reads_them(workspace, tmp_path):
    # No encoder and no language are named: the texts are English, so MiniLM reads them, 256 tokens at once. It makes
    # more tokens of a code than E5, by whose count the passages would be too long for it.
    sentence = "The part HBQK{n:03}-02 replaces the part I21.9-{n} of the pump, says note XK-{n}77/B in the manual. "
    text = "# Parts\n\n" + "".join(sentence.format(n=n) for n in range(120))
    (tmp_path / "parts.md").write_text(text)
    built = build_collection(workspace, "parts", tmp_path / "parts.md", BuildOptions())
    assert (built.manifest.encoder, built.manifest.options.encoder) == ("minilm", None)
    assert built.manifest.chunks > 5
    assert built.report.long_chunks == ()


def test_without_an_encoder_documents_are_cut_by_words(workspace, tmp_path):
    (tmp_path / "words.md").write_text("# Words\n\n" + "one two three four. " * 200)
    built = build_collection(workspace, "words", tmp_path / "words.md", BuildOptions(encoder=NO_ENCODER))
    assert built.manifest.chunks > 1
    with pytest.raises(RankScopeError, match="no encoder was named"):
        build_collection(workspace, "words", tmp_path / "words.md", BuildOptions(encoder="precomputed"))


def test_what_is_blank_is_told_by_the_fields_that_are_searched(workspace, tmp_path):
    # a has a title alone: with titles searched only c is blank, without them a is, too
    path = tmp_path / "t.jsonl"
    lines = [{"id": "a", "title": "kite", "text": ""}, {"id": "b", "text": "lamp"}, {"id": "c", "text": "!"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for fields, blank in ((("title", "text"), ("c",)), (("text",), ("a", "c"))):
        options = OPTIONS.model_copy(update={"bm25_fields": fields})
        built = build_collection(workspace, "t", path, options)
        assert (built.report.blank, built.manifest.searchable) == (blank, 3 - len(blank))
