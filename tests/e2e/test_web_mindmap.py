"""A session's way from the recording to its map, in a browser: followed, edited by keys, as a list, by page."""

from __future__ import annotations

import time
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.conftest import locked
from tests.e2e.web_keys import Keys
from tests.e2e.web_map import EDITED, PATIENCE_MS, TOPICS, edit_by_keys, go_to, node
from tests.e2e.web_stage import HOSTILE, Home, Recorder

HOST: Final = "https://birds.example.org"
PAGES: Final = (
    ("Common swift", "Swifts sleep on the wing. A swift flies for ten months without landing."),
    (
        "Swift nest boxes",
        "A nest box for swifts hangs under the roof. Swifts come back to their box.",
    ),
    ("Sourdough starter", "A sourdough starter is flour and water. Feed the starter every day."),
    ("Rye bread", "Rye bread needs a sourdough starter. Bake the rye bread for an hour."),
    (HOSTILE[0], "Markup in a title is text. Text is what a title has."),
)


def record(home: Home) -> Recorder:
    """Five pages with their texts, one a minute."""
    recorder = home.record("Birds and bread")
    began = int(time.time() * 1000) - 600_000
    recorder.begin(began)
    for number, (title, text) in enumerate(PAGES):
        url, at = f"{HOST}/{number}", began + number * 60_000
        recorder.go(url, title, at)
        told = {"title": title, "extractionOk": True, "content": text * 6}
        recorder.say("CONTENT_EXTRACTED", at + 1_000, tabId=1, url=url, payload=told)
    recorder.say("ALIVE", began + 300_000)
    return recorder


def change_by_keys(tab: Page) -> None:
    """Connected, moved, collapsed, deleted, undone, and taken along."""
    keys = Keys(tab)
    go_to(keys, EDITED)
    keys.press("Enter")
    details = tab.get_by_role("region", name=EDITED)
    expect(details).to_be_in_viewport()
    keys.use("button", "Connect…")
    keys.go(tab.get_by_role("dialog").get_by_role("radio", checked=True))
    keys.press("ArrowDown", "Enter")
    expect(details.get_by_role("heading", name="Connected with")).to_be_visible()
    keys.look()
    keys.use("button", "Move…", key="Shift+Tab")
    keys.press("Enter")  # the first of the list is the root
    expect(node(tab, EDITED)).to_have_attribute("aria-level", "2")
    keys.look()
    go_to(keys, EDITED)
    keys.press("Delete")
    expect(node(tab, EDITED)).to_have_count(0)
    keys.look()
    keys.press("Control+z")
    expect(node(tab, EDITED)).to_be_visible()
    keys.go(tab.get_by_label("Levels"), "Shift+Tab")
    keys.press("ArrowUp")
    keys.press("ArrowDown")
    keys.use("button", "Export")
    with tab.expect_download() as saved:
        keys.use("button", "Markdown outline")
    assert saved.value.suggested_filename.endswith(".md")
    keys.press("Escape")
    expect(tab.get_by_role("button", name="Export", exact=True).last).to_be_focused()


def test_a_recording_becomes_a_map_that_is_edited_by_keys_alone(tab: Page, home: Home) -> None:
    recorder = record(home)
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    expect(tab.get_by_text("The mind map is made when the recording ends.")).to_be_visible()
    with locked(home.database_url, "mindmap_graphs"):
        recorder.stop()
        expect(tab.get_by_role("heading", name="Processing this session")).to_be_visible()
    expect(tab.locator(TOPICS).first).to_be_visible(timeout=PATIENCE_MS)  # nothing was loaded again

    edit_by_keys(tab)
    change_by_keys(tab)
    section = tab.get_by_role("region", name="Mind map")

    # As a list, and by page: the same, with what the pages called themselves as text.
    section.get_by_role("button", name="List").click()
    expect(node(tab, "Feathers")).to_be_visible()
    tab.get_by_role("button", name="By page").click()
    expect(tab.get_by_role("link", name=HOSTILE[0]).first).to_be_visible()
    tab.get_by_role("button", name="Delete").first.click()
    expect(tab.get_by_text("The session was deleted.")).to_be_visible()
    assert tab.title() != "run"
