"""In a real browser: a file of one's own becomes a collection, is searched, looked through, and goes again."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect, sync_playwright

from engine.store.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
WITH_BYTE_MARK = (
    b"\xef\xbb\xbfid;text\r\n1;Red kites nest in old oaks\r\n007;The price of <b>lamps</b> is $5 to $9\r\n"
    b"3;Blue kites fly over the sea\r\n"
)
PATIENCE = 180_000

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def served(workspace_root, tmp_path_factory):
    """The address of a server over a copy of the small collections, and its workspace."""
    root = tmp_path_factory.mktemp("journey") / "workspace"
    shutil.copytree(workspace_root, root)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    environment = {**os.environ, "RANKSCOPE_HOME": str(root), "RANKSCOPE_CACHE": str(root / "cache")}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        until_answers(f"{address}/_stcore/health")
        yield address, Workspace(root)
    finally:
        server.terminate()
        server.wait(30)


def until_answers(address):
    for _ in range(600):
        try:
            with urlopen(address) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("The server did not start.")


@pytest.fixture
def page():
    """A page in Chromium; a fault of its scripts, or a request that leaves this machine, fails the test."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("request", lambda request: None if local(request.url) else faults.append(request.url))
        yield page
        expect(page.get_by_test_id("stException")).to_have_count(0)
        browser.close()
    assert faults == []


def local(address):
    return address.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:"))


def upload(page, name, content):
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def header(page):
    return [cell.strip() for cell in page.locator("canvas [role=columnheader]").all_text_contents() if cell.strip()]


def choose(page, label, option):
    page.get_by_role("combobox", name=label).first.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_file_is_uploaded_built_searched_and_deleted(served, page):
    address, workspace = served
    page.goto(f"{address}/data?data.view=new")
    upload(page, "birds.csv", WITH_BYTE_MARK)
    expect(page.get_by_text("encoding utf-8-sig · separated by ;")).to_be_visible()
    expect(page.locator("canvas td[role=gridcell]").filter(has_text="007")).to_have_count(1)
    assert header(page) == ["id", "text"]
    choose(page, "Encoder", "Hashed words (no model)")
    expect(page.get_by_text("for trying things out")).to_be_visible()
    page.get_by_role("button", name="Build").click()
    expect(page.get_by_text("birds is built, in")).to_be_visible()
    expect(page.get_by_text("3 rows read.")).to_be_visible()
    assert "birds" in workspace
    assert not any((workspace.root / "uploads").iterdir())

    page.get_by_role("button", name="Search it").click()
    expect(page.get_by_text("Search birds")).to_be_visible()
    page.get_by_placeholder("Type a query and press Enter").fill("kites")
    page.get_by_placeholder("Type a query and press Enter").press("Enter")
    expect(page.get_by_text("results in 3 chunks")).to_be_visible()

    page.get_by_role("link", name="Data").click()
    row = page.locator(".st-key-shelf-birds, [class*='st-key-shelf.birds']").first
    row.get_by_role("button", name="Manage").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete birds").click()
    expect(row).to_have_count(0)
    assert "birds" not in workspace


def test_the_chunks_are_looked_through_and_the_query_stays(served, page):
    address, _ = served
    page.goto(f"{address}/chunks?c=help&q=reset+my+password&at=d03")
    expect(page.locator(".rs-exact")).to_contain_text("Single sign-on troubleshooting: what to do")
    expect(page.get_by_text("Shown at rank")).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".rs-exact")).to_contain_text("Two-factor recovery codes: what to do")
    page.get_by_placeholder("Find in id, number, title, text or place").fill("HBQK389")
    page.get_by_placeholder("Find in id, number, title, text or place").press("Enter")
    expect(page.get_by_text("1 to 1 of 1")).to_be_visible()
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_placeholder("Type a query and press Enter")).to_have_value("reset my password")
    expect(page.get_by_text("results in 14 chunks")).to_be_visible()
    page.get_by_role("link", name="Chunks").click()
    expect(page.get_by_placeholder("Find in id, number, title, text or place")).to_have_value("HBQK389")


def test_another_collection_opened_from_its_row_is_the_one_that_is_searched(served, page):
    address, _ = served
    page.goto(f"{address}/?c=tiny")
    expect(page.get_by_placeholder("Type a query and press Enter")).to_be_visible()
    page.get_by_role("link", name="Data").click()
    page.locator(".st-key-shelf-help").get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_text("Search Help desk")).to_be_visible()
    expect(page.get_by_role("combobox", name="Collection")).to_have_value("Help desk")
    page.get_by_placeholder("Type a query and press Enter").fill("reset my password")
    page.get_by_placeholder("Type a query and press Enter").press("Enter")
    expect(page.get_by_text("results in 14 chunks")).to_be_visible()
    assert "c=help" in page.url


def test_an_encoding_can_be_changed_there_and_back(served, page):
    address, _ = served
    page.goto(f"{address}/data?data.view=new")
    upload(page, "kites.csv", b"id,text\n1,Red kites nest in old oaks\n2,Blue kites fly over the sea\n")
    expect(page.get_by_text("the first 2 rows")).to_be_visible()
    choose(page, "Encoding", "utf-16")
    expect(page.get_by_role("alert").first).to_be_visible()
    choose(page, "Encoding", "utf-8")
    expect(page.get_by_text("the first 2 rows")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_build_is_stopped_and_survives_a_reload(served, page):
    address, workspace = served
    page.goto(f"{address}/data?data.view=new")
    rows = b"id,text\n" + b"".join(b"%d,Kite number %d over field %d\n" % (n, n, n % 97) for n in range(200_000))
    upload(page, "many.csv", rows)
    expect(page.get_by_text("the first 20 rows")).to_be_visible()
    choose(page, "Encoder", "Hashed words (no model)")
    expect(page.get_by_text("for trying things out")).to_be_visible()
    page.get_by_role("button", name="Build").click()
    expect(page.get_by_text("Building many:")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Building many:")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The build of many was stopped.")).to_be_visible()
    assert "many" not in workspace
    assert not workspace.folder("many").exists()


def test_text_of_a_file_is_never_markup(served, page):
    address, _ = served
    page.goto(f"{address}/data?data.view=new")
    upload(page, "<b>x</b>.csv", b"id,$x$ *y* <b>z</b>\n1,<img src=x onerror=document.title='owned'>\n")
    expect(page.get_by_text("the first 1 rows")).to_be_visible()
    page.wait_for_timeout(500)
    assert page.title() != "owned"
    expect(page.locator("img[src=x]")).to_have_count(0)
