"""The extension's pages: connect, allow, start and stop by clicks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import PATIENCE_MS, Site
from tests.e2e.extension_kit import Reader, extension_id, flags, prepare_profile, program
from tests.e2e.extension_pages import Pages, local_pages
from tests.e2e.extension_timeline import path_of

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def reader(site: Site) -> Iterator[Reader]:
    made = Reader(site)
    yield made
    made.client.close()


@pytest.fixture
def fresh_browser(reader: Reader, tmp_path: Path) -> Iterator[BrowserContext]:
    """Signed in to the web app; the extension has just been installed."""
    profile = tmp_path / "profile"
    profile.mkdir()
    prepare_profile(profile, is_active=False)
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
    setup.get_by_label("Server address").fill(site.url)
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


def test_from_setup_to_the_saved_session(
    fresh_browser: BrowserContext, reader: Reader, pages: Pages, tmp_path: Path
) -> None:
    context, site = fresh_browser, reader.site
    popup = own_page(context, "popup")
    expect(popup.get_by_role("button", name="Connect to your server")).to_be_visible()
    setup = connect(context, site)
    expect(popup.get_by_text("Ready to record")).to_be_visible()
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    setup.get_by_label("Save selected text as highlights").check()
    expect(setup.get_by_text("Saved.", exact=True)).to_be_visible()
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
    link = popup.get_by_role("link", name="Open session")
    expect(link).to_be_visible()
    shown = reader.finished()
    assert link.get_attribute("href") == f"{site.url}/sessions/{shown['session']['id']}"
    paths = [path_of(visit["url"]) for visit in shown["page_visits"]]
    assert [path for path in paths if path in {"/first", "/second"}] == ["/first", "/second"]
    assert len(shown["highlights"]) == 1


def test_an_address_without_a_server_shows_an_error(fresh_browser: BrowserContext) -> None:
    setup = own_page(fresh_browser, "setup")
    setup.get_by_label("Server address").fill("not an address")
    setup.get_by_role("button", name="Connect").click()
    expect(setup.get_by_role("alert")).to_have_text(re.compile("^Enter a valid address, such as"))
    setup.get_by_label("Server address").fill("http://127.0.0.1:9")
    setup.get_by_role("button", name="Connect").click()
    expect(setup.get_by_role("alert")).to_have_text(
        re.compile("^No MindHit server found at this address")
    )


def test_an_excluded_domain_never_leaves_the_browser(
    fresh_browser: BrowserContext, reader: Reader, pages: Pages
) -> None:
    context = fresh_browser
    setup = connect(context, reader.site)
    setup.get_by_role("button", name="Allow recording").click()
    options = own_page(context, "options")
    options.get_by_label("Excluded sites").fill("localhost")
    options.get_by_role("button", name="Save").click()
    expect(options.get_by_text("Saved.", exact=True)).to_be_visible()
    popup = own_page(context, "popup")
    popup.get_by_role("button", name="Start recording").click()
    expect(popup.get_by_role("heading", name="Recording")).to_be_visible()
    reading = context.new_page()
    reading.goto(f"{pages.url}/public")
    reading.goto(f"{pages.url.replace('127.0.0.1', 'localhost')}/secret")
    reading.wait_for_timeout(1_500)
    reading.goto(f"{pages.url}/public-again")
    popup.get_by_role("button", name="Stop").click()
    expect(popup.get_by_role("link", name="Open session")).to_be_visible()
    shown = reader.finished()
    assert "secret" not in str(shown)
    assert [path_of(visit["url"]) for visit in shown["page_visits"]][-2:] == [
        "/public",
        "/public-again",
    ]
    assert "no_page" in {pause["kind"] for pause in shown["pauses"]}


def test_only_listed_sites_are_recorded(
    fresh_browser: BrowserContext, reader: Reader, pages: Pages
) -> None:
    context = fresh_browser
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
    expect(popup.get_by_role("link", name="Open session")).to_be_visible()
    shown = reader.finished()
    assert "elsewhere" not in str(shown)
    paths = [path_of(visit["url"]) for visit in shown["page_visits"]]
    assert [path for path in paths if path.startswith("/listed")] == ["/listed", "/listed-too"]
