"""Data: the collections and what can be done with them, a new one, and what the analysers do to a text."""

from pathlib import Path

import streamlit as st

from pages.components import choices, frame, intake, plan, resources, state
from pages.components.analyser_view import analyser_view
from pages.components.building import builds
from pages.components.draft import is_table
from pages.components.shelf import shelf

VIEWS = {"collections": "Collections", "new": "New collection", "analyser": "Analyser"}


def page() -> None:
    st.html(Path(__file__).parent / "components" / "data.css")
    view = view_switch()
    if view != "analyser":
        builds()
    {"collections": shelf, "new": new_collection, "analyser": analyser_view}[view]()


def view_switch() -> str:
    asked = state.current().mark("data.view")
    key = "knob.data.view"
    st.segmented_control(
        "View",
        list(VIEWS),
        format_func=VIEWS.__getitem__,
        key=state.seed(key, asked if asked in VIEWS else "collections"),
        required=True,
        label_visibility="collapsed",
        on_change=state.follow,
        args=(key, lambda now, view: now.with_mark("data.view", "" if view == "collections" else view)),
    )
    return asked if asked in VIEWS else "collections"


def new_collection() -> None:
    draft = intake.draft()
    if draft is None:
        intake.source_chooser()
        return
    building = resources.jobs().running(draft.name.strip()) is not None
    intake.source_line(draft, building=building)
    if building:
        return
    intake.same_source(draft)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        preview = intake.look(draft)
        if preview is not None:
            intake.show(draft, preview)
            if is_table(preview):
                choices.column_choices(preview)
            else:
                intake.cuts(draft)
    with right, st.container(border=True, key="choices"):
        choices.reading_choices(draft, preview)
        if preview is None:
            return
        plan.cutting_choices(draft, preview)
        usable = plan.index_choices(draft, preview)
        plan.naming_and_build(draft, ready=usable)


frame.through_app("data")
page()
