"""The whole way with the real extension: connected, recording, seen live, stopped, compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import PATIENCE_MS, Site
from tests.e2e.extension_kit import Pages, extension_id, flags, local_pages, program, seed
from tests.e2e.test_accounts import become_owner


@pytest.fixture
def pages() -> Iterator[Pages]:
    with local_pages() as served:
        yield served


@pytest.fixture
def fresh_browser(site: Site, tmp_path: Path) -> Iterator[BrowserContext]:
    """The extension has just been installed, and nobody is signed in anywhere."""
    profile = tmp_path / "profile"
    profile.mkdir()
    seed(profile, is_active=False)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=program(),
            headless=False,
            args=flags(),
            locale="en-US",
            viewport={"width": 1100, "height": 900},
        )
        context.set_default_timeout(PATIENCE_MS)
        yield context
        context.close()


def own_page(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto(f"chrome-extension://{extension_id()}/{name}.html")
    return page


def connect(context: BrowserContext, site: Site) -> None:
    setup = own_page(context, "setup")
    setup.get_by_label("Address").fill(site.url)
    with context.expect_page() as opened:
        setup.get_by_role("button", name="Connect").click()
    opened.value.get_by_role("button", name="Approve").click()
    expect(opened.value.get_by_role("heading", name="Connected")).to_be_visible()
    opened.value.close()
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    setup.close()


def test_what_the_extension_records_is_seen_live_and_is_what_was_done(
    fresh_browser: BrowserContext, site: Site, pages: Pages
) -> None:
    context = fresh_browser
    page = context.new_page()
    become_owner(page, site)
    connect(context, site)
    expect(page.get_by_role("heading", name=re.compile("Connect it.*Done"))).to_be_visible()
    popup = own_page(context, "popup")
    reading = context.new_page()
    reading.goto(f"{pages.url}/before")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading.bring_to_front()
    reading.goto(f"{pages.url}/first")
    reading.goto(f"{pages.url}/second")
    page.goto(site.url)
    page.locator(".session-link").click()
    expect(page.locator(".state-badge", has_text="Recording")).to_be_visible()
    expect(page.locator(".visit-title", has_text="Page second")).to_be_visible(timeout=20_000)
    popup.get_by_role("button", name="Stop").click()
    expect(page.locator(".state-badge", has_text="Recording")).to_have_count(0, timeout=20_000)
    titles = [each.inner_text() for each in page.locator(".visit-title").all()]
    read = [each for each in titles if each in {"Page first", "Page second"}]
    assert [each for n, each in enumerate(read) if each != read[n - 1] or n == 0] == [
        "Page first",
        "Page second",
    ]
