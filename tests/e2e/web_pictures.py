"""Pictures of every screen: light, dark, Korean, and as a phone shows them.

python -m tests.e2e.web_pictures FOLDER [NAME …]

To be looked at. The good ones are in docs/pictures.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any, Final

import httpx2
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.web_stage import Recorder, connected, owner, owner_token, served, settled
from tools import browser

DESK: Final = {"width": 1280, "height": 860}
TALLEST: Final = 1150
PHONE: Final = {"width": 390, "height": 844}
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": {"viewport": DESK, "color_scheme": "light", "locale": "en-GB"},
    "dark": {"viewport": DESK, "color_scheme": "dark", "locale": "en-GB"},
    "korean": {"viewport": DESK, "color_scheme": "light", "locale": "ko-KR"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "locale": "en-GB", "has_touch": True},
}


def screens(client: httpx2.Client) -> dict[str, str]:
    listed = client.get("/v1/sessions?limit=100").json()["sessions"]
    done = [each for each in listed if each["status"] == "completed"]
    richest = max(done, key=lambda each: (each["highlight_count"], each["page_count"]))
    live = next(each for each in listed if each["status"] == "recording")
    return {
        "dashboard": "/",
        "month": "/?view=month",
        "session": f"/sessions/{richest['id']}",
        "zoomed": f"/sessions/{richest['id']}",
        "live": f"/sessions/{live['id']}",
        "first-steps": "/first-steps",
        "operations": "/operations",
        "settings": "/settings/devices",
        "shortcuts": "/",
        "nothing": "/?q=axolotl",
        "general": "/settings",
        "lost": "/nowhere",
    }


def prepare(url: str, token: str) -> httpx2.Client:
    client = owner(url, token, timezone="Europe/Berlin")
    client.post("/v1/demo")
    settled(client)
    recorder = Recorder(url, connected(client), "Reading about swifts")
    recorder.begin()
    recorder.go("https://en.wikipedia.org/wiki/Common_swift", "Common swift - Wikipedia")
    recorder.go("https://www.rspb.org.uk/birds/swift", "Swift bird facts | The RSPB")
    return client


def picture(page: Page, url: str, name: str, path: str, file: Path) -> None:
    page.goto(url + path)
    page.locator("h1").first.wait_for()
    page.wait_for_timeout(900)
    if name == "shortcuts":
        page.keyboard.press("?")
    if name == "zoomed":
        page.locator(
            "li[data-index]"
        ).last.scroll_into_view_if_needed()  # those far away are not drawn
        page.locator(
            "span[title]", has_text=re.compile(r"^\d+ ?ms$")
        ).first.scroll_into_view_if_needed()
        short = page.locator(
            "li[data-index] > div",
            has=page.locator("span[title]", has_text=re.compile(r"^\d+ ?ms$")),
        )
        short.nth(1).locator("button").click()
        for _ in range(2):
            page.keyboard.press("-")
        page.evaluate("scrollTo(0, 0)")
        page.locator("[role=group]:has(> canvas)").hover()
    page.wait_for_timeout(300)
    if name in {"shortcuts", "zoomed"}:
        page.screenshot(path=file)
        return
    # As tall as the page: rows that are not in sight are not drawn.
    before = page.viewport_size
    assert before
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": before["width"], "height": height})
    page.wait_for_timeout(300)
    bottom = page.evaluate("document.querySelector('main').getBoundingClientRect().bottom")
    clip = {"x": 0, "y": 0, "width": before["width"], "height": min(bottom, height, TALLEST)}
    page.screenshot(path=file, clip=clip)  # type: ignore[arg-type]
    page.set_viewport_size(before)


def look(launched: Browser, url: str, client: httpx2.Client, folder: Path, only: list[str]) -> None:
    cookie, value = next(iter(client.cookies.items()))
    for look_name, options in LOOKS.items():
        context = launched.new_context(timezone_id="Europe/Berlin", **options)
        context.add_cookies([{"name": cookie, "value": value, "url": url}])
        language = "ko" if look_name == "korean" else "en"
        context.add_init_script(f"localStorage.setItem('mindhit.language', '{language}')")
        page = context.new_page()
        for name, path in screens(client).items():
            if not only or name in only or f"{name}-{look_name}" in only:
                picture(page, url, name, path, folder / f"{name}-{look_name}.png")
        context.close()


def main() -> None:
    folder, *only = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with served() as (url, database_url):
        client = prepare(url, asyncio.run(owner_token(url, database_url)))
        with sync_playwright() as playwright:
            launched = playwright.chromium.launch(executable_path=browser.find(), args=FLAGS)
            look(launched, url, client, Path(folder), only)
            launched.close()


if __name__ == "__main__":
    main()
