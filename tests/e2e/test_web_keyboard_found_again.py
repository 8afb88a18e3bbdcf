"""What was recorded is found again by keys alone: search, highlights with notes, a page of its own, reminders."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.web_keys import Keys
from tests.e2e.web_stage import Home, settled


@pytest.fixture(scope="module", autouse=True)
def _demo(home: Home) -> None:
    home.client.post("/v1/demo")
    settled(home.client)


@pytest.fixture
def keys(tab: Page, home: Home) -> Keys:
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.goto(home.url)
    expect(tab.locator("li[data-status]").first).to_be_visible()
    return Keys(tab)


def test_a_screen_is_gone_to_by_the_palette_and_a_note_is_written(keys: Keys) -> None:
    page = keys.page
    keys.press("/")
    expect(page.get_by_role("combobox", name="Search or go to…")).to_be_focused()
    keys.press("ArrowDown", "ArrowUp")
    keys.type("go to high")
    expect(page.get_by_role("option", name="Go to Highlights")).to_be_visible()
    keys.press("ArrowUp")  # from the first option round to the last
    expect(page.get_by_role("option", name="Go to Highlights")).to_have_attribute(
        "aria-selected", "true"
    )
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Highlights", level=1)).to_be_focused()
    keys.go(page.get_by_role("button", name="Add a note").first)
    keys.press("Enter")
    expect(page.get_by_label("Note")).to_be_focused()
    keys.press("Escape")
    expect(page.get_by_role("button", name="Add a note").first).to_be_focused()
    keys.press("Enter")
    keys.type("Ask Jun about this")
    keys.press("Control+Enter")
    expect(page.get_by_text("Ask Jun about this")).to_be_visible()
    expect(page.get_by_role("button", name="Edit note")).to_be_focused()


def test_a_page_is_saved_and_comes_back(keys: Keys, home: Home) -> None:
    page = keys.page
    marked = home.client.get("/v1/highlights").json()["highlights"][0]
    page.goto(f"{home.url}/pages/{marked['url_id']}")
    keys.use("button", "Save to library")
    expect(page.get_by_role("link", name="Show in library")).to_be_visible()
    keys.look()
    keys.use("button", "Remind me")
    keys.go(page.get_by_label("First time"))
    keys.press("ArrowDown")
    keys.go(page.get_by_role("dialog").get_by_role("button", name="Remind me"))
    keys.press("Enter")
    expect(page.get_by_text("Reminder set:")).to_be_visible()
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    keys.press("Enter")
    keys.look()
    keys.use("link", "Reminders", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Reminders", level=1)).to_be_focused()
    keys.use("button", "Pause")
    expect(page.get_by_text("Nothing is coming up.")).to_be_visible()
    keys.look()
    keys.use("link", "Paused")
    keys.use("button", "Stop")
    expect(page.get_by_text("No paused reminders.")).to_be_visible()
    keys.press("z")
    expect(page.get_by_text("No paused reminders.")).to_be_hidden()
    keys.use("button", "Stop")
    expect(page.get_by_text("No paused reminders.")).to_be_visible()
    keys.look()


def test_a_search_is_narrowed_saved_and_deleted(keys: Keys) -> None:
    page = keys.page
    keys.press("Control+k")
    keys.type("sourdough")
    expect(page.get_by_role("option", name="All results for “sourdough”")).to_be_visible()
    chosen = page.get_by_role("dialog").get_by_role("option", selected=True)
    while not chosen.inner_text().startswith("All results"):
        keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Search", level=1)).to_be_focused()
    keys.go(page.get_by_label("Type"))
    keys.press("ArrowDown")
    expect(page.get_by_label("Type")).to_have_value("page")
    keys.press("ArrowUp")
    keys.use("button", "Save this search", key="Shift+Tab")
    expect(page.get_by_role("link", name="sourdough", exact=True)).to_be_visible()
    keys.look()
    keys.use("button", "Delete saved search sourdough")
    expect(page.get_by_role("link", name="sourdough", exact=True)).to_have_count(0)
    keys.look()


def test_a_page_is_put_into_the_library_tagged_archived_and_deleted(keys: Keys, home: Home) -> None:
    page = keys.page
    page.goto(f"{home.url}/library")
    keys.use("button", "New folder")
    keys.type("Birds")
    keys.press("Enter")
    expect(page.get_by_role("treeitem", name="Birds")).to_be_visible()
    keys.look()
    keys.go(page.get_by_label("Save a page"))
    keys.type("https://birds.example/swift")
    keys.press("Enter")
    chosen = page.get_by_role("checkbox", name="Select: ").first
    keys.go(chosen)
    keys.press("Space")
    keys.use("button", "Add tags…", key="Shift+Tab")
    keys.type("summer")
    keys.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="birds.example")).to_contain_text("summer")
    keys.look()
    keys.use("button", "Archive")
    expect(page.get_by_role("heading", name="No pages here yet")).to_be_visible()
    keys.look()
    keys.use("link", "Archive", key="Shift+Tab")
    keys.go(chosen)
    keys.press("Space")
    keys.use("button", "Delete", key="Shift+Tab")
    expect(page.get_by_role("heading", name="Nothing archived")).to_be_visible()
    keys.look()
    keys.press("z")
    expect(chosen).to_be_visible()
    for each in home.client.get("/v1/folders").json()["folders"]:
        home.client.delete(f"/v1/folders/{each['id']}")


def test_a_model_of_ones_own_is_chosen_and_removed(keys: Keys, home: Home) -> None:
    page = keys.page
    page.goto(f"{home.url}/settings/model")
    keys.go(page.get_by_label("Provider", exact=True))
    keys.press("ArrowDown")
    keys.go(page.get_by_label("Model", exact=True))
    keys.type("a-model")
    keys.go(page.get_by_label("API key"))
    keys.type("a-key")
    keys.press("Enter")
    expect(page.get_by_text("Not tested yet.")).to_be_visible()
    keys.look()
    keys.use("button", "Remove", key="Shift+Tab")
    expect(page.get_by_text("Not tested yet.")).to_have_count(0)
    keys.look()
