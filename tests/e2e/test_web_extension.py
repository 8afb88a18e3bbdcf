"""The whole way with the real extension: connected, recording, seen live, stopped, processed, its map edited, made again
and taken along, compared, named, exported, deleted."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import PATIENCE_MS, Site, locked
from tests.e2e.extension_kit import (
    extension_id,
    flags,
    prepare_profile,
    program,
    wait_until,
)
from tests.e2e.extension_pages import TEXT, Pages, Seen, local_pages
from tests.e2e.extension_timeline import (
    BOUNDARY_MS,
    Stay,
    ms,
    path_of,
    spread,
    stays_of,
    tell,
)
from tests.e2e.test_accounts import become_owner
from tests.e2e.web_map import TOPICS, edit_by_keys, make_again, take_along

READ: Final = ["/before", "/first", "/second", "/second/part", "/third"]
NEAR_MS: Final = 100
Press = tuple[int, int]
ROWS: Final = """(rows) => rows.map((row) => {
  const times = [...row.querySelectorAll('time')].map((each) => each.dateTime);
  const link = row.querySelector('a');
  const marks = [...row.querySelectorAll('q')].map((each) => each.textContent);
  return { kind: row.dataset.kind, url: link?.href, title: link?.textContent, times, marks };
})"""


@pytest.fixture
def pages() -> Iterator[Pages]:
    with local_pages() as served:
        yield served


@pytest.fixture
def fresh_browser(chromium: Browser, site: Site, tmp_path: Path) -> Iterator[BrowserContext]:
    """The extension has just been installed, and nobody is signed in anywhere."""
    profile = tmp_path / "profile"
    profile.mkdir()
    prepare_profile(profile, is_active=False)
    context = chromium.browser_type.launch_persistent_context(
        profile,
        executable_path=program(),
        headless=False,
        args=flags(),
        locale="en-US",
        viewport={"width": 1280, "height": 1600},
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def own_page(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto(f"chrome-extension://{extension_id()}/{name}.html")
    return page


def connect(context: BrowserContext, site: Site) -> None:
    """From the owner link to an extension that may record, each step noticed by the first steps."""
    steps = context.new_page()
    become_owner(steps, site)
    setup = own_page(context, "setup")
    setup.get_by_label("Address").fill(site.url)
    with context.expect_page() as opened:
        setup.get_by_role("button", name="Connect").click()
    opened.value.get_by_role("button", name="Approve").click()
    expect(opened.value.get_by_role("heading", name="Connected")).to_be_visible()
    opened.value.close()
    setup.get_by_role("button", name="Allow recording").click()
    expect(setup.get_by_text("Recording is allowed")).to_be_visible()
    setup.get_by_label("Save selected text as highlights").check()
    expect(setup.get_by_text("Saved.", exact=True)).to_be_visible()
    setup.close()
    expect(steps.get_by_role("heading", name=re.compile("Connect it.*Done"))).to_be_visible()
    steps.close()


def press(popup: Page, name: str) -> Press:
    """And when: not before, and not after."""
    before = round(time.time() * 1000)
    popup.get_by_role("button", name=name).click()
    return before, round(time.time() * 1000)


def read(reading: Page, pages: Pages, popup: Page) -> None:
    """A page by its address, one by a link, something of it marked, and another part of it."""
    reading.goto(f"{pages.url}/first")
    reading.evaluate("follow('/second')")
    wait_until(lambda: "/second" in {each.path for each in pages.seen}, what="the second page")
    reading.wait_for_load_state()
    reading.evaluate("document.getSelection().selectAllChildren(document.querySelector('p'))")
    expect(popup.locator(".figures")).to_have_text(re.compile("Highlights1"))
    reading.evaluate("move('/second/part')")


def see_it_live(live: Page) -> None:
    """What was read comes by itself, and the clock runs."""
    titles = ["Page before", "Page first", "Page second", "Page second"]
    expect(live.locator("li[data-index] a[target=_blank]")).to_have_text(
        titles, timeout=PATIENCE_MS
    )
    expect(live.get_by_text("Now viewing Page second")).to_be_visible()
    expect(live.locator("li[data-index] q")).to_have_text(TEXT % "second")
    expect(live.locator("span[data-status]", has_text="Recording")).to_be_visible()
    focused = live.locator("dl[aria-label] dd").first
    before = focused.inner_text()
    expect(focused).not_to_have_text(before)


def check_timeline(page: Page, pages: Pages, started: Press, stopped: Press) -> None:
    """What the screen shows is what the pages saw: which, in what order, from when to when."""
    began, ended = Seen(started[1], READ[0], "shown"), Seen(stopped[0], READ[-1], "hidden")
    expected = stays_of([began, *pages.truth(), ended])
    assert [stay.path for stay in expected] == READ
    rows = page.locator("li[data-index] > div").evaluate_all(ROWS)
    assert [row["kind"] for row in rows] == ["focused"] * len(READ)
    found = [Stay(path_of(row["url"]), *map(ms, row["times"])) for row in rows]
    assert [stay.path for stay in found] == READ
    check_times(found, expected)
    assert started[0] <= found[0].entered <= started[1] + NEAR_MS
    assert stopped[0] <= found[-1].left <= stopped[1] + NEAR_MS
    titles = ["before", "first", "second", "second", "third"]
    assert [row["title"] for row in rows] == [f"Page {title}" for title in titles]
    assert [row["marks"] for row in rows] == [[], [], [TEXT % "second"], [], []]
    expect(page.locator("blockquote")).to_have_text([TEXT % "second"])


def check_times(found: list[Stay], expected: list[Stay]) -> None:
    """By the pages' own clock. A busy machine may be late with one page, and so with two boundaries."""
    pairs = list(zip(found, expected, strict=True))
    entered = [abs(ours.entered - theirs.entered) for ours, theirs in pairs]
    left = [abs(ours.left - theirs.left) for ours, theirs in pairs]
    boundaries = entered[1:] + left[:-1]  # the first and the last are the reader's own clicks
    tell(f"{len(found)} visits, boundaries: {spread(boundaries)}")
    assert sorted(boundaries)[-3] <= NEAR_MS, pairs
    assert max(boundaries) <= BOUNDARY_MS, pairs


