"""What the Search page does, without a browser. Field cases 50, 52, 54 and 55."""

import time

from engine.channels.dense import DenseChannel
from engine.errors import Unavailable, UnknownName
from pages.components import explore, opening

QUERY = "reset my password"


def html(session):
    return "\n".join(element.proto.body for element in session.get("html"))


def board(session):
    """What the board is given to draw."""
    return "".join(str(element.proto) for element in session.get("bidi_component"))


def knob(session, label):
    return next(box for box in session.number_input if box.label == label)


def button(session, label):
    return next(each for each in session.button if each.label == label)


def results(session, dense=True):
    """Runs the session until the dense channel has joined, and checks that nothing failed."""
    for _ in range(100):
        session.run()
        assert not session.exception
        if not dense or "Dense" in html(session):
            return session
        time.sleep(0.1)
    raise AssertionError("The dense channel did not join.")


def test_without_a_query_the_examples_are_offered(app):
    session = app(c="help").run()
    assert not session.exception
    assert session.title[0].value == "RankScope: see why every result ranks where it does"
    assert "Search Help desk" in html(session)
    button(session, QUERY).click().run()
    assert session.query_params["q"] == QUERY
    assert "results in 14 chunks" in html(session)


def test_without_a_collection_it_says_what_to_do(app, tmp_path):
    session = app(root=tmp_path).run()
    assert not session.exception
    assert "No collection yet" in html(session)


def test_an_unknown_collection_is_named_and_others_are_offered(app):
    session = app(c="nope", q="x").run()
    assert "There is no collection &#x27;nope&#x27;." in html(session)
    assert session.selectbox[0].options == ["Help desk", "Two <b>chunks</b>"]
    session.selectbox[0].select("help").run()
    assert session.query_params["c"] == "help"
    assert "results in 14 chunks" in html(session)


def test_the_address_holds_what_the_knobs_say_and_gives_it_back(app):
    session = results(app(c="help", q=QUERY))
    knob(session, "Dense weight").set_value(0.7).run()
    knob(session, "RRF k").set_value(20.0).run()
    address = session.query_params
    assert (address["weight.dense"], address["k"]) == ("0.7", "20")
    other = results(app(c="help", q=QUERY, weight__dense="0.7", k="20"))
    assert (knob(other, "Dense weight").value, knob(other, "RRF k").value) == (0.7, 20.0)


def test_two_quick_changes_both_hold(app):
    session = results(app(c="help", q=QUERY))
    knob(session, "RRF k").set_value(20.0)
    knob(session, "Depth").set_value(5)
    session.run()
    knob(session, "RRF k").set_value(30.0).run()
    assert (session.query_params["k"], session.query_params["depth.bm25"]) == ("30", "5")


def test_impossible_values_in_a_link_fall_back_with_a_note(app):
    session = app(c="help", q=QUERY, k="abc", weight__dense="-1", view="evil").run()
    assert "RRF k cannot be &#x27;abc&#x27;" in html(session)
    assert "There is no view &#x27;evil&#x27;" in html(session)
    assert knob(session, "RRF k").value == 60.0
    assert "k" not in session.query_params


def test_an_emptied_knob_keeps_its_value(app):
    session = results(app(c="help", q=QUERY, k="20"))
    knob(session, "RRF k").set_value(None).run()
    assert knob(session, "RRF k").value == 20.0


def test_reset_brings_every_knob_back(app):
    session = results(app(c="help", q=QUERY, k="20", weight__dense="0", bm25__k1="2", filter__metadata__area="login"))
    button(session, "Reset").click().run()
    assert session.query_params == {"c": "help", "q": QUERY}
    assert button(session, "Reset").disabled


def test_a_pin_keeps_the_setup_to_compare_with(app):
    session = results(app(c="help", q=QUERY, k="20", view="table"))
    button(session, "Pin").click().run()
    assert (session.query_params["pin"], session.query_params["pin.k"]) == ("1", "20")
    knob(session, "Dense weight").set_value(0.0).run()
    assert "vs pin" in session.dataframe[0].value.columns
    button(session, "Unpin").click().run()
    assert "pin" not in session.query_params
    assert "vs pin" not in session.dataframe[0].value.columns


def test_the_table_shows_every_list_and_the_grades(app):
    table = results(app(c="help", q=QUERY, view="table")).dataframe[0].value
    first = table.iloc[0]
    assert (first["#"], first["Id"], first["BM25 rank"], first["Grade"]) == (1, "d00", 1, "● 2")
    assert first["BM25 adds"] + first["Dense adds"] == first["Fused score"]
    assert "· not judged" in set(table["Grade"])


def test_cards_show_text_as_text_and_mark_only_what_was_found(app):
    shown = html(results(app(c="tiny", q="star", view="cards")))
    assert "&lt;b&gt;tag&lt;/b&gt;" in shown
    assert "*<mark" in shown
    assert "<img" not in shown
    assert "<b>tag" not in shown


