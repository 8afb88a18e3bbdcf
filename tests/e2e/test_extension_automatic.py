"""Recording that begins by itself, and what the popup says and does about the page in front."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.e2e.conftest import PATIENCE_MS, Site
from tests.e2e.extension_kit import Reader, flags, prepare_profile, program, wait_until
from tests.e2e.extension_pages import Pages, local_pages
from tests.e2e.test_extension_ui import connect, own_page


@pytest.fixture
def reader(site: Site) -> Iterator[Reader]:
    made = Reader(site)
    yield made
    made.client.close()


@pytest.fixture
def pages() -> Iterator[Pages]:
    with local_pages() as served:
        yield served


@pytest.fixture
def fresh_browser(reader: Reader, tmp_path: Path) -> Iterator[BrowserContext]:
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


def in_front(reading: Page, url: str) -> None:
    reading.bring_to_front()
    reading.goto(url)


def pages_agree(reader: Reader, popup: Page) -> bool:
    """Whether the popup and the API say the same number of pages."""
    [session] = reader.sessions()
    counted = reader.session(session["id"])["session"]["page_count"]
    return f"Pages{counted}H" in popup.locator(".figures").inner_text().replace("\n", "")


def test_a_session_begins_by_itself_and_the_popup_speaks_of_the_page(
    fresh_browser: BrowserContext, reader: Reader, pages: Pages
) -> None:
    context, site = fresh_browser, reader.site
    setup = connect(context, site)
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    setup.get_by_label("Record automatically").check()
    expect(setup.get_by_text("Saved.", exact=True)).to_be_visible()
    popup = own_page(context, "popup")
    expect(popup.get_by_role("heading", name="Automatic recording is on")).to_be_visible()

    reading = context.new_page()
    in_front(reading, f"{pages.url}/first")
    expect(popup.get_by_role("heading", name="Recording automatically")).to_be_visible()
    expect(popup.locator(".page-title")).to_have_text("Page first")
    expect(popup.locator(".page-state")).to_have_text("Being recorded")
    in_front(reading, f"{pages.url}/second")
    expect(popup.locator(".figures")).to_have_text(re.compile("Pages2"))
    wait_until(lambda: pages_agree(reader, popup), what="the popup and the API to agree")

    in_front(reading, f"{site.url}/")
    expect(popup.locator(".page-state")).to_have_text(re.compile("MindHit doesn’t record itself"))
    in_front(reading, f"{pages.url}/third")
    expect(popup.locator(".figures")).to_have_text(re.compile("Pages3"))
    # What is sent after the site was excluded, the server drops.
    wait_until(lambda: pages_agree(reader, popup), what="the third page to be sent")
    popup.get_by_role("button", name="Never record this site").click()
    expect(popup.locator(".page-state")).to_have_text(re.compile("127.0.0.1 is on your excluded"))
    wait_until(
        lambda: reader.client.get("/v1/me/settings").json()["excluded_domains"] == ["127.0.0.1"],
        what="the account to exclude the site",
    )

    popup.get_by_role("button", name="Pause for 1 hour").click()
    expect(popup.get_by_role("heading", name="Paused")).to_be_visible()
    shown = reader.finished()
    assert shown["session"]["page_count"] == 3
    assert site.url not in str(shown["page_visits"])
