"""Journeys through the Search page in a real Chromium: what only a browser can show. They wait on content."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect, sync_playwright

from engine.encoders.cache import default_folder

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
QUERY = "reset my password"


@contextmanager
def served(root, cache):
    """A server of the app on a free loopback port; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "RANKSCOPE_HOME": str(root), "RANKSCOPE_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="module")
def address(workspace_root, tmp_path_factory):
    with served(workspace_root, tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """Opens pages; fails the test where a script failed or a request left this machine."""
    contexts, faults = [], []

    def open_tab(url, width=1280, height=720, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if is_foreign(request.url) else None)
        page.goto(url)
        return page

    expect.set_options(timeout=60_000)
    yield open_tab
    for context in contexts:
        context.close()
    assert faults == []


def is_foreign(url):
    return not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", url)


def link(address, path="", **params):
    return f"{address}/{path}?{urlencode({name.replace('__', '.'): value for name, value in params.items()})}"


def column(page, label):
    return page.locator("section.column").filter(has=page.get_by_role("heading", name=label, exact=True))


def settled(page):
    """Waits until the dense column has filled in by itself."""
    expect(column(page, "Dense").locator("li .chunk").first).to_be_visible()
    expect(column(page, "Fused").locator("li .chunk").first).to_be_visible()
    return page


def knob(page, name):
    return page.get_by_role("spinbutton", name=name)


def test_the_first_link_into_a_fresh_server_is_framed_and_keeps_its_state(workspace_root, tmp_path, tab):
    with served(workspace_root, tmp_path) as address:
        page = tab(link(address, "search", c="help", q=QUERY, k="20", at="d00"))
        expect(page.get_by_role("heading", name="RankScope: see why every result ranks where it does")).to_be_visible()
        expect(knob(page, "RRF k")).to_have_value("20")
        expect(page.get_by_role("searchbox", name="Query")).to_have_value(QUERY)
        expect(page.get_by_role("heading", name="Reset a forgotten password", level=2)).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        settled(page)
        expect(page).to_have_url(re.compile(r"k=20&at=d00"))


def test_every_knob_is_in_sight_without_scrolling(address, tab):
    page = settled(tab(link(address, c="help", q=QUERY)))
    page.evaluate("document.fonts.ready")
    boxes = [knob(page, name) for name in ("RRF k", "BM25 weight", "Dense weight", "Depth", "Results shown")]
    buttons = [page.get_by_role("button", name=name, exact=True) for name in ("Thresholds", "Filters", "Reset", "Pin")]
    heights = set()
    for control in [*boxes, *buttons]:
        box = control.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1280
        heights.add(round(box["y"] + box["height"] / 2, -1))
    assert len(heights) == 1
    last = column(page, "Fused").locator("li .chunk").nth(9).bounding_box()
    assert last["y"] + last["height"] <= 720


def test_a_click_selects_the_chunk_in_every_column_and_opens_it(address, tab):
    page = settled(tab(link(address, c="help", q=QUERY)))
    title = "Reset a forgotten password"
    column(page, "Dense").get_by_role("button", name=title).click()
    for name in ("BM25", "Dense", "Fused"):
        expect(column(page, name).get_by_role("button", name=title)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name=title, level=2)).to_be_visible()
    expect(page.get_by_text("judged relevant (grade 2 of 2)")).to_be_visible()
    expect(page).to_have_url(re.compile(r"at=d00"))
    page.keyboard.press("Escape")
    expect(page.locator(".chunk[aria-pressed=true]")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(r"at="))


def test_the_board_is_worked_by_keyboard_and_keeps_the_focus(address, tab):
    page = settled(tab(link(address, c="help", q=QUERY)))
    first = column(page, "BM25").locator("li .chunk").first
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(column(page, "BM25").locator("li .chunk").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile(r"at=d00"))
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(column(page, "Dense").locator(".chunk:focus")).to_have_attribute("aria-pressed", "true")
    name = first.get_attribute("aria-label")
    assert name.startswith("1 Reset a forgotten password")


def test_a_chunk_that_leaves_the_window_keeps_a_stub_and_a_place_below(address, tab):
    page = settled(tab(link(address, c="help", q="login account codes", shown="3")))
    expect(page.locator("svg.links text").first).to_have_text(re.compile(r"^(→\d+|\d+→)$"))
    only = "Two-factor recovery codes"  # first in BM25, not among the first three of the dense channel
    column(page, "BM25").get_by_role("button", name=only).click()
    expect(column(page, "Dense").locator(".foot .chunk .title")).to_have_text(only)
    expect(column(page, "Dense").locator(".foot .chunk .rank")).to_have_text(re.compile(r"^\d+$"))


def test_a_knob_moves_the_board_and_back_undoes_it(address, tab):
    page = settled(tab(link(address, c="help", q=QUERY)))
    knob(page, "RRF k").press("ArrowUp")
    expect(column(page, "Fused").locator(".detail")).to_have_text("RRF · k 61")
    for _ in range(4):
        knob(page, "RRF k").press("ArrowUp")
    expect(page).to_have_url(re.compile(r"k=65"))
    expect(column(page, "Fused").locator(".detail")).to_have_text("RRF · k 65")
    page.reload()
    settled(page)
    expect(knob(page, "RRF k")).to_have_value("65")
    knob(page, "Dense weight").press("ArrowUp")
    expect(page).to_have_url(re.compile(r"weight.dense=1.1"))
    page.go_back()
    expect(knob(page, "Dense weight")).to_have_value("1")
    expect(column(page, "Dense").locator(".detail")).to_have_text("depth 14 · weight 1")


