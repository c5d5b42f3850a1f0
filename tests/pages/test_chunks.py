"""What the Chunks page does, without a browser. Field cases 50 and 54."""

import pytest

from engine.channels.dense import DenseChannel
from engine.errors import Unavailable
from pages.components import chunk_view, opening

QUERY = "reset my password"


@pytest.fixture
def chunks(app):
    """A session on the Chunks page; marks as `chunks__find`."""

    def open_page(**params):
        session = app(**params).run()
        session.switch_page("pages/chunks.py").run()
        assert not session.exception
        return session

    return open_page


def html(session):
    return "\n".join(element.proto.body for element in session.get("html"))


def table(session):
    return session.dataframe[0].value


def test_every_chunk_is_listed_with_its_length(chunks):
    rows = table(chunks(c="help"))
    assert list(rows["Id"])[:2] == ["d00", "d01"]
    assert len(rows) == 14
    assert "Language" not in rows
    assert (rows["Terms"] > 0).all()


def test_words_to_find_and_order_are_in_the_address(chunks):
    session = chunks(c="help")
    session.text_input(key="knob.chunks.find").set_value("PASSWORD managers").run()
    assert list(table(session)["Id"]) == ["d05"]
    assert session.query_params["chunks.find"] == "PASSWORD managers"
    session.text_input(key="knob.chunks.find").set_value("").run()
    session.selectbox(key="knob.chunks.order").set_value("longest").run()
    assert list(table(session)["Terms"]) == sorted(table(session)["Terms"], reverse=True)


def test_nothing_left_says_what_to_loosen(chunks):
    session = chunks(c="help", chunks__find="zebra")
    assert "No chunk is left" in html(session)


def test_the_filters_above_hold_here_and_are_named(chunks):
    session = chunks(c="help", filter__metadata__area="login")
    assert "7 of 14 chunks are left" in html(session)
    assert len(table(session)) == 7


def test_a_selected_chunk_is_opened_with_its_path_and_the_query_stays(chunks):
    session = chunks(c="help", q=QUERY, at="d00")
    shown = html(session)
    assert "Shown at rank 1." in shown
    assert "step by step, with the <mark" in shown
    assert session.query_params["q"] == QUERY
    session.switch_page("pages/search.py").run()
    assert session.query_params["q"] == QUERY
    assert session.query_params["at"] == "d00"


def test_next_and_previous_walk_through_the_document(chunks):
    session = chunks(c="help", at="d00")
    assert session.button(key="chunk.Previous").disabled
    session.button(key="chunk.Next").click().run()
    assert session.query_params["at"] == "d01"
    assert "Account lockout" in html(session)
    session.button(key="chunk.close").click().run()
    assert "at" not in session.query_params


def test_the_nearest_chunks_are_offered(chunks):
    session = chunks(c="help", at="d00")
    for _ in range(100):
        nearest = [button for button in session.button if (button.key or "").startswith("chunk.nearest.")]
        if nearest:
            break
        session.run()
    assert len(nearest) == 6
    nearest[0].click().run()
    assert session.query_params["at"] != "d00"


def test_the_nearest_chunks_are_computed_once_and_need_no_encoder(chunks, monkeypatch):
    asked = []
    neighbours = DenseChannel.neighbours

    def noted(self, chunk_id, n):
        asked.append(chunk_id)
        return neighbours(self, chunk_id, n)

    monkeypatch.setattr(DenseChannel, "neighbours", noted)
    monkeypatch.setattr(opening, "warm_up", lambda opened: None)  # the encoder never comes
    session = chunks(c="help", at="d00").run()
    nearest = [button for button in session.button if (button.key or "").startswith("chunk.nearest.")]
    assert len(nearest) == 6
    assert asked == ["d00"]
    assert "tokens (hash" not in html(session)


def test_tokens_are_counted_once_the_encoder_is_there_and_a_missing_one_is_not_remembered(chunks, monkeypatch):
    load = chunk_view.load_encoder
    missing = []

    def lost(name):
        missing.append(name)
        raise Unavailable("It is not there.", "Install it.")

    monkeypatch.setattr(chunk_view, "load_encoder", lost)
    session = chunks(c="help", at="d00")
    for _ in range(100):
        if missing:
            break
        session.run()
    assert "tokens (hash" not in html(session)
    monkeypatch.setattr(chunk_view, "load_encoder", load)
    assert "tokens (hash)" in html(session.run())


def test_text_is_shown_as_text(chunks):
    session = chunks(c="tiny", at="a<b>1</b>")
    shown = html(session)
    assert "&lt;b&gt;tag&lt;/b&gt;" in shown
    assert "<img" not in shown
    assert "<b>tag" not in shown


def test_an_unknown_chunk_is_named(chunks):
    assert "No chunk has the id &#x27;gone&#x27;." in html(chunks(c="help", at="gone"))


def test_impossible_marks_of_a_link_are_passed_over(chunks):
    session = chunks(c="help", chunks__marks="evil|same text", chunks__order="evil", chunks__page="99~")
    assert len(table(session)) == 14


def test_marks_that_another_collection_lacks_do_not_hold_there(chunks, build, tmp_path):
    root = tmp_path / "workspace"
    build(
        root, "twins", [{"_id": "1", "text": "red kite"}, {"_id": "2", "text": "red kite"}, {"_id": "3", "text": "x"}]
    )
    build(root, "zebras", [{"_id": "z", "text": "striped"}])
    session = chunks(root=root, c="twins", chunks__marks="same text")
    assert list(table(session)["Id"]) == ["1", "2"]
    session.sidebar.selectbox[0].select("zebras").run()
    assert not session.exception
    assert list(table(session)["Id"]) == ["z"]
