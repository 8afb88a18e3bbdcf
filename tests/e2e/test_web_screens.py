"""The screens of the web app: found again, by keys alone, for everybody, whatever pages are called.

One server for all of it, with the demo in it; every test has a browser window of its own.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import asyncpg
import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import servers
from tests.e2e.conftest import FLAGS, PATIENCE_MS, Site
from tests.e2e.web_axe import Inspection
from tests.e2e.web_stage import CHEAP, Recorder, connected, owner, settled
from tools import browser

# One worker of a distributed run for all of them, and so one server.
pytestmark = pytest.mark.xdist_group("web")

WIKI: Final = "https://en.wikipedia.org/wiki/Common_swift"
RSPB: Final = "https://www.rspb.org.uk/birds/swift"
# What a page may call itself: markup, text that runs the other way, and far too much of it.
HOSTILE: Final = (
    "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>",
    "\u202eغرفة القراءة مكتبة\u202c",
    "👩\u200d👩\u200d👧 " + "wide " * 2_000,
    "javascript:document.title='run'",
)


@dataclass(frozen=True)
class Stage:
    url: str
    database_url: str
    cookie: dict[str, Any]
    client: httpx2.Client

    def sessions(self, **query: str) -> list[dict[str, Any]]:
        params = {"limit": "100", **query}
        found: list[dict[str, Any]] = self.client.get("/v1/sessions", params=params).json()[
            "sessions"
        ]
        return found


@pytest.fixture(scope="module")
def stage(module_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("web")
    with servers.api(folder / "api.log", module_database_url, **CHEAP) as url:
        port = url.rpartition(":")[2]
        worker = servers.start(
            folder / "worker.log", "worker", database_url=module_database_url, port=port, **CHEAP
        )
        try:
            token = Site(url, module_database_url).owner_link().rpartition("#")[2]
            client = owner(url, token, timezone="Europe/Berlin")
            name, value = next(iter(client.cookies.items()))
            client.post("/v1/demo")
            settled(client)
            cookie = {"name": name, "value": value, "url": url}
            yield Stage(url, module_database_url, cookie, client)
            client.close()
        finally:
            servers.end(worker)


@pytest.fixture(scope="module")
def window(stage: Stage) -> Iterator[Browser]:
    program = browser.find()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not here, and nothing is skipped in CI")
        pytest.skip("Chromium is not here; install it, or set MINDHIT_TEST_CHROMIUM")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


def signed_in(window: Browser, stage: Stage, **options: Any) -> BrowserContext:
    made = window.new_context(**{"locale": "en-US", "timezone_id": "Europe/Berlin", **options})
    made.set_default_timeout(PATIENCE_MS)
    made.add_cookies([stage.cookie])  # type: ignore[list-item]
    return made


@pytest.fixture
def page(window: Browser, stage: Stage) -> Iterator[Page]:
    """A tab of somebody who is signed in. Whatever it complains of fails the test, and so does every
    request that goes anywhere but to our own server."""
    context = signed_in(window, stage)
    complaints: list[str] = []
    tab = context.new_page()
    tab.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type == "error" and "Failed to load resource" not in said.text
            else None
        ),
    )
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on(
        "request",
        lambda asked: (
            complaints.append(asked.url)
            if not asked.url.startswith((stage.url, "blob:", "data:"))
            else None
        ),
    )
    yield tab
    context.close()
    assert complaints == []


def test_a_search_is_found_again_by_the_back_button(page: Page, stage: Stage) -> None:
    page.goto(stage.url)
    expect(page.get_by_role("img", name="Focused time per day, by domain")).to_be_visible()
    page.get_by_label("Search").fill("sourdough")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    assert "q=sourdough" in page.url
    page.get_by_role("link", name="A first sourdough").click()
    expect(page.get_by_role("heading", name="A first sourdough")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Search")).to_have_value("sourdough")
    expect(page.get_by_role("link", name="A first sourdough")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()


def test_everything_by_keys_alone(page: Page, stage: Stage) -> None:
    page.goto(stage.url)
    expect(page.get_by_role("link", name="Water on K2-18 b?")).to_be_visible()
    press = page.keyboard.press
    press("/")
    page.keyboard.type("K2-18")
    expect(page.get_by_text("1 session", exact=True)).to_be_visible()
    press("Tab")
    while not page.evaluate("document.activeElement.matches('.session-link')"):
        press("Tab")
    press("Enter")
    expect(page.get_by_role("heading", name="Water on K2-18 b?")).to_be_visible()
    for _ in range(8):
        press("+")
    expect(page.locator(".strip-frame")).to_be_visible()
    shown = page.locator(".strip-range").inner_text()
    page.locator(".strip-place").focus()
    press("ArrowRight")
    expect(page.locator(".strip-range")).not_to_have_text(shown)
    press("0")
    expect(page.locator(".strip-frame")).to_have_count(0)
    press("j")
    press("j")
    expect(page.locator(".timeline-row[data-index='1']")).to_be_focused()
    press("e")
    page.keyboard.type("Steam")
    press("Enter")
    expect(page.get_by_role("heading", name="Steam", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    press("Escape")
    page.get_by_role("button", name="Delete").focus()
    press("Enter")
    press("Shift+Tab")
    press("Enter")
    expect(page.get_by_text("The session is deleted.")).to_be_visible()
    press("g")
    press("p")
    expect(page.get_by_role("heading", name="Operations")).to_be_visible()


class Server:
    """An API that can be ended and started again under the same address."""

    def __init__(self, url: str, database_url: str, folder: Path) -> None:
        self.url, self.database_url, self.folder = url, database_url, folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        more: dict[str, Any] = {"data_dir": self.folder / "data", **CHEAP}
        port = self.url.rpartition(":")[2]
        self.process = servers.start(
            self.folder / "api.log", "api", database_url=self.database_url, port=port, **more
        )
        servers.wait_for(f"{self.url}/healthz")

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def test_the_page_outlives_the_server_without_a_reload(
    stage: Stage, window: Browser, tmp_path: Path
) -> None:
    """A second API on the same database: killed while a recording is watched, and started again."""
    second = Server(f"http://127.0.0.1:{servers.free_port()}", stage.database_url, tmp_path)
    second.start()
    try:
        context = signed_in(window, stage)
        page = context.new_page()
        recorder = Recorder(stage.url, connected(stage.client), "Watched")
        began = int(time.time() * 1000) - 5_000
        recorder.begin(began)
        recorder.go(WIKI, "Before", began)
        page.goto(f"{second.url}/sessions/{recorder.id}")
        expect(page.get_by_text("Now at Before")).to_be_visible()
        page.evaluate("window.isTheSamePage = true")
        second.end()
        expect(page.get_by_text("The server is away.")).to_be_visible()
        expect(page.get_by_role("link", name="Before")).to_be_visible()
        recorder.go(RSPB, "Meanwhile", began + 4_000)
        second.start()
        expect(page.get_by_text("Now at Meanwhile")).to_be_visible(timeout=PATIENCE_MS)
        expect(page.get_by_text("The server is away.")).to_have_count(0)
        expect(page.get_by_role("link", name="Meanwhile")).to_be_visible()
        assert page.evaluate("window.isTheSamePage") is True
        context.close()
        stage.client.delete(f"/v1/sessions/{recorder.id}")
    finally:
        second.end()


def test_two_who_rename_at_once_are_both_told(page: Page, stage: Stage) -> None:
    started = stage.client.post("/v1/sessions/start", json={"title": "First"}).json()
    path = f"{stage.url}/sessions/{started['sessionId']}"
    page.goto(path)
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Title").fill("Mine")
    stage.client.patch(f"/v1/sessions/{started['sessionId']}", json={"title": "Theirs"})
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Meanwhile it was named “Theirs” elsewhere.")).to_be_visible()
    page.get_by_role("button", name="Use “Mine”").click()
    expect(page.get_by_role("heading", name="Mine")).to_be_visible()
    stage.client.delete(f"/v1/sessions/{started['sessionId']}")
    expect(page.get_by_text("There is no such session.")).to_be_visible()


def test_who_is_signed_out_elsewhere_is_told_and_comes_back(page: Page, stage: Stage) -> None:
    page.goto(f"{stage.url}/?q=sourdough")
    expect(page.get_by_role("link", name="A first sourdough")).to_be_visible()
    page.context.clear_cookies()
    expect(page.get_by_text("You were signed out")).to_be_visible()
    page.context.add_cookies([stage.cookie])  # type: ignore[list-item]
    page.goto(page.url)
    expect(page.get_by_role("link", name="A first sourdough")).to_be_visible()
    assert page.url.endswith("/?q=sourdough")


def told_by_sql(stage: Stage, sql: str, *values: object) -> None:
    async def tell() -> None:
        connection = await asyncpg.connect(stage.database_url)
        try:
            assert await connection.execute(sql, *values) == "UPDATE 1"
        finally:
            await connection.close()

    # In a thread of its own: in this one Playwright keeps an event loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, tell()).result()


def test_a_session_without_visits_says_so_and_where_to_look(page: Page, stage: Stage) -> None:
    recorder = Recorder(stage.url, connected(stage.client), "Nothing")
    recorder.stop()
    page.goto(f"{stage.url}/sessions/{recorder.id}")
    expect(page.get_by_role("heading", name="Nothing was recorded")).to_be_visible()
    page.get_by_role("link", name="Look at what is excluded").click()
    expect(page.get_by_role("heading", name="Privacy")).to_be_visible()
    stage.client.delete(f"/v1/sessions/{recorder.id}")


def test_a_session_that_crashed_says_why_and_is_made_again(page: Page, stage: Stage) -> None:
    recorder = Recorder(stage.url, connected(stage.client), "Crashed")
    began = int(time.time() * 1000) - 9_000
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", began)
    recorder.stop(began + 8_000)
    settled(stage.client)
    failed = (
        "update sessions set status = 'failed', error = $2, version = version + 1 where id = $1"
    )
    told_by_sql(stage, failed, UUID(recorder.id), "fold: an event from 1970")
    page.goto(f"{stage.url}/sessions/{recorder.id}")
    expect(page.get_by_text("This session could not be processed.")).to_be_visible()
    expect(page.get_by_text("fold: an event from 1970")).to_be_visible()
    page.get_by_role("button", name="Process it again").click()
    expect(page.get_by_text("This session could not be processed.")).to_have_count(0)
    expect(page.get_by_role("link", name="Common swift")).to_be_visible()
    stage.client.delete(f"/v1/sessions/{recorder.id}")


def test_a_device_that_stopped_sending_is_told_wherever_it_is_looked_for(
    page: Page, stage: Stage
) -> None:
    recorder = Recorder(stage.url, connected(stage.client), "Silent")
    began = int(time.time() * 1000) - 600_000
    recorder.begin(began)
    recorder.go(WIKI, "Common swift", began)
    heard = "update sessions set heard_at = now() - interval '10 minutes' where id = $1"
    told_by_sql(stage, heard, UUID(recorder.id))
    sentence = page.get_by_text("Nothing has come from the browser since")
    page.goto(stage.url)
    expect(sentence).to_be_visible()
    page.goto(f"{stage.url}/operations")
    expect(page.get_by_text("1 browser records and has stopped sending.")).to_be_visible()
    page.goto(f"{stage.url}/sessions/{recorder.id}")
    expect(sentence).to_be_visible()
    page.get_by_role("link", name="Look at the devices").click()
    expect(page.get_by_role("heading", name="Connected now")).to_be_visible()
    stage.client.delete(f"/v1/sessions/{recorder.id}")


def record_hostile(stage: Stage) -> str:
    recorder = Recorder(stage.url, connected(stage.client), "<b>Bold</b> & 'quoted'")
    began = int(time.time() * 1000) - 60_000
    recorder.begin(began)
    for number, title in enumerate(HOSTILE):
        at = began + number * 5_000
        recorder.go(f"https://xn--9q8h.example/{number}?<b>", title, at, transition="<i>way</i>")
        url = f"https://xn--9q8h.example/{number}?<b>"
        recorder.say("HIGHLIGHT", at + 1_000, tabId=1, url=url, payload={"text": title[:9_000]})
    recorder.say("ALIVE", began + 30_000)
    recorder.say("ALIVE", began + 31_000, skip=4)  # the four before it never come
    recorder.stop(began + 31_000)
    return recorder.id


def test_whatever_pages_are_called_is_text_and_nothing_is_fetched_from_them(
    page: Page, stage: Stage
) -> None:
    id_ = record_hostile(stage)
    page.goto(f"{stage.url}/sessions/{id_}")
    expect(page.get_by_role("heading", name="<b>Bold</b> & 'quoted'")).to_be_visible()
    expect(page.locator("blockquote", has_text="<img src=x onerror=")).to_be_visible()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_text("4 events are missing here")).to_be_visible()
    page.goto(f"{stage.url}/?q=%3Cb%3E")
    expect(page.locator(".session-link")).to_have_count(1)
    assert "run" not in page.title()
    assert page.locator("main img, main script, main b, main i").count() == 0
    width = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(width), "something is wider than the page"
    stage.client.delete(f"/v1/sessions/{id_}")


def test_the_policy_lets_no_script_in_that_is_not_ours(window: Browser, stage: Stage) -> None:
    context = signed_in(window, stage)
    page = context.new_page()
    answer = page.goto(stage.url)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    broken = page.evaluate(
        """new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
          const script = document.createElement('script');
          script.textContent = 'window.wasRun = true';
          document.body.append(script);
        })"""
    )
    assert broken.startswith("script-src")
    assert page.evaluate("window.wasRun") is None
    context.close()


SCREENS: Final = {
    "overview": "/",
    "month": "/?view=month",
    "nothing found": "/?q=axolotl",
    "session": "/sessions/{id}",
    "session with holes": "/sessions/{hostile}",
    "session without visits": "/sessions/{empty}",
    "recording": "/sessions/{live}",
    "no such session": "/sessions/00000000-0000-4000-8000-000000000000",
    "first steps": "/first-steps",
    "operations": "/operations",
    "connect": "/connect",
    "general": "/settings",
    "privacy": "/settings/privacy",
    "notifications": "/settings/notifications",
    "security": "/settings/security",
    "devices": "/settings/devices",
    "data": "/settings/data",
    "server": "/settings/server",
    "lost": "/nowhere",
}


@pytest.fixture
def paths(stage: Stage) -> Iterator[dict[str, str]]:
    """Every screen's address, with a session of each sort behind it."""
    rich = next(each for each in stage.sessions() if each["highlight_count"] > 2)
    key = connected(stage.client)
    live, empty = Recorder(stage.url, key, "Live"), Recorder(stage.url, key, "Empty")
    live.begin()
    live.go(WIKI, "Common swift")
    empty.stop()
    ids = {"id": rich["id"], "live": live.id, "empty": empty.id, "hostile": record_hostile(stage)}
    yield {name: stage.url + path.format(**ids) for name, path in SCREENS.items()}
    for each in ("live", "empty", "hostile"):
        stage.client.delete(f"/v1/sessions/{ids[each]}")


