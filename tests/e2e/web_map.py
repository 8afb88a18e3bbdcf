"""What is done with a mind map: edited by keys, made again, taken along as every kind of file."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.web_keys import Keys

PATIENCE_MS: Final = 60_000
EDITED: Final = "Feathers"
TOPICS: Final = "[role=tree] [data-type=topic]"


def _says(body: bytes, tag: str, attribute: str) -> bool:
    """Whether this is such a document, with the node that was edited in it."""
    root = ET.fromstring(body)
    return root.tag == tag and EDITED in {each.get(attribute) for each in root.iter()}


def _is_svg(body: bytes) -> bool:
    root = ET.fromstring(body)
    return root.tag.endswith("svg") and EDITED in "".join(root.itertext())


def _is_json(body: bytes) -> bool:
    return EDITED in {node["label"] for node in json.loads(body)["nodes"]}


# Every file is read as what it says it is; the PNG image is shown by the browser.
FILES: Final[dict[str, Callable[[bytes], bool]]] = {
    "SVG image": _is_svg,
    "PNG image": lambda body: body.startswith(b"\x89PNG"),
    "Markdown outline": lambda body: f"- {EDITED}" in body.decode(),
    "OPML outline": lambda body: _says(body, "opml", "text"),
    "FreeMind": lambda body: _says(body, "map", "TEXT"),
    "JSON": _is_json,
}
SHOWN: Final = """(base64) => new Promise((resolve) => {
  const image = new Image();
  image.onload = () => resolve(image.naturalWidth);
  image.onerror = () => resolve(0);
  image.src = `data:image/png;base64,${base64}`;
})"""


def node(tab: Page, label: str) -> Locator:
    return tab.get_by_role("tree").get_by_role("treeitem", name=label, exact=True)


def go_to(keys: Keys, label: str) -> None:
    """By the search inside the map, then on to the node."""
    keys.go(keys.page.get_by_label("Find in map"), "Shift+Tab")
    keys.press("Control+a")
    keys.type(label)
    keys.press("Enter")
    keys.go(node(keys.page, label))


def edit_by_keys(tab: Page) -> None:
    """A node is added below a topic, and it is renamed; no pointer, and the focus is never lost."""
    keys = Keys(tab)
    keys.go(tab.locator("[role=tree] [tabindex='0']"))
    keys.press("ArrowRight", "Insert")
    keys.type("Plumage")
    keys.press("Enter")
    expect(node(tab, "Plumage")).to_be_visible()
    go_to(keys, "Plumage")
    keys.press("F2")
    keys.type(EDITED)
    keys.press("Enter")
    expect(node(tab, EDITED)).to_be_visible()


def make_again(tab: Page) -> None:
    """Another map than before, and what was edited stays."""
    address = f"{tab.url.replace('/sessions/', '/v1/sessions/')}/mindmap"
    before = tab.request.get(address).json()["mindmap"]
    tab.get_by_role("button", name="Process again…").click()
    with tab.expect_response("**/reprocess"):
        tab.get_by_role("dialog").get_by_role("button", name="Process again").click()
    until(lambda: tab.request.get(address).json()["mindmap"]["created_at"] != before["created_at"])
    expect(tab.get_by_role("heading", name="Processing this session")).to_be_hidden(
        timeout=PATIENCE_MS
    )
    expect(node(tab, EDITED)).to_be_visible()
    after = tab.request.get(address).json()["mindmap"]
    assert (after["edits"], after["unplaced"]) == (before["edits"], 0)


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.1)


def take_along(tab: Page, folder: Path) -> None:
    """Every file is what it says, and has what was edited."""
    section = tab.get_by_role("region", name="Mind map")
    section.get_by_role("button", name="Export").click()
    for name, is_right in FILES.items():
        with tab.expect_download() as download:
            section.get_by_role("button", name=name, exact=True).click()
        file = folder / name
        download.value.save_as(file)
        assert is_right(file.read_bytes()), name
    image = b64encode((folder / "PNG image").read_bytes()).decode()
    assert tab.evaluate(SHOWN, image) > 100
    tab.keyboard.press("Escape")
