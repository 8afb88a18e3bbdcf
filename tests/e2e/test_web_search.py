"""Search in a real browser: the palette, the screen, and the visit that a result opens."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from tests.e2e.web_axe import Inspection
from tests.e2e.web_stage import Home

TEXT = "Common swifts sleep on the wing. " * 5
MANY = 60


def recorded(home: Home) -> str:
    """A long session, with one page in its middle that has a text; found by the time this returns."""
    recorder = home.record("Birds")
    began = int(time.time() * 1000) - 3_600_000
    recorder.begin(began)
    for number in range(MANY):
        at = began + 1_000 + number * 20_000
        url = f"https://birds.example/{number}"
        recorder.go(url, f"Bird {number}", at, noFetch=True)
        if number == MANY // 2:
            read = {"content": TEXT, "extractionOk": True, "title": f"Bird {number}"}
            recorder.say("CONTENT_EXTRACTED", at + 500, tabId=1, windowId=1, url=url, payload=read)
    recorder.stop(began + 2_000 + MANY * 20_000)
    ends = time.monotonic() + 60
    while not home.client.get("/v1/search", params={"q": "swifts wing"}).json()["hits"]:
        assert time.monotonic() < ends, "the text is not found"
        time.sleep(0.1)
    return recorder.id


def test_what_was_read_is_found_and_opens_the_very_visit(tab: Page, home: Home) -> None:
    session = recorded(home)
    tab.goto(home.url)
    tab.get_by_role("button", name="Search").wait_for()
    tab.keyboard.press("/")
    expect(tab.get_by_role("combobox", name="Search or go to…")).to_be_focused()
    tab.keyboard.type("swifts sleep")
    expect(tab.get_by_role("option", name=f"Bird {MANY // 2}")).to_be_visible()
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/sessions/{session}?visit=*")
    row = tab.locator("li[data-selected='true']")
    expect(row).to_contain_text(f"Bird {MANY // 2}")
    expect(row).to_be_in_viewport()

    tab.keyboard.press("Control+k")
    tab.keyboard.type("sleep on the wing")
    # The list has settled: an option that moves is not hit.
    expect(tab.get_by_role("option", name=f"Bird {MANY // 2}")).to_be_visible()
    tab.get_by_role("option", name="All results for").click()
    expect(tab.get_by_role("heading", name="Search", exact=True)).to_be_focused()
    hit = tab.get_by_role("listitem").filter(has_text="swifts")
    expect(hit.locator("mark").first).to_be_visible()
    tab.get_by_role("button", name="Save this search").click()
    expect(tab.get_by_role("link", name="sleep on the wing")).to_be_visible()
    tab.get_by_label("Type").select_option("highlight")
    expect(tab.get_by_text("Nothing found for")).to_be_visible()
    tab.go_back()
    expect(hit.first).to_be_visible()

    home.forget(session)
    tab.reload()
    expect(tab.get_by_text("Nothing found for")).to_be_visible()

    inspection = Inspection(tab)
    tab.reload()
    for path in ("/search?q=swifts", "/search?q=bird"):
        inspection.go(home.url + path)
        inspection.look("search")
    inspection.look_on_a_phone("search")
    assert inspection.found == {}
