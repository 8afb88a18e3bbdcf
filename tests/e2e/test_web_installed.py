"""The web app as one that is installed: Chromium finds nothing against it, it opens while the server can't be
reached, and nothing of a person is kept for that."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import FLAGS, PATIENCE_MS, complaints_of, signed_in
from tests.e2e.web_stage import WIKI, Home
from tools import browser

TITLE: Final = "Kept nowhere but at home"
SCREENS: Final = (
    "/",
    "/library",
    "/highlights",
    "/reminders",
    "/inbox",
    "/settings",
    "/search?q=swift",
)
READY: Final = "() => navigator.serviceWorker.ready.then(({ active }) => active.state)"
KEPT: Final = """async () => {
  const all = await Promise.all((await caches.keys()).map(async (name) => {
    const cache = await caches.open(name);
    return Promise.all((await cache.keys()).map(async (request) =>
      [new URL(request.url).pathname, await (await cache.match(request)).text()]));
  }));
  return Object.fromEntries(all.flat());
}"""
SHELL: Final = {
    "/",
    "/prefetch.js",
    "/theme.js",
    "/favicon.svg",
    "/apple-touch-icon.png",
    "/manifest.webmanifest",
}


@pytest.fixture
def recorded(home: Home) -> Iterator[str]:
    recorder = home.record(TITLE)
    recorder.begin()
    recorder.go(WIKI, TITLE)
    recorder.stop()
    yield recorder.id
    home.forget(recorder.id)


@pytest.fixture
def context(chromium: Browser, home: Home) -> Iterator[BrowserContext]:
    made = signed_in(chromium, home, service_workers="allow")
    yield made
    made.close()


def browsed(context: BrowserContext, home: Home, session: str) -> Page:
    """A tab in which every sort of screen was opened, with the worker between it and the server."""
    tab = context.new_page()
    tab.goto(home.url)
    assert tab.evaluate(READY) in {"activating", "activated"}
    for path in (*SCREENS, f"/sessions/{session}"):
        tab.goto(home.url + path)
        tab.locator("main h1").first.wait_for()
        tab.wait_for_load_state("networkidle")
    expect(tab.get_by_role("heading", name=TITLE)).to_be_visible()
    return tab


def test_only_the_apps_own_files_are_kept(
    context: BrowserContext, home: Home, recorded: str
) -> None:
    tab = browsed(context, home, recorded)
    kept: dict[str, str] = tab.evaluate(KEPT)
    assert {path for path in kept if not path.startswith("/assets/")} == SHELL
    assert len(kept) > len(SHELL) + len(SCREENS)  # scripts of the screens
    assert [path for path, text in kept.items() if TITLE in text or "mina@" in text] == []


def test_it_opens_and_says_so_while_the_server_cannot_be_reached(
    context: BrowserContext, home: Home, recorded: str
) -> None:
    tab = browsed(context, home, recorded)
    complaints = complaints_of(tab)
    context.set_offline(True)
    for path in ("/", "/library", f"/sessions/{recorded}"):
        tab.goto(home.url + path)
        expect(tab.get_by_text("Can’t reach the server.")).to_be_visible()
        expect(tab.get_by_text(TITLE)).to_have_count(0)
    context.set_offline(False)
    expect(tab.get_by_role("heading", name=TITLE)).to_be_visible()  # by itself
    assert complaints == []


def test_chromium_would_install_it(chromium: Browser, home: Home, tmp_path: Path) -> None:
    # With a profile: Chromium installs nothing from a window that leaves nothing behind.
    context = chromium.browser_type.launch_persistent_context(
        tmp_path, executable_path=browser.find(), args=FLAGS
    )
    context.set_default_timeout(PATIENCE_MS)
    tab = context.pages[0]
    tab.goto(home.url)
    tab.evaluate(READY)
    devtools = context.new_cdp_session(tab)
    manifest = devtools.send("Page.getAppManifest")
    told = devtools.send("Page.getInstallabilityErrors")
    tab.goto(f"{home.url}/openapi.json")
    not_an_app = devtools.send("Page.getInstallabilityErrors")
    context.close()
    assert (manifest["url"], manifest["errors"]) == (f"{home.url}/manifest.webmanifest", [])
    assert told["installabilityErrors"] == []
    assert not_an_app["installabilityErrors"] != []


def test_icons_have_the_sizes_that_the_manifest_names(home: Home) -> None:
    answer = home.client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    pictures = [each for each in answer.json()["icons"] if each["type"] == "image/png"]
    assert len(pictures) == 3
    for each in pictures:
        picture: httpx2.Response = home.client.get(each["src"])
        width, height = struct.unpack(">II", picture.content[16:24])
        assert (picture.headers["content-type"], f"{width}x{height}") == (
            each["type"],
            each["sizes"],
        )
