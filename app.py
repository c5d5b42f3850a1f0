"""RankScope's frame: page config, menu, collection chooser, and the knobs above the pages that explore one run."""

from pathlib import Path

import streamlit as st

from pages.components import controls, explore, frame, messages, resources, state

COMPONENTS = Path(__file__).parent / "pages" / "components"


def main() -> None:
    """Draws the frame around the page that the address names."""
    st.set_page_config("RankScope", str(COMPONENTS / "icon.svg"), layout="wide", initial_sidebar_state=210)
    page, entry = frame.navigation()
    st.html(COMPONENTS / "look.css")
    st.title("RankScope: see why every result ranks where it does", anchor=False)
    with messages.guarded(), state.one_run():
        titles = resources.titles()
        session = state.begin([each.name for each in frame.PAGES], next(iter(titles), None))
        with st.sidebar:
            controls.collection_chooser(session, titles)
        if entry.section == "Explore":
            explore.notice_new_build()
        messages.remarks(state.notes())
        if entry.section == "Explore":
            explore.head()
        page.run()
        explore.warm_up()


main()
