"""A session's way from the recording to its map, in a browser: followed, edited, made again, taken along."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.conftest import locked
from tests.e2e.web_axe import Inspection
from tests.e2e.web_map import PATIENCE_MS, TOPICS, edit_by_keys, make_again, node, take_along
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


def test_a_recording_becomes_a_map_that_is_edited_made_again_and_taken_along(
    tab: Page, home: Home, tmp_path: Path
) -> None:
    recorder = record(home)
    inspection = Inspection(tab)
    tab.goto(f"{home.url}/sessions/{recorder.id}")
    expect(tab.get_by_text("The mind map is made when the recording ends.")).to_be_visible()
    with locked(home.database_url, "mindmap_graphs"):
        recorder.stop()
        expect(tab.get_by_role("heading", name="Processing this session")).to_be_visible()
    expect(tab.locator(TOPICS).first).to_be_visible(timeout=PATIENCE_MS)  # nothing was loaded again

    edit_by_keys(tab)
    inspection.look("map with details")

    make_again(tab)
    take_along(tab, tmp_path)
    section = tab.get_by_role("region", name="Mind map")

    # As a list, and by page: the same, with what the pages called themselves as text.
    section.get_by_role("button", name="List").click()
    expect(node(tab, "Feathers")).to_be_visible()
    inspection.look("map as a list")
    tab.get_by_role("button", name="By page").click()
    expect(tab.get_by_role("link", name=HOSTILE[0]).first).to_be_visible()
    inspection.look("session by page")
    tab.goto(f"{home.url}/settings/model")
    inspection.look("model provider")
    inspection.look_on_a_phone("model provider")
    assert inspection.found == {}

    tab.goto(f"{home.url}/sessions/{recorder.id}")
    tab.get_by_role("button", name="Delete").first.click()
    expect(tab.get_by_text("The session was deleted.")).to_be_visible()
    assert tab.title() != "run"
