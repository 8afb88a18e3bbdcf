"""Over the plan's sessions at once: the real extension lets go of that start, says which session runs,
and goes on with everything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import PATIENCE_MS, Site, execute, query
from tests.e2e.extension_kit import Reader, extension_id, flags, prepare_profile, program
from tests.e2e.extension_pages import Pages, local_pages

expect.set_options(timeout=PATIENCE_MS)
ONE_AT_ONCE = """
insert into plans (id, name, max_concurrent_sessions, features) values ('free', 'Free', 1, '["models"]')"""


@pytest.fixture
def pages() -> Iterator[Pages]:
    with local_pages() as served:
        yield served


@pytest.fixture
def reader(site: Site) -> Iterator[Reader]:
    made = Reader(site)
    yield made
    made.client.close()


@pytest.fixture
def popup(reader: Reader, tmp_path: Path) -> Iterator[Page]:
    """Of an extension that is connected, and may record."""
    profile = tmp_path / "profile"
    profile.mkdir()
    prepare_profile(profile, is_active=True)
    with sync_playwright() as playwright:
        context: BrowserContext = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=program(),
            headless=False,
            args=flags(),
            locale="en-US",
            viewport={"width": 900, "height": 900},
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"chrome-extension://{extension_id()}/popup.html")
        page.evaluate("account => chrome.storage.local.set({ account })", reader.connect())
        yield page
        context.close()


def test_the_second_session_on_free_is_refused_naming_the_first(
    popup: Page, reader: Reader, pages: Pages, tmp_path: Path
) -> None:
    site = reader.site
    execute(site.database_url, ONE_AT_ONCE)
    elsewhere = reader.client.post("/v1/sessions/start", json={"title": "Travel"})
    assert elsewhere.status_code == 201
    reading = popup.context.new_page()
    reading.goto(f"{pages.url}/before")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_text("allow another session at the same time")).to_be_visible()
    expect(popup.get_by_text("“Travel” has been recording on")).to_be_visible()
    popup.screenshot(path=tmp_path / "limit.png")
    assert count(site) == 1

    # What is saved goes out all the same: nothing is held up.
    reading.bring_to_front()
    reading.goto(f"{pages.url}/first")
    popup.bring_to_front()
    popup.get_by_role("button", name="Stop that one and start").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading.bring_to_front()
    reading.goto(f"{pages.url}/second")
    popup.get_by_role("button", name="Stop").click()
    expect(popup.get_by_role("link", name="Open session")).to_be_visible()
    assert count(site) == 2
    stopped = "select title from sessions where stopped_at is not null order by created_at limit 1"
    assert query(site.database_url, stopped) == [("Travel",)]


def count(site: Site) -> int:
    return int(query(site.database_url, "select count(*) from sessions")[0][0])