def name_it(page: Page, title: str) -> None:
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill(title)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()


def check_files(page: Page, folder: Path) -> None:
    files = {name: download(page, name, folder) for name in ("Markdown", "JSON", "CSV")}
    assert files["Markdown"].startswith("# Swifts")
    assert TEXT % "second" in files["Markdown"]
    told = json.loads(files["JSON"])
    assert [path_of(each["url"]) for each in told["page_visits"]] == READ
    assert [each["text"] for each in told["highlights"]] == [TEXT % "second"]
    listed = [row["url"] for row in csv.DictReader(io.StringIO(files["CSV"]))]
    assert [path_of(url) for url in listed if url] == READ


def download(page: Page, name: str, folder: Path) -> str:
    with page.expect_download() as saved:
        page.get_by_role("button", name=name, exact=True).first.click()
    file = folder / saved.value.suggested_filename
    saved.value.save_as(file)
    return file.read_text(encoding="utf-8-sig")


def delete_it(page: Page) -> None:
    was = page.url
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_text("The session was deleted.")).to_be_visible()
    # Leaving the page deletes it, without waiting for the ten seconds.
    page.goto("about:blank")
    address = was.replace("/sessions/", "/v1/sessions/")
    wait_until(lambda: page.request.get(address).status == 404, what="the deletion")
    page.goto(was)
    expect(page.get_by_text("This session doesn’t exist.")).to_be_visible()


def test_what_the_extension_records_is_seen_live_and_is_what_was_done(
    fresh_browser: BrowserContext, page: Page, site: Site, pages: Pages, tmp_path: Path
) -> None:
    """One browser records, its reader's other one shows it: looking is no part of what was done."""
    connect(fresh_browser, site)
    page.context.add_cookies(fresh_browser.cookies(site.url))  # type: ignore[arg-type]
    popup = own_page(fresh_browser, "popup")
    reading = fresh_browser.new_page()
    reading.goto(f"{pages.url}/before")
    wait_until(lambda: pages.seen, what="the page")
    pages.seen.clear()
    page.goto(f"{site.url}/first-steps")
    started = press(popup, "Start recording")
    page.get_by_role("link", name="Open session").click()
    expect(page.get_by_text("Now viewing Page before")).to_be_visible()
    read(reading, pages, popup)
    see_it_live(page)
    reading.goto(f"{pages.url}/third")
    with locked(site.database_url, "mindmap_graphs"):
        stopped = press(popup, "Stop")
        expect(page.get_by_role("heading", name="Processing this session")).to_be_visible()
        expect(page.locator("li[aria-current=step]")).to_have_text(
            "Making the mind map", timeout=4 * PATIENCE_MS
        )
    expect(page.locator("span[data-status]")).to_have_count(0, timeout=PATIENCE_MS)
    expect(page.locator(TOPICS).first).to_be_visible(timeout=PATIENCE_MS)  # without a reload
    check_timeline(page, pages, started, stopped)
    edit_by_keys(page)
    make_again(page)
    take_along(page, tmp_path)
    page.reload()  # no node is selected any more
    name_it(page, "Swifts")
    check_files(page, tmp_path)
    delete_it(page)