def inspect_what_opens(inspection: Inspection, paths: dict[str, str]) -> None:
    """What stands over a screen: the menu, the shortcuts, a question."""
    page = inspection.page
    page.goto(paths["session"])
    page.locator(".menu-opener").click()
    inspection.look("menu")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    inspection.look("shortcuts")
    page.keyboard.press("Escape")
    page.locator(".doings .danger").click()
    page.get_by_role("dialog").wait_for()
    inspection.look("question")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.locator(".title-form").wait_for()
    inspection.look("title")


def inspect_what_fails(inspection: Inspection, paths: dict[str, str]) -> None:
    page = inspection.page
    page.route("**/v1/sessions/*", lambda route: route.fulfill(status=500, body="{}"))
    page.goto(paths["session"])
    inspection.look("an answer that failed")
    page.unroute_all()
    page.goto(paths["lost"])
    page.route("**/assets/*.js", lambda route: route.abort())
    page.locator(".ways a").nth(1).click()
    page.locator("main .notice").wait_for()
    inspection.look("a screen that failed")
    page.unroute_all()
    page.goto(paths["overview"])
    page.locator(".session-row").first.wait_for()
    page.route("**/v1/**", lambda route: route.abort())
    page.locator(".banner").wait_for()
    inspection.look("the server away")
    page.unroute_all()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_screen_can_be_used_by_everybody(
    window: Browser, stage: Stage, paths: dict[str, str], language: str
) -> None:
    """axe finds nothing serious, by all its rules, in light and in dark."""
    context = signed_in(window, stage, viewport={"width": 1280, "height": 1600})
    context.add_init_script(f"localStorage.setItem('mindhit.language', '{language}')")
    inspection = Inspection(context.new_page())
    for name, path in paths.items():
        inspection.page.goto(path)
        inspection.look(name)
    inspect_what_opens(inspection, paths)
    inspect_what_fails(inspection, paths)
    context.close()
    assert inspection.found == {}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_is_not_signed_in_meets_no_barrier_either(
    window: Browser, stage: Stage, language: str
) -> None:
    context = window.new_context(locale=language, viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(PATIENCE_MS)
    inspection = Inspection(context.new_page())
    for path in ("/", "/sign-in", "/sign-up", "/reset", "/confirm", "/welcome"):
        inspection.page.goto(stage.url + path)
        inspection.look(path)
    inspection.page.goto(f"{stage.url}/sign-in")
    inspection.page.locator("button[type=submit]").click()
    inspection.page.locator(".field-wrong").first.wait_for()
    inspection.look("sign-in with nothing in it")
    context.close()
    assert inspection.found == {}


def test_a_phone_shows_every_screen_without_scrolling_sideways(
    window: Browser, stage: Stage, paths: dict[str, str]
) -> None:
    context = signed_in(window, stage, viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    for path in paths.values():
        page.goto(path)
        page.locator("h1").first.wait_for()
        wider = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wider <= 0, path
    context.close()


def test_a_menu_that_is_opened_while_a_screen_is_on_its_way_stays_open(
    page: Page, stage: Stage
) -> None:
    page.goto(stage.url)
    expect(page.locator(".session-row").first).to_be_visible()
    page.route("**/assets/*.js", lambda _: None)  # held until nobody listens any more
    page.get_by_role("link", name="Operations").click()
    page.locator(".menu-opener").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.unroute_all()
    expect(page.get_by_role("heading", name="Operations", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    expect(page.locator(".menu-opener")).to_be_focused()
