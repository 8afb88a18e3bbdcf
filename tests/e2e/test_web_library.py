"""The library in a real browser: bookmarks in, moved, tagged, taken out, deleted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import signed_in
from tests.e2e.web_axe import Inspection
from tests.e2e.web_stage import Home

FILE: Final = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3>Bread</H3>
    <DL><p>
        <DT><H3>Rye</H3>
        <DL><p>
            <DT><A HREF="https://rye.example/dark">Dark rye</A>
        </DL><p>
        <DT><A HREF="https://bread.example/sour">Sourdough</A>
        <DT><A HREF="https://bread.example/flat">Flatbread</A>
        <DT><A HREF="javascript:alert(1)">A bookmarklet</A>
    </DL><p>
    <DT><H3>빵집</H3>
    <DL><p></DL><p>
    <DT><A HREF="nothing">No address</A>
</DL><p>
"""
SCREENS: Final = {
    "library": "/library",
    "folder": "/library?folder={folder}",
    "page": "/library/pages/{page}",
    "archive": "/library?archived=1",
    "dead links": "/library/dead",
    "import": "/library/import",
}


@pytest.fixture
def bookmarks(tmp_path: Path) -> Path:
    file = tmp_path / "bookmarks.html"
    file.write_text(FILE, encoding="utf-8")
    return file


def brought_in(tab: Page, home: Home, bookmarks: Path) -> None:
    before = len(home.client.get("/v1/imports").json()["imports"])
    tab.goto(f"{home.url}/library/import")
    tab.get_by_label("Bookmarks file").set_input_files(bookmarks)
    tab.get_by_role("button", name="Import", exact=True).click()
    expect(tab.get_by_text("Done", exact=True)).to_have_count(before + 1, timeout=60_000)


def row(tab: Page, title: str) -> Locator:
    return tab.get_by_role("listitem").filter(has_text=title)


def test_bookmarks_come_in_are_put_in_order_and_go_out(
    tab: Page, home: Home, bookmarks: Path
) -> None:
    brought_in(tab, home, bookmarks)
    tab.get_by_text("Show 1 entry that failed").first.click()
    expect(
        tab.get_by_role("cell", name="The address has no scheme, such as https://.")
    ).to_be_visible()
    tab.get_by_role("treeitem", name="Bread").click()
    expect(tab.get_by_role("link", name="Details: Sourdough")).to_be_visible()
    expect(tab.get_by_text("A bookmarklet")).to_be_visible()
    expect(tab.get_by_role("link", name="A bookmarklet", exact=True)).to_have_count(0)

    row(tab, "Flatbread").drag_to(tab.get_by_role("treeitem", name="빵집"))
    expect(tab.get_by_text("Moved 1 page to 빵집.")).to_be_visible()
    expect(tab.get_by_role("link", name="Details: Flatbread")).to_have_count(0)

    tab.get_by_role("checkbox", name="Select: Sourdough").press("Space")
    tab.get_by_role("button", name="Move to…").last.press("Enter")
    tab.get_by_label("Find a folder").press_sequentially("rye")
    tab.get_by_label("Find a folder").press("Enter")
    expect(tab.get_by_text("Moved 1 page to Rye.")).to_be_visible()

    tab.get_by_role("treeitem", name="Bread").press("ArrowRight")
    tab.get_by_role("treeitem", name="Rye").click()
    tab.get_by_role("checkbox", name="Select: Sourdough").check()
    tab.get_by_role("button", name="Add tags…").click()
    tab.get_by_role("textbox", name="Tags").fill("weekend")
    tab.get_by_role("button", name="Add tags", exact=True).click()
    expect(row(tab, "Sourdough")).to_contain_text("weekend")

    tab.get_by_role("link", name="Import and export").click()
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="HTML", exact=True).click()
    taken = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert "https://bread.example/sour" in taken
    assert "weekend" in taken

    for name in ("Bread", "빵집"):
        tab.get_by_role("treeitem", name=name).click()
        tab.get_by_role("button", name="Delete folder").click()
        tab.get_by_role("dialog").get_by_role("button", name="Delete folder").click()
        expect(tab.get_by_role("treeitem", name=name)).to_have_count(0)
    assert home.client.get("/v1/pages").json()["pages"] == []


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_library_is_for_everybody_and_on_a_phone(
    chromium: Browser, home: Home, bookmarks: Path, language: str
) -> None:
    context = signed_in(chromium, home)
    tab = context.new_page()
    brought_in(tab, home, bookmarks)
    folders = home.client.get("/v1/folders").json()["folders"]
    folder = next(each["id"] for each in folders if each["name"] == "Bread")
    page = home.client.get(f"/v1/pages?folder={folder}").json()["pages"][0]["id"]
    home.speak(language)
    tab.reload()
    inspection = Inspection(tab)
    tab.reload()
    pictures = os.environ.get("MINDHIT_PICTURES")
    for name, path in SCREENS.items():
        inspection.go(home.url + path.format(folder=folder, page=page))
        inspection.look(f"{name}, {language}")
        if pictures:
            tab.screenshot(path=f"{pictures}/{name}-{language}-dark.png")
            tab.emulate_media(color_scheme="light")
            tab.screenshot(path=f"{pictures}/{name}-{language}.png")
            tab.set_viewport_size({"width": 360, "height": 740})
            tab.screenshot(path=f"{pictures}/{name}-{language}-phone.png")
        inspection.look_on_a_phone(f"{name}, {language}")
    assert inspection.found == {}
    home.speak("en")
    for each in folders:
        home.client.delete(f"/v1/folders/{each['id']}")
    context.close()
