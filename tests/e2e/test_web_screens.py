"""The screens of the web app, with the demo in it: found again, for everybody, on a phone too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import web_scenes
from tests.e2e.conftest import signed_in
from tests.e2e.web_axe import Inspection
from tests.e2e.web_stage import WIKI, Home, record_hostile, settled

SCREENS: Final = {
    "overview": "/",
    "month": "/?view=month",
    "year": "/?view=year",
    "together": "/together?sessions={id},{hostile}",
    "nothing found": "/?q=axolotl",
    "session": "/sessions/{id}",
    "session with holes": "/sessions/{hostile}",
    "session without visits": "/sessions/{empty}",
    "recording": "/sessions/{live}",
    "no such session": "/sessions/00000000-0000-4000-8000-000000000000",
    "highlights": "/highlights",
    "visited page": "/pages/{page}",
    "search": "/search?q=sourdough",
    "nothing searched": "/search",
    "first steps": "/first-steps",
    "operations": "/operations",
    "connect": "/connect",
    "general": "/settings",
    "privacy": "/settings/privacy",
    "model": "/settings/model",
    "plan": "/settings/plan",
    "security": "/settings/security",
    "devices": "/settings/devices",
    "data": "/settings/data",
    "server": "/settings/server",
    "not found": "/nowhere",
}


@pytest.fixture(scope="module", autouse=True)
def _demo(home: Home) -> None:
    home.client.post("/v1/demo")
    settled(home.client)


@pytest.fixture
def paths(home: Home) -> Iterator[dict[str, str]]:
    """Every screen's address, with a session of each sort behind it."""
    rich = next(each for each in home.sessions() if each["highlight_count"] > 2)
    live, empty = home.record("Live"), home.record("Empty")
    live.begin()
    live.go(WIKI, "Common swift")
    empty.stop()
    marked = home.client.get("/v1/highlights").json()["highlights"][0]
    ids = {
        "id": rich["id"],
        "page": marked["url_id"],
        "live": live.id,
        "empty": empty.id,
        "hostile": record_hostile(home),
    }
    yield {name: home.url + path.format(**ids) for name, path in SCREENS.items()}
    home.forget(ids["live"], ids["empty"], ids["hostile"])


def test_what_the_demo_brings_was_not_recorded_here(tab: Page, home: Home) -> None:
    tab.goto(f"{home.url}/first-steps")
    tab.wait_for_load_state("networkidle")  # before the sessions are there nothing is done
    done = tab.get_by_role("heading", level=2).filter(has_text="Done")
    expect(done).to_have_text(["Account createdDone"])
    expect(tab.locator("[aria-current=step]").first).to_contain_text("Load the extension")
    expect(tab.get_by_text("Your first session is here.")).to_have_count(0)


def test_a_search_is_found_again_by_the_back_button(tab: Page, home: Home) -> None:
    tab.goto(home.url)
    expect(tab.get_by_role("img", name="Active time per day, by site")).to_be_visible()
    tab.get_by_label("Search").fill("sourdough")
    expect(tab.get_by_text("1 session", exact=True)).to_be_visible()
    assert "q=sourdough" in tab.url
    tab.get_by_role("link", name="A first sourdough").click()
    expect(tab.get_by_role("heading", name="A first sourdough")).to_be_visible()
    tab.go_back()
    expect(tab.get_by_label("Search")).to_have_value("sourdough")
    expect(tab.get_by_role("link", name="A first sourdough")).to_be_visible()
    tab.reload()
    expect(tab.get_by_text("1 session", exact=True)).to_be_visible()


def test_a_new_screen_is_shown_from_its_top(tab: Page, home: Home) -> None:
    tab.goto(home.url)
    last = tab.locator("li[data-status] a").last
    last.scroll_into_view_if_needed()
    assert tab.evaluate("scrollY") > 0
    last.click()
    expect(tab.locator("li[data-index]").first).to_be_attached()
    expect(tab.locator("article h1")).to_be_in_viewport()
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert tab.evaluate("scrollY") > 0
    tab.keyboard.press("g")
    tab.keyboard.press("o")  # the overview is known already, and tall at once
    expect(last).to_be_attached()
    expect(tab.get_by_role("heading", name="Overview")).to_be_in_viewport()
    assert tab.evaluate("scrollY") == 0


