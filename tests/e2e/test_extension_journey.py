"""The extension as its reader meets it: connected, allowed, started and stopped by clicks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import PATIENCE_MS, Site
from tests.e2e.extension_kit import (
    Pages,
    Reader,
    extension_id,
    flags,
    local_pages,
    program,
    seed,
)
from tests.e2e.extension_timeline import path_of

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def reader(site: Site) -> Iterator[Reader]:
    made = Reader(site)
    yield made
    made.client.close()


@pytest.fixture
def browser_of_a_reader(reader: Reader, tmp_path: Path) -> Iterator[BrowserContext]:
    """Signed in to the web app; the extension has just been installed."""
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
            viewport={"width": 900, "height": 900},
        )
        context.set_default_timeout(PATIENCE_MS)
        name, value = next(iter(reader.client.cookies.items()))
        context.add_cookies([{"name": name, "value": value, "url": reader.site.url}])
        yield context
        context.close()


@pytest.fixture
def pages() -> Iterator[Pages]:
    with local_pages() as served:
        yield served


def own_page(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto(f"chrome-extension://{extension_id()}/{name}.html")
    return page


def connect(context: BrowserContext, site: Site) -> Page:
    setup = own_page(context, "setup")
    setup.get_by_label("Address").fill(site.url)
    with context.expect_page() as opened:
        setup.get_by_role("button", name="Connect").click()
    approval = opened.value
    code = setup.locator(".code").inner_text()
    expect(approval.get_by_text(code)).to_be_visible()
    approval.get_by_role("button", name="Approve").click()
    expect(approval.get_by_role("heading", name="Connected")).to_be_visible()
    approval.close()
    expect(setup.get_by_text(f"Connected to {site.url} as")).to_be_visible()
    return setup


def test_from_the_first_page_to_the_saved_session(
    browser_of_a_reader: BrowserContext, reader: Reader, pages: Pages, tmp_path: Path
) -> None:
    context, site = browser_of_a_reader, reader.site
    popup = own_page(context, "popup")
    expect(popup.get_by_role("button", name="Connect to your server")).to_be_visible()
    setup = connect(context, site)
    expect(popup.get_by_text("Ready to record")).to_be_visible()
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    setup.screenshot(path=tmp_path / "setup.png", full_page=True)
    reading = context.new_page()
    reading.goto(f"{pages.url}/before")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading.bring_to_front()
    reading.goto(f"{pages.url}/first")
    reading.goto(f"{pages.url}/second")
    reading.evaluate("document.getSelection().selectAllChildren(document.querySelector('p'))")
    expect(popup.locator(".figures")).to_have_text(re.compile(r"Pages3.*Highlights1"))
    expect(popup.locator("#elapsed")).to_have_text(re.compile(r"00:00:\d\d"))
    popup.screenshot(path=tmp_path / "popup.png")
    popup.get_by_role("button", name="Stop").click()
    link = popup.get_by_role("link", name="Open the session")
    expect(link).to_be_visible()
    shown = reader.finished()
    assert link.get_attribute("href") == f"{site.url}/sessions/{shown['session']['id']}"
    paths = [path_of(visit["url"]) for visit in shown["page_visits"]]
    assert [path for path in paths if path in {"/first", "/second"}] == ["/first", "/second"]
    assert len(shown["highlights"]) == 1


def test_an_address_that_is_no_server_is_told(browser_of_a_reader: BrowserContext) -> None:
    setup = own_page(browser_of_a_reader, "setup")
    setup.get_by_label("Address").fill("not an address")
    setup.get_by_role("button", name="Connect").click()
    expect(setup.get_by_role("alert")).to_have_text("This is not an address.")
    setup.get_by_label("Address").fill("http://127.0.0.1:9")
    setup.get_by_role("button", name="Connect").click()
    expect(setup.get_by_role("alert")).to_have_text("No MindHit server answers there.")


def test_an_excluded_domain_never_leaves_the_browser(
    browser_of_a_reader: BrowserContext, reader: Reader, pages: Pages
) -> None:
    context = browser_of_a_reader
    setup = connect(context, reader.site)
    setup.get_by_role("button", name="Allow recording").click()
    options = own_page(context, "options")
    options.get_by_label("Excluded domains").fill("localhost")
    options.get_by_role("button", name="Save").click()
    expect(options.get_by_text("Saved.")).to_be_visible()
    popup = own_page(context, "popup")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading = context.new_page()
    reading.goto(f"{pages.url}/public")
    reading.goto(f"{pages.url.replace('127.0.0.1', 'localhost')}/secret")
    reading.wait_for_timeout(1_500)
    reading.goto(f"{pages.url}/public-again")
    popup.get_by_role("button", name="Stop").click()
    expect(popup.get_by_role("link", name="Open the session")).to_be_visible()
    shown = reader.finished()
    assert "secret" not in str(shown)
    assert [path_of(visit["url"]) for visit in shown["page_visits"]][-2:] == [
        "/public",
        "/public-again",
    ]
    assert "no_page" in {pause["kind"] for pause in shown["pauses"]}


def test_only_what_is_on_the_list_is_recorded(
    browser_of_a_reader: BrowserContext, reader: Reader, pages: Pages
) -> None:
    context = browser_of_a_reader
    setup = connect(context, reader.site)
    setup.get_by_label("Only these sites").check()
    setup.get_by_role("textbox").last.fill("127.0.0.1")
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    popup = own_page(context, "popup")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading = context.new_page()
    reading.goto(f"{pages.url}/listed")
    reading.goto(f"{pages.url.replace('127.0.0.1', 'localhost')}/elsewhere")
    reading.wait_for_timeout(1_000)
    reading.goto(f"{pages.url}/listed-too")
    popup.get_by_role("button", name="Stop").click()
    expect(popup.get_by_role("link", name="Open the session")).to_be_visible()
    shown = reader.finished()
    assert "elsewhere" not in str(shown)
    paths = [path_of(visit["url"]) for visit in shown["page_visits"]]
    assert [path for path in paths if path.startswith("/listed")] == ["/listed", "/listed-too"]