def test_a_card_opens_the_whole_chunk(app):
    session = results(app(c="help", q=QUERY, view="cards"))
    session.button(key="cards.1.d00").click().run()
    assert session.query_params["at"] == "d00"
    assert "of the account 0." in html(session)
    button(session, "Close").click().run()
    assert "at" not in session.query_params


def test_a_selected_chunk_that_is_not_there_is_named(app):
    assert "No chunk has the id &#x27;gone&#x27;." in html(results(app(c="help", q=QUERY, at="gone")))


def test_a_small_collection_clamps_what_is_asked_for_and_says_so(app):
    session = results(app(c="tiny", q="star"))
    assert knob(session, "Results shown").value == 2
    assert "10 results are asked for; this collection has 2 chunks, so 2 is used." in html(session)
    session.selectbox[0].select("help").run()
    assert knob(session, "Results shown").value == 10


def test_a_single_score_switches_its_minimum_off_with_a_note(app):
    session = results(app(c="help", q="HBQK389-02"))
    session.session_state["sheet.Thresholds"] = True
    session.run()
    assert knob(session, "BM25\\: minimum score").disabled
    assert any("nothing to part" in caption.value for caption in session.caption)
    assert not knob(session, "Dense\\: minimum score").disabled


def test_no_result_says_which_stage_took_them(app):
    session = results(app(c="help", q=QUERY, fused_threshold="1"))
    assert "Nothing is left to show" in html(session)
    assert "14 by the fused threshold" in html(session)


def test_a_rebuilt_collection_never_answers_from_the_former_one(app, build, tmp_path):
    root = tmp_path / "workspace"
    build(root, "colours", [{"_id": "1", "text": "red red"}])
    session = results(app(root=root, c="colours", q="blue", weight__dense="0"))
    assert "0 of 0 results" in html(session)
    build(root, "colours", [{"_id": "1", "text": "blue blu"}])
    assert "1 of 1 results" in html(results(session))


def test_a_build_that_was_replaced_while_its_results_are_on_screen_is_told(app, build, tmp_path):
    root = tmp_path / "workspace"
    build(root, "colours", [{"_id": "1", "text": "red red"}])
    session = results(app(root=root, c="colours", q="blue", weight__dense="0"))
    assert "built anew" not in html(session)
    build(root, "colours", [{"_id": "1", "text": "blue blu"}])
    assert "colours was built anew since you last looked" in html(results(session))
    assert "built anew" in html(results(session))  # also after the model joined, and ran the page again
    knob(session, "RRF k").set_value(20.0).run()
    assert "built anew" not in html(session)


def test_a_channel_that_failed_once_is_asked_again(app, monkeypatch):
    session = results(app(c="help", q=QUERY))

    def lost(self, query, setup, allowed=None):
        raise Unavailable("The model is away.", "Fetch it.")

    with monkeypatch.context() as away:
        away.setattr(DenseChannel, "search", lost)
        knob(session, "RRF k").set_value(20.0).run()
        assert "The model is away." in board(session)
    assert "The model is away." not in board(session.run())


def test_a_collection_deleted_while_its_encoder_loads_is_told(app, build, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "warm_up", lambda opened: None)  # the encoder never comes
    root = tmp_path / "workspace"
    build(root, "colours", [{"_id": "1", "text": "red red"}])
    asked = []
    monkeypatch.setattr(explore.st, "rerun", lambda: asked.append(1))
    session = app(root=root, c="colours", q="red").run()
    assert not asked
    shown = explore.opening.desk

    def gone(name):
        if gone.drawn:
            raise UnknownName("There is no collection 'colours'.")
        gone.drawn = True
        return shown(name)

    gone.drawn = False
    monkeypatch.setattr(explore.opening, "desk", gone)
    session.run()
    assert not session.exception
    assert asked


def test_nothing_of_a_run_is_pinned_in_an_idle_tab(app):
    session = results(app(c="help", q=QUERY))
    assert "once_a_run" not in session.session_state


def test_a_value_below_what_the_box_offers_is_shown(app):
    assert knob(results(app(c="help", q=QUERY, k="0.005")), "RRF k").value == 0.005


def test_the_pin_keeps_what_was_asked_for_not_what_a_small_collection_allows(app):
    session = results(app(c="tiny", q="star"))
    button(session, "Pin").click().run()
    assert {name for name in session.query_params if name.startswith("pin")} == {"pin"}


def test_a_fusion_of_scores_is_named_and_leaves_k_idle(app):
    session = results(app(c="help", q=QUERY, fusion="wsum", normaliser="three-sigma").run())
    assert next(box for box in session.number_input if box.label == "RRF k").disabled
    assert not next(box for box in session.number_input if box.label == "BM25 weight").disabled
