"""A real Chromium before a real server: API and worker in processes of their own, one database."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from mindhit import accounts
from mindhit.db import Database
from mindhit.settings import Settings
from tests import servers
from tools import browser

# The extension and the screens in whole browsers take minutes of two processors: `make browser-test`.
if "MINDHIT_TEST_BROWSERS" not in os.environ:
    collect_ignore_glob = ["test_extension*.py", "test_web_*.py"]

PATIENCE_MS = 15_000
FLAGS = [
    "--no-sandbox",  # tests run as root in containers, where the sandbox cannot
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Site:
    url: str
    database_url: str

    def owner_link(self) -> str:
        """What the first start prints."""
        # In a thread of its own: in this one Playwright keeps an event loop while it is open.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self._owner_link()).result()

    async def _owner_link(self) -> str:
        db = await Database.open(self.database_url, size=2)
        try:
            async with db.transaction() as tx:
                link = await accounts.make_owner_link(tx, Settings(base_url=self.url))
        finally:
            await db.close()
        assert link is not None
        return link


@pytest.fixture
def site(tmp_path: Path, database_url: str) -> Iterator[Site]:
    cheap = {"password_memory": 8, "password_rounds": 1}
    with servers.api(tmp_path / "api.log", database_url, **cheap) as url:
        port = url.rpartition(":")[2]  # the worker writes links, and has to know the address
        worker = servers.start(
            tmp_path / "worker.log", "worker", database_url=database_url, port=port, **cheap
        )
        try:
            yield Site(url, database_url)
        finally:
            worker.terminate()
            try:
                worker.wait(20)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()


@pytest.fixture
def chromium(site: Site) -> Iterator[Browser]:
    program = browser.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not here, and nothing is skipped in CI")
        pytest.skip("Chromium is not here; install it, or set MINDHIT_TEST_CHROMIUM")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(locale="en-US", timezone_id="Europe/Berlin")
    made.set_default_timeout(PATIENCE_MS)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, tmp_path: Path) -> Iterator[Page]:
    """A tab. Whatever the page complains of fails the test: a policy broken, a script lost."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # An answer of 401 or 403 is part of the game; the browser reports it as an error all the same.
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    tab = context.new_page()
    tab.on("console", hear)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    yield tab
    tab.screenshot(path=tmp_path / "last.png", full_page=True)
    assert complaints == []
