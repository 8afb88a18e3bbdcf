"""A real Chromium before a real server: API and worker in processes of their own, one database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import asyncpg
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

from mindhit import accounts
from mindhit.db import Database
from mindhit.settings import Settings
from tests import servers
from tests.conftest import clone, keep_together
from tests.e2e.web_stage import CHEAP, Home, owner
from tools import browser

HERE: Final = Path(__file__).parent
T = TypeVar("T")
PATIENCE_MS = 30_000
# A service worker would come between a page and what a test does with its requests.
WINDOW: Final[dict[str, Any]] = {
    "locale": "en-US",
    "timezone_id": "Europe/Berlin",
    "service_workers": "block",
}
FLAGS = [
    "--no-sandbox",  # tests run as root in containers, where the sandbox cannot
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All on one worker of a distributed run, and first, as its largest group: one browser at a
    time, and none of them left for the end."""
    for item in items:
        if item.path.is_relative_to(HERE):
            keep_together(config, item, "browsers")


def aside(work: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: in this one Playwright keeps an event loop while it is open."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def execute(database_url: str, statement: str, *values: object) -> None:
    """What no API does, straight into the database."""

    async def run() -> None:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute(statement, *values)
        finally:
            await connection.close()

    aside(run())


@contextmanager
def locked(database_url: str, table: str) -> Iterator[None]:
    """Whoever writes to the table waits: what is there only for a moment can be looked at."""

    async def lock() -> asyncpg.Connection:
        connection = await asyncpg.connect(database_url)
        await connection.execute(f"begin; lock table {table} in exclusive mode")
        return connection

    with ThreadPoolExecutor(1) as thread:
        runner = thread.submit(asyncio.Runner).result()
        connection = thread.submit(runner.run, lock()).result()
        try:
            yield
        finally:
            thread.submit(runner.run, connection.close()).result()
            thread.submit(runner.close).result()


def query(database_url: str, statement: str) -> list[tuple[Any, ...]]:
    """What no API tells, straight from the database."""

    async def run() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(database_url)
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    return aside(run())


class Worker:
    """The worker of the session-wide server. A test may put another in its place for a while."""

    def __init__(self, log: Path, **settings: object) -> None:
        self._log, self._settings = log, settings
        self._process = servers.start(log, "worker", **settings)

    @contextmanager
    def with_settings(self, **more: object) -> Iterator[None]:
        self.end()
        self._process = servers.start(self._log, "worker", **{**self._settings, **more})
        try:
            yield
        finally:
            self.end()
            self._process = servers.start(self._log, "worker", **self._settings)

    def end(self) -> None:
        servers.end(self._process)


@dataclass(frozen=True)
class Site:
    url: str
    database_url: str
    worker: Worker

    def owner_link(self) -> str:
        """What the first start prints."""
        return aside(self._owner_link())

    async def _owner_link(self) -> str:
        db = await Database.open(self.database_url, size=2)
        try:
            async with db.transaction() as tx:
                link = await accounts.make_owner_link(tx, Settings(base_url=self.url))
        finally:
            await db.close()
        assert link is not None
        return link

    async def empty(self) -> None:
        """As on its first day. The worker may be at what a test has left: then once more."""
        connection = await asyncpg.connect(self.database_url)
        try:
            tables = await connection.fetchval(_TABLES)
            while True:
                with suppress(asyncpg.DeadlockDetectedError):
                    await connection.execute(f"truncate {tables}")
                    return
        finally:
            await connection.close()


_TABLES = """
select string_agg(oid::regclass::text, ', ') from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  and relname <> 'schema_migrations'
"""


@pytest.fixture(scope="session")
def server(
    server_url: str, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """API and worker for all of it: they take seconds to start."""
    folder = tmp_path_factory.mktemp("server")
    with (
        clone(server_url, template) as database_url,
        servers.api(folder / "api.log", database_url, **CHEAP) as url,
    ):
        port = url.rpartition(":")[2]  # the worker writes links, and has to know the address
        worker = Worker(folder / "worker.log", database_url=database_url, port=port, **CHEAP)
        try:
            yield Site(url, database_url, worker)
        finally:
            worker.end()


@pytest.fixture
def site(server: Site) -> Site:
    """A server that nobody has used yet."""
    aside(server.empty())
    return server


@pytest.fixture(scope="module")
def chromium(server: Site) -> Iterator[Browser]:
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
def context(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    made = chromium.new_context(**WINDOW)
    made.set_default_timeout(PATIENCE_MS)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, tmp_path: Path) -> Iterator[Page]:
    """A tab. Whatever the page complains of fails the test: a policy broken, a script lost."""
    tab = context.new_page()
    complaints = complaints_of(tab)
    yield tab
    tab.screenshot(path=tmp_path / "last.png", full_page=True)
    assert complaints == []


def complaints_of(tab: Page) -> list[str]:
    """What it will complain of."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # An answer of 401 or 403 is part of the game; the browser reports it as an error all the same.
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    tab.on("console", hear)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


@pytest.fixture(scope="module")
def home(server: Site) -> Iterator[Home]:
    """The server of a module whose tests take away what they have put there."""
    aside(server.empty())
    token = server.owner_link().rpartition("#")[2]
    client = owner(server.url, token, timezone="Europe/Berlin")
    yield Home(server.url, server.database_url, client)
    client.close()


def signed_in(chromium: Browser, home: Home, **options: Any) -> BrowserContext:
    """By the cookie: signing in is tested elsewhere."""
    made = chromium.new_context(**{**WINDOW, **options})
    made.set_default_timeout(PATIENCE_MS)
    made.add_cookies([home.cookie()])  # type: ignore[list-item]
    return made


@pytest.fixture
def tab(chromium: Browser, home: Home) -> Iterator[Page]:
    """A tab of somebody who is at home. What it complains of fails the test, and so does whatever it
    wants from anywhere but its own server, also where the policy does not let it."""
    context = signed_in(chromium, home)
    made = context.new_page()
    complaints = complaints_of(made)

    def see(asked: Request) -> None:
        if not asked.url.startswith((home.url, "blob:", "data:")):
            complaints.append(f"wanted {asked.url}")

    context.on("request", see)
    yield made
    context.close()
    assert complaints == []
