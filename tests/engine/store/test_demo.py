import json

from engine.store.build import build_collection
from engine.store.collection import open_collection
from engine.store.demo import DEMO, build_demo, demo_collections
from engine.store.manifest import BuildOptions


def demo_folder(kites_source):
    about = {"name": "kites", "title": "Kites", "language": "en", "description": "Kites.", "encoder": "hash"}
    (kites_source / "collection.json").write_text(json.dumps(about))
    return kites_source.parent


def test_what_is_missing_is_built_once(workspace, kites_source):
    folder = demo_folder(kites_source)
    assert build_demo(workspace, folder=folder).built == ("kites",)
    assert build_demo(workspace, folder=folder).built == ()
    collection = open_collection(workspace, "kites")
    assert (collection.title, len(collection.corpus), len(collection.queries)) == ("Kites", 3, 1)
    assert collection.manifest.options.built_in


def test_what_changed_is_built_again(workspace, kites_source):
    folder = demo_folder(kites_source)
    build_demo(workspace, folder=folder)
    with (kites_source / "chunks.jsonl").open("a") as file:
        file.write('{"id": "new", "text": "a new chunk"}\n')
    assert build_demo(workspace, folder=folder).built == ("kites",)
    (kites_source / "qrels.tsv").write_text("q1\t007\t1\n")
    assert build_demo(workspace, folder=folder).built == ("kites",)
    assert dict(open_collection(workspace, "kites").qrels.of("q1")) == {"007": 1}


def test_a_damaged_one_is_built_again(workspace, kites_source):
    folder = demo_folder(kites_source)
    build_demo(workspace, folder=folder)
    (workspace.current("kites") / "report.json").write_text("{")
    assert build_demo(workspace, folder=folder).built == ("kites",)


def test_one_whose_pointer_or_index_is_damaged_is_built_again(workspace, kites_source):
    folder = demo_folder(kites_source)
    build_demo(workspace, folder=folder)
    for damage in (b"", b"20300101T000000-00000000"):
        (workspace.folder("kites") / "current").write_bytes(damage)
        assert build_demo(workspace, folder=folder).built == ("kites",)
    (workspace.current("kites") / "dense" / "dense.json").write_text("{}")
    assert build_demo(workspace, folder=folder).built == ("kites",)
    assert not open_collection(workspace, "kites").search.unavailable
    assert build_demo(workspace, folder=folder).built == ()


def test_a_damaged_pointer_of_the_users_own_is_never_replaced(workspace, kites_source):
    build_collection(workspace, "kites", kites_source, BuildOptions(encoder="none", title="Mine"))
    (workspace.folder("kites") / "current").write_text("")
    done = build_demo(workspace, folder=demo_folder(kites_source))
    assert (done.built, dict(done.failed)) == ((), {})


def test_a_collection_of_the_users_own_stays(workspace, kites_source):
    build_collection(workspace, "kites", kites_source, BuildOptions(encoder="none", title="Mine"))
    assert build_demo(workspace, folder=demo_folder(kites_source)).built == ()
    assert open_collection(workspace, "kites").title == "Mine"


def test_the_field_guide_comes_first():
    assert demo_collections()[0][0].name == "field-guide"
    assert all(folder.parent == DEMO for _, folder in demo_collections())


def test_a_damaged_collection_of_the_users_own_is_never_replaced(workspace, kites_source):
    build_collection(workspace, "kites", kites_source, BuildOptions(encoder="none", title="Mine"))
    (workspace.current("kites") / "manifest.json").write_text('{"format": 99, "options": {}}')
    assert build_demo(workspace, folder=demo_folder(kites_source)).built == ()


def test_one_that_cannot_be_built_stops_no_other(workspace, kites_source):
    folder = demo_folder(kites_source)
    broken = folder / "broken"
    broken.mkdir()
    about = json.loads((kites_source / "collection.json").read_text()) | {"name": "broken", "encoder": "no/such"}
    (broken / "collection.json").write_text(json.dumps(about))
    (broken / "chunks.jsonl").write_text('{"id": "a", "text": "a"}\n')
    done = build_demo(workspace, folder=folder)
    assert done.built == ("kites",)
    assert "no/such" in done.failed["broken"]