def test_a_menu_that_is_opened_while_a_screen_is_on_its_way_stays_open(
    tab: Page, home: Home
) -> None:
    tab.goto(home.url)
    expect(tab.locator("li[data-status]").first).to_be_visible()
    tab.route("**/assets/*.js", lambda _: None)  # held until nobody listens any more
    tab.get_by_role("link", name="Operations").click()
    tab.locator("header button[aria-expanded]").click()
    expect(tab.get_by_role("button", name="Sign out")).to_be_visible()
    tab.unroute_all()
    expect(tab.get_by_role("heading", name="Operations", level=1)).to_be_visible()
    expect(tab.get_by_role("button", name="Sign out")).to_be_visible()
    expect(tab.locator("header button[aria-expanded]")).to_be_focused()


def inspect_what_opens(inspection: Inspection) -> None:
    """What stands over the screen of a session: the menu, the shortcuts, a question."""
    page = inspection.page
    page.locator("header button[aria-expanded]").click()
    inspection.look("menu", "header")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.get_by_role("option").first.wait_for()
    inspection.look("palette", "dialog")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    inspection.look("shortcuts", "dialog")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("Process again…|다시 처리…")).click()
    page.get_by_role("dialog").wait_for()
    inspection.look("question", "dialog[open]")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^(Report|세션 리포트)$")).click()
    page.get_by_role("dialog").get_by_role("heading", level=3).wait_for()
    inspection.look("report", "dialog[open]")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.locator("article form").wait_for()
    inspection.look("title", "article form")
    page.keyboard.press("Escape")


def inspect_the_map(inspection: Inspection) -> None:
    """A node with what is behind it, another node chosen, the files, the map as a list; the other timelines."""
    page = inspection.page
    page.locator(web_scenes.TOPIC).first.click()
    page.locator("#node-title").wait_for()
    inspection.look("map with details", web_scenes.MAP)
    page.get_by_role("button", name=re.compile("^(Move…|옮기기…)$")).click()
    page.get_by_role("dialog").wait_for()
    inspection.look("another node", "dialog[open]")
    page.keyboard.press("Escape")
    page.locator(f"{web_scenes.MAP} button[aria-controls]").click()
    inspection.look("files of the map", web_scenes.MAP)
    page.keyboard.press("Escape")
    page.locator(web_scenes.CLICKED["map-list"]).click()
    page.locator("[role=treeitem]").first.wait_for()
    inspection.look("map as a list", web_scenes.MAP)
    for name in ("pages", "trail"):
        page.locator(web_scenes.CLICKED[name]).click()
        inspection.look(f"session by {name}", "section[aria-labelledby=timeline-title]")


def inspect_what_fails(inspection: Inspection, paths: dict[str, str]) -> None:
    page = inspection.page
    page.route("**/v1/sessions/*", lambda route: route.fulfill(status=500, body="{}"))
    page.goto(paths["session"])
    inspection.look("an answer that failed")
    page.unroute_all()
    page.goto(paths["not found"])
    page.route("**/assets/*.js", lambda route: route.abort())
    page.locator("header nav a").nth(1).click()
    page.locator("main [role=alert]").wait_for()
    inspection.look("a screen that failed")
    page.unroute_all()
    page.goto(paths["overview"])
    page.locator("li[data-status]").first.wait_for()
    for asked in ("**/v1/**", "**/readyz"):
        page.route(asked, lambda route: route.abort())
    page.locator("header + [role=status] > div").wait_for()
    inspection.look("the server away", "header + [role=status] > div")
    page.unroute_all()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_screen_can_be_used_by_everybody(
    chromium: Browser, home: Home, paths: dict[str, str], language: str
) -> None:
    """axe finds nothing serious in light and in dark, and no screen is wider than a phone's."""
    context = signed_in(chromium, home)
    home.speak(language)
    inspection = Inspection(context.new_page())
    inspection.page.goto(home.url)
    for name, path in paths.items():
        inspection.go(path)
        inspection.look(name)
        inspection.look_on_a_phone(name)
        if name == "session":
            inspect_what_opens(inspection)
            inspect_the_map(inspection)
    inspect_what_fails(inspection, paths)
    context.close()
    home.speak("en")
    assert inspection.found == {}
