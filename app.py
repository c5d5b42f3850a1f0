"""RankScope's frame: page config, menu, collection chooser, and the knobs above the pages that explore one run."""

from pathlib import Path

import streamlit as st

from pages.components import controls, explore, frame, messages, resources, state

COMPONENTS = Path(__file__).parent / "pages" / "components"


def main() -> None:
    """Draws the frame around the page that the address names."""
    st.set_page_config("RankScope", str(COMPONENTS / "icon.svg"), layout="wide", initial_sidebar_state=210)
    page, entry = frame.navigation()
    titles = resources.titles()
    session = state.begin([each.name for each in frame.PAGES], next(iter(titles), None))
    st.html(COMPONENTS / "look.css")
    with st.sidebar:
        controls.collection_chooser(session, titles)
    st.title("RankScope: see why every result ranks where it does", anchor=False)
    messages.remarks(state.notes())
    if entry.section == "Explore":
        explore.head()
    with messages.guarded():
        page.run()
    explore.warm_up()


main()
