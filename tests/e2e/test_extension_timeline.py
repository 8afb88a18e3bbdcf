"""The server's timeline matches what the pages saw: the extension in Chromium, the real server."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.e2e.conftest import Site
from tests.e2e.extension_kit import Extension, Stage, open_tabs, stage, wait_until
from tests.e2e.extension_pages import TEXT, Seen
from tests.e2e.extension_timeline import (
    BOUNDARY_MS,
    note,
    p99,
    path_of,
    spread,
    stays_of,
    tell,
    visits_of,
)


def switch_at_random(extension: Extension, tabs: list[str]) -> None:
    chance = random.Random(6)
    front = 0
    for _ in range(40):
        front = chance.choice([each for each in range(3) if each != front])
        extension.show(tabs[front])
        time.sleep(chance.choice([0.05, 0.05, 0.08, 0.15, 0.4]))


def navigate(extension: Extension, tab: str) -> None:
    """Routes of an application, redirects of both kinds, and a highlight at the end."""
    extension.show(tab)
    time.sleep(0.3)
    here = extension.chromium.attach(tab)
    for route in ("/b/one", "/b/two", "/b/one"):
        extension.chromium.evaluate(here, f"move('{route}')")
        time.sleep(2.2)
    for way, end in (("/hop/d", "/d"), ("/redirect/e", "/e")):
        extension.chromium.evaluate(here, f"void location.assign('{way}')")
        wait_until(partial(extension.has_loaded, here, end), what=end)
        time.sleep(0.5)
    # Selected before the extension listens on the page, it is nobody's highlight: then once more.
    wait_until(partial(is_highlighted, extension, here), within_s=60, what="a highlight")


def is_highlighted(extension: Extension, tab: str) -> bool:
    """Select the first paragraph for longer than a highlight takes. It is highlighted once, however often."""
    extension.chromium.evaluate(tab, "document.getSelection().removeAllRanges()")
    select = "document.getSelection().selectAllChildren(document.querySelector('p'))"
    extension.chromium.evaluate(tab, select)
    with suppress(TimeoutError):
        wait_until(lambda: extension.ask("status")["recording"]["highlights"], within_s=5)
        return True
    return False


def open_and_close(on: Stage, tabs: list[str]) -> None:
    new = on.extension.open(f"{on.pages.url}/f")
    time.sleep(0.4)
    on.extension.shut(new)
    time.sleep(0.3)
    on.extension.shut(tabs[1])
    time.sleep(0.3)
    for tab in (tabs[2], tabs[0]):
        on.extension.show(tab)
        time.sleep(0.4)


def test_every_visit_is_recorded_with_its_times(site: Site, tmp_path: Path) -> None:
    with stage(site, tmp_path) as on:
        tabs = open_tabs(on, "abc")
        on.extension.ask("start")
        started = round(time.time() * 1000)
        switch_at_random(on.extension, tabs)
        navigate(on.extension, tabs[1])
        open_and_close(on, tabs)
        stopped = round(time.time() * 1000)
        on.extension.ask("stop")
        assert on.extension.wait_until_sent()["outcome"]["is"] == "saved"
        shown = on.reader.finished()

        truth = [Seen(started, "/a", "shown"), *on.pages.truth(), Seen(stopped, "/a", "hidden")]
        expected = stays_of(truth, {"/hop/d": "/d"})
        found = visits_of(shown)
        assert [each.path for each in found] == [each.path for each in expected]
        pairs = list(zip(found, expected, strict=True))
        entered = [abs(ours.entered - page.entered) for ours, page in pairs]
        left = [abs(ours.left - page.left) for ours, page in pairs]
        differences = entered[1:] + left[:-1]  # the first and the last are start and stop
        tell(f"{len(found)} visits, boundaries: {spread(differences)}")
        note(visits=len(found), boundary_p99_ms=p99(differences))
        assert p99(differences) <= BOUNDARY_MS
        assert [each["text"] for each in shown["highlights"]] == [TEXT % "e"]
        assert (shown["session"]["rejected_count"], shown["holes"]) == (0, [])
        visits = {path_of(visit["url"]): visit for visit in shown["page_visits"]}
        assert visits["/a"]["title"] == "Page a"
        assert visits["/a"]["content_status"] == "extracted"
        assert all(visit["is_focused"] for visit in shown["page_visits"])


def test_routes_after_a_redirect_by_script_are_visits(site: Site, tmp_path: Path) -> None:
    """Chromium repeats `client_redirect` for every route of a document that was reached by a script."""
    routes = [f"/route/{each}" for each in range(1, 6)]
    with stage(site, tmp_path) as on:
        [tab] = open_tabs(on, "a")
        page = on.extension.chromium.attach(tab)
        on.extension.ask("start")
        on.extension.chromium.evaluate(page, "follow('/hop/app')")
        wait_until(partial(on.extension.has_loaded, page, "/app"), what="/app")
        for route, stay in zip(routes, (0.2, 0.4, 0.6, 0.8, 1.0), strict=True):
            time.sleep(stay)
            on.extension.chromium.evaluate(page, f"move('{route}')")
        time.sleep(0.2)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        found = [each.path for each in visits_of(on.reader.finished())]
        assert found == ["/a", "/app", *routes]


def test_time_without_focus_or_activity_is_not_reading(site: Site, tmp_path: Path) -> None:
    """Neither happens in a headless browser: both events are dispatched through its extension API."""
    with stage(site, tmp_path) as on:
        open_tabs(on, "a")
        on.extension.ask("start")
        # A snapshot would find the person active, so `queryState` is replaced too.
        on.extension.in_worker(
            "void (chrome.idle.queryState = async () => self.presence ?? 'active')"
        )
        for event, argument in (
            ("windows.onFocusChanged", "-1"),
            ("windows.onFocusChanged", "(await chrome.windows.getLastFocused()).id"),
            ("idle.onStateChanged", "'locked'"),
            ("idle.onStateChanged", "'active'"),
        ):
            time.sleep(0.5)
            if event.startswith("idle"):
                on.extension.in_worker(f"void (self.presence = {argument})")
            on.extension.in_worker(f"(async () => chrome.{event}.dispatch({argument}))()")
        time.sleep(0.5)
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        shown = on.reader.finished()
        visits = sorted(shown["page_visits"], key=lambda each: each["visit_order"])
        assert [visit["is_focused"] for visit in visits] == [True, False, True, True]
        assert [pause["kind"] for pause in shown["pauses"]] == ["idle"]


# A headless browser's context menu cannot be opened: the click is dispatched through its extension API.
CLICK = """
chrome.tabs.query({ url: "http://127.0.0.1/*" }).then(([tab]) => chrome.contextMenus.onClicked.dispatch(
  { menuItemId: "highlight", selectionText: "by the menu", pageUrl: tab.url }, tab))"""


def test_the_context_menu_highlights_the_selection_but_nothing_on_a_page_with_a_password(
    site: Site, tmp_path: Path
) -> None:
    with stage(site, tmp_path) as on:
        [tab] = open_tabs(on, "a")
        page = on.extension.chromium.attach(tab)
        on.extension.ask("start")
        evaluate = partial(on.extension.chromium.evaluate, page)
        evaluate(
            "document.body.append(Object.assign(document.createElement('input'), {type: 'password'}))"
        )
        evaluate("document.getSelection().selectAllChildren(document.querySelector('h1'))")
        on.extension.in_worker(CLICK)
        time.sleep(1.5)  # longer than a selection has to last
        evaluate("document.querySelector('input').remove()")
        evaluate("document.getSelection().selectAllChildren(document.querySelector('p'))")
        on.extension.in_worker(CLICK)
        wait_until(
            lambda: on.extension.ask("status")["recording"]["highlights"], what="a highlight"
        )
        on.extension.ask("stop")
        on.extension.wait_until_sent()
        highlights = on.reader.finished()["highlights"]
        assert [each["text"] for each in highlights] == [TEXT % "a"]


def test_the_status_warns_before_the_disk_is_full(site: Site, tmp_path: Path) -> None:
    """The storage estimate is replaced in the worker."""
    with stage(site, tmp_path) as on:
        assert on.extension.ask("status")["isStorageLow"] is False
        estimate = "async () => ({usage: 900e6, quota: 1000e6})"
        on.extension.in_worker(f"void (navigator.storage.estimate = {estimate})")
        assert on.extension.ask("status")["isStorageLow"] is True
