"""What is done with a mind map: edited by keys, made again, taken along as every kind of file."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS: Final = 60_000
TOPICS: Final = "[role=tree] [data-type=topic]"


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


def node(tab: Page, label: str) -> Locator:
    return tab.get_by_role("tree").get_by_role("treeitem", name=label, exact=True)


def edit_by_keys(tab: Page) -> None:
    """A node is added below a topic, and it is renamed."""
    tab.locator(TOPICS).first.focus()
    tab.keyboard.press("Insert")
    tab.keyboard.type("Plumage")
    tab.keyboard.press("Enter")
    expect(node(tab, "Plumage")).to_be_visible()
    node(tab, "Plumage").focus()
    tab.keyboard.press("F2")
    tab.keyboard.type("Feathers")
    tab.keyboard.press("Enter")
    expect(node(tab, "Feathers")).to_be_visible()


def make_again(tab: Page) -> None:
    """What was edited stays."""
    tab.get_by_role("button", name="Process again…").click()
    tab.get_by_role("dialog").get_by_role("button", name="Process again").click()
    expect(tab.get_by_role("heading", name="Processing this session")).to_be_hidden(
        timeout=PATIENCE_MS
    )
    expect(node(tab, "Feathers")).to_be_visible()


def take_along(tab: Page, folder: Path) -> None:
    """Every file is what it says."""
    section = tab.get_by_role("region", name="Mind map")
    section.get_by_role("button", name="Export").click()
    for name, is_right in FILES.items():
        with tab.expect_download() as download:
            section.get_by_role("button", name=name, exact=True).click()
        file = folder / name
        download.value.save_as(file)
        assert is_right(file.read_bytes()), name
    tab.keyboard.press("Escape")