def test_a_pin_shows_how_ranks_move(address, tab):
    page = settled(tab(link(address, c="help", q=QUERY)))
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(column(page, "Fused").locator(".arrow.pin").first).to_have_text("P =")
    knob(page, "BM25 weight").fill("0")
    knob(page, "BM25 weight").press("Enter")
    expect(column(page, "BM25").locator(".detail")).to_have_text(re.compile("adds nothing"))
    expect(column(page, "Fused").locator(".arrow.pin").filter(has_text=re.compile("[▲▼]")).first).to_be_visible()


def test_hostile_text_stays_text_in_every_view(address, tab):
    page = settled(tab(link(address, c="tiny", q="star")))
    evil = column(page, "BM25").locator(".title").filter(has_text="<img src=x onerror=")
    expect(evil).to_be_visible()
    evil.click()
    expect(page.locator(".rs-full")).to_contain_text("$5 *star* <b>tag</b>")
    expect(page.locator(".rs-full mark")).to_have_text("star")
    for view in ("Cards", "Table", "Board"):
        page.get_by_role("radio", name=view).or_(page.get_by_role("button", name=view)).first.click()
        expect(page).to_have_url(
            re.compile(f"view={view.lower()}") if view != "Board" else re.compile("q=star(&at.*)?$")
        )
    expect(page.locator("img[src='x']")).to_have_count(0)
    assert page.title() != "owned"


def test_the_tables_selection_follows_the_chunk_and_not_the_row(address, tab):
    page = tab(link(address, c="help", q=QUERY, view="table", at="d03"))
    expect(page.get_by_role("heading", name="Single sign-on troubleshooting", level=2)).to_be_visible()
    knob(page, "BM25 weight").fill("0")
    knob(page, "BM25 weight").press("Enter")
    expect(page).to_have_url(re.compile("weight.bm25=0"))
    expect(page).to_have_url(re.compile("at=d03"))
    expect(page.get_by_role("heading", name="Single sign-on troubleshooting", level=2)).to_be_visible()


def test_a_narrow_window_shows_two_columns_of_choice(address, tab):
    page = tab(link(address, c="help", q=QUERY), width=900)
    expect(page.locator("section.column")).to_have_count(2)
    expect(column(page, "Fused")).to_be_visible()
    page.locator(".chooser select").first.select_option("dense")
    expect(column(page, "Dense").locator("li .chunk").first).to_be_visible()
    expect(column(page, "BM25")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_modes_are_drawn_with_their_own_colours(address, tab, scheme):
    page = settled(tab(link(address, c="help", q=QUERY), color_scheme=scheme))
    background = page.locator(".stApp").evaluate("node => getComputedStyle(node).backgroundColor")
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 22, 29)"}[scheme]
    stroke = column(page, "BM25").evaluate("node => getComputedStyle(node).getPropertyValue('--channel')")
    assert stroke.lower() == {"light": "#c25a00", "dark": "#f0a04b"}[scheme]


@pytest.fixture(scope="module")
def demo_address(demo_workspace):
    with served(demo_workspace.root, default_folder()) as address:
        yield address


@pytest.mark.model
@pytest.mark.parametrize("name", ["field-guide", "codage-pmsi", "maternidad", "luat-lao-dong"])
def test_a_stranger_searches_each_built_in_collection_by_an_example(demo_address, demo, tab, name):
    example = next(query for query in demo(name).queries if query.example and query.kind == "fusion-only")
    page = tab(link(demo_address, c=name))
    page.get_by_role("button", name=example.text).first.click()
    settled(page)
    expect(page.get_by_role("searchbox", name="Query")).to_have_value(example.text)
    target = demo(name).corpus.chunk(example.metadata["target"]).title
    expect(column(page, "Fused").locator("li .chunk .title").nth(2)).to_be_visible()
    assert target in column(page, "Fused").locator("li .chunk .title").all_inner_texts()[:3]


@pytest.mark.model
def test_each_knob_changes_the_order_as_it_says(demo_address, tab):
    page = settled(tab(link(demo_address, c="field-guide", q="what is BM25")))

    def titles(label):
        return column(page, label).locator("li .chunk .title").all_inner_texts()

    def turn(name, value):
        knob(page, name).fill(value)
        knob(page, name).press("Enter")

    before = titles("Fused")
    turn("Dense weight", "0")
    expect(column(page, "Dense").locator(".detail")).to_have_text(re.compile("adds nothing"))
    assert titles("Fused") == titles("BM25") != before
    turn("Dense weight", "1")
    turn("BM25 weight", "0")
    expect(column(page, "BM25").locator(".detail")).to_have_text(re.compile("adds nothing"))
    assert titles("Fused") == titles("Dense")
    turn("BM25 weight", "1")
    turn("RRF k", "1")
    expect(column(page, "Fused").locator(".detail")).to_have_text("RRF · k 1")
    assert set(titles("Fused")[:2]) <= {*titles("BM25")[:2], *titles("Dense")[:2]}
    turn("Results shown", "3")
    expect(column(page, "Fused").locator("li .chunk")).to_have_count(3)
    turn("Depth", "1")
    expect(column(page, "BM25").locator("li .chunk")).to_have_count(1)
    assert len(titles("Fused")) <= 2
