"""The web app from the owner link to a deleted session, against a real server."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_accounts import EMAIL, PASSWORD, ask_to_connect, become_owner, poll
from tests.e2e.web_axe import Inspection
from tests.e2e.web_stage import Recorder

WIKI = "https://en.wikipedia.org/wiki/Common_swift"
RSPB = "https://www.rspb.org.uk/birds/swift"


def connect(page: Page, site: Site) -> dict[str, str]:
    """As a person does it, in a second tab, while the first steps are open in the first."""
    asked = ask_to_connect(site)
    approval = page.context.new_page()
    approval.goto(asked["url"])
    approval.get_by_role("button", name="Approve").click()
    expect(approval.get_by_role("heading", name="Connected")).to_be_visible()
    approval.close()
    return {"Authorization": f"Bearer {poll(site, asked)['tokens']['access_token']}"}


def rows(page: Page) -> list[tuple[str, str]]:
    """Title and length of every visit on the screen."""
    found: list[tuple[str, str]] = []
    for row in page.locator(".visit:has(.visit-title a)").all():
        title = row.locator(".visit-title").inner_text()
        found.append((title, row.locator(".dwell-time").get_attribute("title") or ""))
    return found


def test_from_the_owner_link_to_a_deleted_session(page: Page, site: Site, tmp_path: Path) -> None:
    become_owner(page, site)
    expect(page.get_by_role("heading", name=re.compile("You are in.*Done"))).to_be_visible()
    key = connect(page, site)
    expect(page.get_by_role("heading", name=re.compile("Connect it.*Done"))).to_be_visible()

    recorder = Recorder(site.url, key)
    began = int(time.time() * 1000) - 20_000
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", began, transition="typed")
    watch = page.get_by_role("link", name="Watch it")
    overview = page.get_by_role("heading", name="Overview")
    expect(watch.or_(overview).first).to_be_visible()
    page.goto(f"{site.url}/")
    expect(page.locator(".state-badge", has_text="Recording")).to_be_visible()
    page.locator(".session-link").click()
    expect(page.get_by_text("Now at Common swift")).to_be_visible()
    ticked = page.locator(".session-facts dd").first
    before = ticked.inner_text()
    expect(ticked).not_to_have_text(before)

    recorder.go(RSPB, "Swift bird facts", began + 10_000)
    expect(page.get_by_text("Now at Swift bird facts")).to_be_visible()
    recorder.go(WIKI, "Common swift", began + 10_180, transition="link")
    recorder.say(
        "HIGHLIGHT", began + 12_000, tabId=1, url=WIKI, payload={"text": "They sleep on the wing"}
    )
    recorder.say("ALIVE", began + 15_000)
    recorder.stop(began + 15_000)
    expect(page.locator(".state-badge")).to_have_count(0)
    expect(page.locator("blockquote", has_text="They sleep on the wing")).to_be_visible()
    assert rows(page) == [
        ("Common swift", "0:10.000"),
        ("Swift bird facts", "0:00.180"),
        ("Common swift", "0:04.820"),
    ]
    expect(page.get_by_text("by a link from en.wikipedia.org/wiki/Common_swift")).to_be_visible()

    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill("Swifts")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Swifts", level=1)).to_be_visible()
    files = {name: download(page, name, tmp_path) for name in ("Markdown", "JSON", "CSV")}
    assert files["Markdown"].startswith("# Swifts")
    assert [each["duration_ms"] for each in json.loads(files["JSON"])["page_visits"]] == [
        10_000,
        180,
        4_820,
    ]
    assert "180" in files["CSV"]

    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The session is deleted.")).to_be_visible()
    page.goto(f"{site.url}/sessions/{recorder.id}")
    expect(page.get_by_text("There is no such session.")).to_be_visible()


def download(page: Page, name: str, folder: Path) -> str:
    with page.expect_download() as saved:
        page.get_by_role("button", name=name, exact=True).click()
    file = folder / saved.value.suggested_filename
    saved.value.save_as(file)
    return file.read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_first_minutes_hold_no_barrier(chromium: Browser, site: Site, language: str) -> None:
    """axe finds nothing serious before there is an owner, on the link, and before the first session."""
    context = chromium.new_context(locale=language, viewport={"width": 1280, "height": 1600})
    page = context.new_page()
    inspection = Inspection(page)
    page.goto(site.url)
    inspection.look("no owner")
    page.goto(site.owner_link())
    inspection.look("owner link")
    page.locator("input[type=email]").fill(EMAIL)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    page.locator(".steps").wait_for()
    inspection.look("nothing recorded yet")
    page.goto(ask_to_connect(site)["url"])
    page.locator(".code").wait_for()
    inspection.look("an extension asks")
    page.locator(".button.main").click()
    page.locator(".notice").wait_for()
    inspection.look("an extension is connected")
    context.close()
    assert inspection.found == {}
