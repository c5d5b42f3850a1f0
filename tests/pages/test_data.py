"""What the Data page does, without a browser. Field cases 45, 49, 54 and 55."""

import json
import os
import time
from pathlib import Path

import pytest

from engine.store.build import build_collection
from engine.store.collection import open_collection
from engine.store.manifest import BuildOptions
from engine.store.workspace import Workspace
from pages.components import resources
from pages.components.draft import rebuild_arguments

SEMICOLONS = b"\xef\xbb\xbfid;text\r\n1;a, b\r\n007;<b>caf\xc3\xa9</b>\r\n"


@pytest.fixture
def data(app, build, tmp_path):
    """A session on the Data page over a workspace of its own, with one collection `colours`."""
    root = tmp_path / "workspace"
    build(root, "colours", [{"_id": "1", "text": "red red"}], "Red & <b>blue</b>")

    def open_page(**params):
        session = app(root=root, **params).run()
        return check(session.switch_page("pages/data.py").run())

    open_page.root = root
    return open_page


def check(session):
    assert not session.exception
    return session


def html(session):
    return "\n".join(element.proto.body for element in session.get("html"))


def keys(session):
    return [button.key for button in session.button]


def source(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return str(path)


def take(data, path):
    session = data(data__view="new")
    session.text_input(key="knob.data.path").set_value(path)
    return check(session.run())


def until(session, text):
    for _ in range(600):
        check(session.run())
        if text in html(session):
            return html(session)
        time.sleep(0.1)
    raise AssertionError(f"{text!r} did not appear in {html(session)}")


def manage(session, name):
    session.session_state[f"manage.{name}"] = True
    return check(session.run())


def test_the_collections_are_listed_with_their_state(data):
    shown = html(data())
    assert "Red &amp; &lt;b&gt;blue&lt;/b&gt;" in shown
    assert "1 chunks · English · Hashed words (no model)" in shown
    assert '<span class="rs-state rs-up-to-date">up to date</span>' in shown


def test_without_a_collection_the_way_to_one_is_told(app, tmp_path):
    session = app(root=tmp_path / "empty").run()
    assert "No collection yet" in html(check(session.switch_page("pages/data.py").run()))


def test_a_semicolon_file_with_a_byte_mark_is_previewed_as_text(data, tmp_path):
    session = take(data, source(tmp_path, "semi.csv", SEMICOLONS))
    rows = session.dataframe[0].value
    assert list(rows.columns) == ["id", "text"]
    assert rows.to_numpy().tolist() == [["1", "a, b"], ["007", "<b>café</b>"]]
    assert "encoding utf-8-sig · separated by ;" in html(session)
    assert session.selectbox(key="knob.data.map.id").value == "id"
    assert session.text_input(key="knob.data.name").value == "semi"


def test_an_upload_sweeps_what_others_left(data):
    left = data.root / "uploads" / "left"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    session = data(data__view="new")
    session.file_uploader(key="data.upload").set_value(("birds.csv", b"id,text\na,red kite\n", "text/csv")).run()
    assert check(session).text_input(key="knob.data.name").value == "birds"
    assert not left.exists()


def choice(session, label):
    return next(box for box in session.selectbox if box.label == label)


def test_an_old_encoding_is_proposed_and_can_be_changed(data, tmp_path):
    content = "id;text\n1;café crème à emporter, déjà prêt\n".encode("cp1252")
    session = take(data, source(tmp_path, "old.csv", content))
    assert "café crème" in session.dataframe[0].value["text"][0]
    assert "a guess from its bytes" in html(session)
    choice(session, "Encoding").set_value("mac-roman").run()
    assert "café" not in check(session).dataframe[0].value["text"][0]


def test_the_mapping_can_be_changed_and_another_delimiter_forgets_it(data, tmp_path):
    session = take(data, source(tmp_path, "a.csv", b"id;text;titre\n1;long enough text;x\n"))
    session.selectbox(key="knob.data.map.title").set_value("").run()
    assert check(session).selectbox(key="knob.data.map.title").value == ""
    assert any("titre" in caption.value for caption in session.caption)
    choice(session, "Delimiter").set_value("|").run()
    assert check(session).dataframe[0].value.columns.tolist() == ["id;text;titre"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty.csv is empty."),
        ("broken.xlsx", b"PK\x03\x04 no archive", "broken.xlsx cannot be read as an Office file"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        ("a.xyz", b"text", "is of no format known here"),
    ],
)
def test_what_cannot_be_read_is_told_with_the_next_step(data, tmp_path, name, content, said):
    session = take(data, source(tmp_path, name, content))
    assert 'role="alert"' in html(session)
    assert said in html(session)
    assert "data.build" not in keys(session)


def test_a_path_that_does_not_exist_is_told(data):
    assert "/no/such/file.csv does not exist." in html(take(data, "/no/such/file.csv"))


@pytest.mark.parametrize("name", ["../up", "", "."])
def test_an_impossible_name_is_told_and_cannot_be_built(data, tmp_path, name):
    session = take(data, source(tmp_path, "a.csv", b"id,text\n1,x\n"))
    session.text_input(key="knob.data.name").set_value(name).run()
    assert "cannot be the name of a collection" in html(check(session))
    assert session.button(key="data.build").disabled


def test_an_existing_name_is_said_to_be_replaced(data, tmp_path):
    session = take(data, source(tmp_path, "colours.csv", b"id,text\n1,x\n"))
    assert "takes the place of the collection colours, of 1 chunks" in html(session)
    assert session.button(key="data.build").label == "Build and replace"


def test_a_document_shows_where_the_cuts_fall(data, tmp_path):
    text = "# Trains\n\n" + " ".join(f"Train {number} leaves at ten." for number in range(80))
    session = take(data, source(tmp_path, "guide.md", text.encode()))
    session.selectbox(key="knob.data.encoder").set_value("none").run()
    assert "At most 256 words" in html(check(session))
    session.number_input(key="knob.data.max_tokens").set_value(40).run()
    assert "At most 40 words" in html(check(session))
    assert html(session).count('class="rs-passage"') > 4


def test_a_build_is_followed_reported_searched_and_seen_by_another_session(data, app, tmp_path):
    content = b"id,text\na,red kite\nb,blue kite\na,green kite\n"
    session = take(data, source(tmp_path, "birds.csv", content))
    session.selectbox(key="knob.data.encoder").set_value("hash").run()
    session.selectbox(key="knob.data.repeated").set_value("first").run()
    session.button(key="data.build").click().run()
    check(session)
    assert "data.build" not in keys(session)
    shown = until(session, "birds is built")
    assert "3 rows read, 1 repeated id: a." in shown
    assert session.dataframe[0].value["Where"][0].startswith("row 3")
    assert "Bring your own texts" in shown
    next(button for button in session.button if button.label == "Search it").click().run()
    check(session.run())
    assert session.query_params["c"] == "birds"


def test_a_build_that_is_refused_says_why_and_keeps_the_draft(data, tmp_path):
    session = take(data, source(tmp_path, "twice.csv", b"id,text\na,red\na,blue\n"))
    session.selectbox(key="knob.data.encoder").set_value("none").run()
    session.button(key="data.build").click().run()
    assert "1 repeated id: a" in until(session, "twice could not be built.")
    assert "data.build" in keys(session)
    assert "twice" not in Workspace(data.root)
    next(button for button in session.button if button.label == "Close").click().run()
    assert "could not be built" not in html(check(session))
    assert session.selectbox(key="knob.data.encoder").value == "none"
    assert session.text_input(key="knob.data.name").value == "twice"


def test_a_build_of_somebody_else_leaves_the_draft(data, tmp_path):
    session = take(data, source(tmp_path, "fish.csv", b"id,text\na,red\n"))
    resources.jobs().start("colours", rebuild_arguments("colours", None))
    until(session, "colours is built")
    next(button for button in session.button if button.label == "Search it").click().run()
    check(session.switch_page("pages/data.py").run())
    session.segmented_control(key="knob.data.view").set_value("new").run()
    assert check(session).text_input(key="knob.data.name").value == "fish"


def test_two_choices_in_one_run_are_both_kept(data, tmp_path):
    session = take(data, source(tmp_path, "a.csv", b"id,text\na,red\n"))
    session.text_input(key="knob.data.name").set_value("herons")
    session.selectbox(key="knob.data.encoder").set_value("hash")
    check(session.run())
    assert session.text_input(key="knob.data.name").value == "herons"
    assert session.selectbox(key="knob.data.encoder").value == "hash"


@pytest.mark.parametrize("encoder", [None, "hash"])
def test_a_rebuild_keeps_the_vectors_of_the_source_unless_the_encoder_is_changed(data, tmp_path, encoder):
    given = [[1.0, *[0.0] * 255], [0.6, 0.8, *[0.0] * 254]]
    lines = [json.dumps({"id": str(row), "text": f"kite {row}", "vector": given[row]}) for row in range(2)]
    path = source(tmp_path, "own.jsonl", "\n".join(lines).encode())
    build_collection(Workspace(data.root), "own", Path(path), BuildOptions(encoder=encoder))
    session = manage(data(), "own")
    session.button(key="rebuild.own.go").click().run()
    until(session, "own is built")
    dense = open_collection(Workspace(data.root), "own").search.channels["dense"]
    assert dense.vector("1")[:2].tolist() == pytest.approx([0.6, 0.8])


def test_rename_and_delete_ask_and_do(data):
    session = manage(data(c="colours"), "colours")
    session.text_input(key="rename.colours").set_value("../x")
    session.button(key="rename.colours.go").click().run()
    assert "cannot be the name of a collection" in html(check(session))
    session.text_input(key="rename.colours").set_value("hues")
    session.button(key="rename.colours.go").click().run()
    assert Workspace(data.root).names() == ("hues",)
    assert session.query_params["c"] == "hues"
    manage(session, "hues")
    session.button(key="delete.hues").click().run()
    assert "Delete <b>hues</b> and its 1 chunks for good?" in html(check(session))
    session.button(key="delete.hues.no").click().run()
    session.button(key="delete.hues").click().run()
    session.button(key="delete.hues.yes").click().run()
    assert Workspace(data.root).names() == ()
    assert "No collection yet" in html(check(session))


def test_what_was_refused_is_forgotten_with_its_draft_and_with_a_change_of_it(data, tmp_path):
    judged = ("queries.tsv", b"q1\tred\n", "text/tab-separated-values")
    session = take(data, source(tmp_path, "a.csv", b"id,text\na,red\n"))
    session.file_uploader(key="data.queries").set_value(judged).run()
    session.button(key="data.build").click().run()
    assert "Queries and judgments belong together." in html(check(session))
    session.text_input(key="knob.data.title").set_value("Reds").run()
    assert "belong together" not in html(check(session))
    session.button(key="data.build").click().run()
    session.button(key="data.another").click().run()
    assert "belong together" not in html(check(session))
    session.text_input(key="knob.data.path").set_value(source(tmp_path, "b.csv", b"id,text\na,red\n")).run()
    assert "belong together" not in html(check(session))


def test_a_path_that_was_refused_is_forgotten_once_another_source_is_taken(data, tmp_path):
    session = take(data, "/no/such/file.csv")
    session.file_uploader(key="data.upload").set_value(("birds.csv", b"id,text\na,red kite\n", "text/csv")).run()
    session.button(key="data.another").click().run()
    assert "does not exist" not in html(check(session))


def refuse(*args, **kwargs):
    raise OSError(28, "No space left on device", "somewhere")


@pytest.mark.parametrize("key", ["data.upload", "data.queries"])
def test_a_full_disk_refuses_an_upload_and_says_so(data, tmp_path, monkeypatch, key):
    session = (
        data(data__view="new") if key == "data.upload" else take(data, source(tmp_path, "a.csv", b"id,text\n1,x\n"))
    )
    monkeypatch.setattr(Path, "write_bytes", refuse)
    session.file_uploader(key=key).set_value(("birds.csv", b"id,text\na,red kite\n", "text/csv")).run()
    assert "No space left on device (somewhere)" in html(check(session))
    monkeypatch.undo()
    assert not list((data.root / "uploads").glob("*/source/*"))


@pytest.mark.parametrize("action", ["rebuild", "rename", "delete"])
def test_what_the_system_refuses_is_told_on_the_shelf(data, monkeypatch, action):
    session = manage(data(), "colours")
    if action == "delete":
        session.button(key="delete.colours").click().run()
    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr("subprocess.Popen", refuse)
    session.text_input(key="rename.colours").set_value("hues")
    session.button(key={"delete": "delete.colours.yes"}.get(action, f"{action}.colours.go")).click().run()
    told = {"rebuild": "No space left on device (somewhere)"}.get(action, "The disk is full")
    assert told in html(check(session))


def test_a_second_upload_of_the_same_file_is_recognised(data):
    def send(content):
        session = data(data__view="new")
        session.file_uploader(key="data.upload").set_value(("birds.csv", content, "text/csv")).run()
        return check(session)

    session = send(b"id,text\na,red kite\n")
    assert "this very file" not in html(session)
    session.selectbox(key="knob.data.encoder").set_value("none").run()
    session.button(key="data.build").click().run()
    until(session, "birds is built")
    assert "The collection birds was built from this very file" in html(send(b"id,text\na,red kite\n"))
    assert "this very file" not in html(send(b"id,text\na,red cite\n"))


@pytest.mark.model
def test_where_the_encoder_cuts_rows_off_cutting_them_into_passages_is_offered(data, tmp_path):
    words = " ".join(f"kite {number}" for number in range(300))
    session = take(data, source(tmp_path, "long.csv", f"id,text\na,{words}\nb,lamp\n".encode()))
    session.selectbox(key="knob.data.encoder").set_value("minilm").run()
    session.button(key="data.build").click().run()
    assert "1 of 2 chunks exceed the 256 tokens" in until(session, "long is built")
    assert "Cut long records into passages to have all of them read." in html(session)
    next(button for button in session.button if button.label == "Cut long records into passages").click().run()
    assert check(session).toggle(key="knob.data.split").value
    assert session.text_input(key="knob.data.name").value == "long"


def damage(root, name, what):
    """Damages a collection as a full disk or a hand in the wrong folder does."""
    folder = root / "collections" / name
    if what == "manifest":
        next(folder.glob("*/manifest.json")).write_bytes(b"{")
    elif what == "folder":
        (folder / "current").unlink()
        (folder / "current").mkdir()
    else:
        (folder / "current").write_text("" if what == "pointer" else "20200101-gone")


DAMAGES = ("pointer", "manifest", "gone", "folder")


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_collection_is_a_row_with_its_reason_and_the_others_go_on(data, app, build, what):
    build(data.root, "zebras", [{"_id": "1", "text": "striped"}])
    damage(data.root, "colours", what)
    session = check(app(root=data.root, q="striped").run())
    assert session.query_params["c"] == "zebras"
    check(session.switch_page("pages/data.py").run())
    assert '<h3 class="rs-panel-title">colours <span class="rs-state rs-damaged">damaged</span></h3>' in html(session)
    assert 'class="rs-quiet rs-reason"' in html(session)
    assert session.button(key="open.colours").disabled
    manage(session, "colours")
    assert {"again.colours", "delete.colours"} <= set(keys(session))


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_collection_in_the_address_is_told_not_thrown(data, app, what):
    damage(data.root, "colours", what)
    assert 'role="alert"' in html(check(app(root=data.root, c="colours", q="red").run()))


@pytest.mark.parametrize("what", ["pointer", "manifest"])
def test_a_damaged_collection_can_be_loaded_again_from_its_source(data, what):
    damage(data.root, "colours", what)
    session = manage(data(), "colours")
    session.button(key="again.colours").click().run()
    assert check(session).query_params["data.view"] == "new"
    if what == "pointer":  # the record of the build still says from what it was made, and how
        assert session.text_input(key="knob.data.name").value == "colours"
        assert session.selectbox(key="knob.data.encoder").value == "hash"
        assert session.text_input(key="knob.data.title").value == "Red & <b>blue</b>"
    else:
        assert "Bring your own texts" in html(session)


def test_a_damaged_collection_can_be_deleted(data):
    damage(data.root, "colours", "manifest")
    session = manage(data(), "colours")
    session.button(key="delete.colours").click().run()
    session.button(key="delete.colours.yes").click().run()
    assert "No collection yet" in html(check(session))


@pytest.mark.parametrize("page", ["search", "chunks", "data"])
def test_a_workspace_that_is_a_file_is_told_on_every_page(app, tmp_path, page):
    root = tmp_path / "workspace"
    root.write_text("no folder")
    session = check(app(root=root).run())
    check(session.switch_page(f"pages/{page}.py").run())
    assert "is no folder." in html(session)
    assert "Set RANKSCOPE_HOME to a folder." in html(session)


def test_what_is_no_collection_is_passed_over(data):
    (data.root / "collections" / ".trash").mkdir()
    (data.root / "collections" / ".trash" / "current").write_text("x")
    shown = html(data())
    assert "1 chunks" in shown
    assert ".trash" not in shown


def test_deleting_the_open_collection_leaves_its_filters_behind(data, build):
    build(data.root, "zebras", [{"_id": "1", "text": "striped"}])
    session = manage(data(c="colours", at="1", filter__domain="y", pin="1", pin__filter__domain="y"), "colours")
    session.button(key="delete.colours").click().run()
    session.button(key="delete.colours.yes").click().run()
    assert check(session).query_params == {"c": "zebras", "pin": "1"}


def test_the_analyser_shows_what_becomes_of_a_text(data):
    session = data(data__view="analyser", data__language="fr", q="l'hôpital")
    assert "Nothing to analyse yet" in html(session)
    session.button(key="analyse.query").click().run()
    assert '<span class="rs-cut" title="elision; elided before a vowel">l&#x27;</span>' in html(check(session))
    assert list(session.dataframe[0].value["Surface"]) == ["l'", "hôpital"]
    session.text_area(key="knob.data.text").set_value("<b>I21.9</b>").run()
    assert "<b>" not in html(check(session)).split("rs-analysis")[1]


def test_collections_of_one_title_can_each_be_chosen(data, build):
    build(data.root, "tints", [{"_id": "1", "text": "blue blue"}], "Red & <b>blue</b>")
    session = data()
    titles = [f"Red & <b>blue</b> ({name})" for name in ("colours", "tints")]
    assert choice(session, "Collection").options == titles
    for name, title in zip(("tints", "colours"), reversed(titles), strict=True):
        choice(session, "Collection").set_value(title).run()
        assert check(session).query_params["c"] == name
