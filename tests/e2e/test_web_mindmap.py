"""A session's way from the recording to its map, in a browser: followed, edited, made again, taken along."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import locked
from tests.e2e.web_axe import Inspection
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
PATIENCE_MS: Final = 60_000


def _is_png(body: bytes) -> bool:
    return body.startswith(b"\x89PNG")


def _is_json(body: bytes) -> bool:
    return len(json.loads(body)["nodes"]) > 1


FILES: Final[dict[str, Callable[[bytes], Any]]] = {
    "SVG image": lambda body: ET.fromstring(body).tag.endswith("svg"),
    "PNG image": _is_png,
    "Markdown outline": lambda body: b"Feathers" in body,
    "OPML outline": lambda body: ET.fromstring(body).tag == "opml",
    "FreeMind": lambda body: ET.fromstring(body).tag == "map",
    "JSON": _is_json,
}


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


def node(tab: Page, label: str) -> Locator:
    return tab.get_by_role("tree").get_by_role("treeitem", name=label, exact=True)


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
    topics = tab.locator("[role=tree] [data-type=topic]")
    expect(topics.first).to_be_visible(timeout=PATIENCE_MS)  # nothing was loaded again

    # By hand: a node is added below a topic, and it is renamed, all by keys.
    topics.first.focus()
    tab.keyboard.press("Insert")
    tab.keyboard.type("Plumage")
    tab.keyboard.press("Enter")
    expect(node(tab, "Plumage")).to_be_visible()
    node(tab, "Plumage").focus()
    tab.keyboard.press("F2")
    tab.keyboard.type("Feathers")
    tab.keyboard.press("Enter")
    expect(node(tab, "Feathers")).to_be_visible()
    inspection.look("map with details")

    # Made again: what was edited stays.
    tab.get_by_role("button", name="Process again…").click()
    tab.get_by_role("dialog").get_by_role("button", name="Process again").click()
    expect(tab.get_by_role("heading", name="Processing this session")).to_be_hidden(
        timeout=PATIENCE_MS
    )
    expect(node(tab, "Feathers")).to_be_visible()

    # Every file is what it says.
    section = tab.get_by_role("region", name="Mind map")
    section.get_by_role("button", name="Export").click()
    for name, is_right in FILES.items():
        with tab.expect_download() as download:
            section.get_by_role("button", name=name, exact=True).click()
        file = tmp_path / name
        download.value.save_as(file)
        assert is_right(file.read_bytes()), name
    tab.keyboard.press("Escape")

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
    tab.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(tab.get_by_text("The session was deleted.")).to_be_visible()
    assert tab.title() != "run"
