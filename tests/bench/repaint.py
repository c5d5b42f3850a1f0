"""How long a knob takes to repaint the rank board in a real Chromium, and how soon a fresh server shows a screen.

`python -m tests.bench.repaint [NAME]` serves the workspace of `tests.bench.collections`, opens the collection NAME of
it (`scifact` unless given), presses the steps of a weight and of k, and takes the time from each press to the first
change of the board; then again in one of ten sessions while the other nine press too. The peer, in the same run, is the
smallest app there is: one number box and one line of text.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.bench.collections import HOME

ROOT = Path(__file__).resolve().parents[2]
QUERY = "vitamin D and the risk of bone fracture"
PRESSES, SESSIONS = 20, 10
BOARD = "board"
SMALLEST = """
import streamlit as st
value = st.number_input("RRF k", value=60)
st.text(f"value {value}")
"""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
WATCH = """
([board, box]) => {
  window.repainted = new Promise((done) => {
    let started = 0
    box.addEventListener("keydown", () => { started = performance.now() }, { once: true, capture: true })
    const watch = new MutationObserver(() => {
      watch.disconnect()
      requestAnimationFrame(() => done(performance.now() - started))
    })
    watch.observe(board, { subtree: true, childList: true, characterData: true, attributes: true })
    setTimeout(() => { watch.disconnect(); done(null) }, 5000)
  })
}
"""


def main(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        smallest = Path(folder) / "app.py"
        smallest.write_text(SMALLEST, encoding="utf-8")
        found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        with served(smallest) as (address, started):
            page = opened(browser, address)
            print(f"smallest app: first screen {time.perf_counter() - started:.2f} s after the start of the server")
            tell("smallest app", [taken for _ in range(PRESSES) for taken in press(page, "stText", ("RRF k",))])
            page.context.close()
        with served(ROOT / "app.py") as (address, started):
            link = f"{address}/?{urlencode({'c': name, 'q': QUERY})}"
            opened(browser, address).context.close()
            print(f"RankScope: first screen {time.perf_counter() - started:.2f} s after the start of the server")
            page = opened(browser, link)
            tell("RankScope, one session", [taken for _ in range(PRESSES) for taken in press(page, BOARD)])
            others = [opened(browser, link) for _ in range(SESSIONS - 1)]
            times: list[float] = []
            for _ in range(PRESSES // 2):
                for other in others:
                    knob(other, "BM25 weight").press("ArrowUp", no_wait_after=True)
                times += press(page, BOARD)
            tell(f"RankScope, {SESSIONS} sessions at once", times)
        browser.close()


def tell(what: str, times: list[float]) -> None:
    times.sort()
    nearly_all = times[int(len(times) * 0.95)]
    print(
        f"{what}: median {statistics.median(times):.0f} ms, 95th percentile {nearly_all:.0f} ms, {len(times)} repaints"
    )


def press(page: Page, watched: str, labels: Sequence[str] = ("BM25 weight", "RRF k")) -> Iterator[float]:
    """The milliseconds from a press in each knob to the repaint of what is watched, where it repainted."""
    seen = (
        page.get_by_test_id(watched).first if watched != BOARD else page.locator("section.column >> xpath=../..").first
    )
    for label in labels:
        box = knob(page, label)
        page.evaluate(WATCH, [seen.element_handle(), box.element_handle()])
        box.press("ArrowUp")
        taken: float | None = page.evaluate("() => window.repainted")
        page.wait_for_timeout(150)
        if taken is not None:
            yield taken


def knob(page: Page, label: str) -> Locator:
    return page.get_by_role("spinbutton", name=label)


def opened(browser: Browser, link: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce").new_page()
    page.goto(link)
    if "q=" in link:
        page.locator("section.column").last.locator("li .chunk").first.wait_for(timeout=60_000)
        page.wait_for_timeout(1_000)
    else:
        page.locator("input").first.wait_for(timeout=60_000)
    return page


@contextmanager
def served(app: Path) -> Iterator[tuple[str, float]]:
    """The address of a fresh server of an app, and when it was started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "RANKSCOPE_HOME": HOME, "HF_HUB_OFFLINE": "1"}
    started = time.perf_counter()
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.05)
        yield address, started
    finally:
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "scifact")
