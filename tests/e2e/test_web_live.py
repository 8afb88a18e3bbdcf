"""The web app while something goes on: a recording, a server that goes and comes back, a browser gone silent."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import servers
from tests.e2e.conftest import PATIENCE_MS, execute, signed_in
from tests.e2e.web_stage import CHEAP, RSPB, WIKI, Home, settled


class Server:
    """An API that can be ended and started again under the same address."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.url = f"http://127.0.0.1:{servers.free_port()}"
        self._database_url, self._folder = home.database_url, folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        more: dict[str, Any] = {"data_dir": self._folder / "data", **CHEAP}
        port = self.url.rpartition(":")[2]
        self._process = servers.start(
            self._folder / "api.log", "api", database_url=self._database_url, port=port, **more
        )
        servers.wait_for(f"{self.url}/healthz")

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def second(home: Home, tmp_path: Path) -> Iterator[Server]:
    """A second API on the same database."""
    made = Server(home, tmp_path)
    made.start()
    yield made
    made.end()


def test_pages_outlive_the_server_without_a_reload(
    home: Home, chromium: Browser, second: Server
) -> None:
    """It is killed while a recording is watched in one tab and a finished session is read in another."""
    live, done = home.record("Watched"), home.record("Called this before")
    began = int(time.time() * 1000) - 5_000
    live.begin(began)
    live.go(WIKI, "Before", began)
    done.stop()
    settled(home.client)
    context = signed_in(chromium, home)
    watching, reading = context.new_page(), context.new_page()
    reading.goto(f"{second.url}/sessions/{done.id}")
    expect(reading.get_by_role("heading", name="Called this before")).to_be_visible()
    watching.goto(f"{second.url}/sessions/{live.id}")
    expect(watching.get_by_text("Now viewing Before")).to_be_visible()
    for page in (watching, reading):
        page.evaluate("window.isTheSamePage = true")
    second.end()
    reading.get_by_role("button", name="Markdown").click()  # nothing is asked for by itself here
    for page in (watching, reading):
        expect(page.get_by_text("Can’t reach the server.")).to_be_visible()
    expect(watching.get_by_role("link", name="Before", exact=True)).to_be_visible()
    live.go(RSPB, "Meanwhile", began + 4_000)
    home.client.patch(f"/v1/sessions/{done.id}", json={"title": "Called that meanwhile"})
    second.start()
    expect(watching.get_by_text("Now viewing Meanwhile")).to_be_visible(timeout=PATIENCE_MS)
    expect(watching.get_by_role("link", name="Meanwhile", exact=True)).to_be_visible()
    expect(reading.get_by_role("heading", name="Called that meanwhile")).to_be_visible(
        timeout=PATIENCE_MS
    )
    for page in (watching, reading):
        expect(page.get_by_text("Can’t reach the server.")).to_have_count(0)
        assert page.evaluate("window.isTheSamePage") is True
    context.close()
    home.forget(live.id, done.id)


def test_a_browser_that_went_silent_is_told_of_and_its_page_does_not_grow(
    tab: Page, home: Home
) -> None:
    recorder = home.record("Silent")
    began = int(time.time() * 1000) - 600_000
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", began)
    recorder.say("ALIVE", began + 5_000)
    heard = "update sessions set heard_at = now() - interval '10 minutes' where id = $1"
    execute(home.database_url, heard, UUID(recorder.id))
    sentence = tab.get_by_text("Nothing received from the browser since")
    tab.goto(home.url)
    expect(sentence).to_be_visible()
    expect(
        tab.locator("li[data-status]", has_text="Silent").locator("p:last-child > span")
    ).to_have_text("0:05")
    tab.goto(f"{home.url}/operations")
    expect(tab.get_by_text("1 browser is recording but has stopped sending.")).to_be_visible()
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    expect(sentence).to_be_visible()
    expect(tab.locator("span[title]")).to_have_attribute("title", "0:05.000")
    expect(tab.locator("section:has(canvas) [aria-live]")).to_contain_text("(5.0 s)")
    tab.get_by_role("link", name="Show devices").click()
    expect(tab.get_by_role("heading", name="Connected devices")).to_be_visible()
    home.forget(recorder.id)
