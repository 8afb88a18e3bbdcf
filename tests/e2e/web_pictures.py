"""Pictures of every screen: light, dark, Korean, and as a phone shows them.

python -m tests.e2e.web_pictures FOLDER [NAME …]

To be looked at. The good ones are in docs/pictures.
"""

from __future__ import annotations

import asyncio
import re
import sys
from base64 import b64encode
from datetime import datetime
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx2
import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from mindhit.insight.mindmap import drawing, png
from mindhit.insight.model import Graph, MindmapEdge, MindmapNode
from mindhit.insight.report.composing import CONTENT_ID, Links, compose
from mindhit.insight.report.sending import PICTURE_WIDTH
from mindhit.insight.store.reports import Facts, LongRead
from tests.e2e import reminder_history, shop_history, usage_history, web_scenes
from tests.e2e.conftest import FLAGS
from tests.e2e.web_stage import Recorder, connected, owner, owner_token, served, settled
from tools import browser
from tools.korean_font import add_korean_font

DESK: Final = {"width": 1280, "height": 860}
TALLEST: Final = 1150
PHONE: Final = {"width": 390, "height": 844}
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": {"viewport": DESK, "color_scheme": "light", "locale": "en-GB"},
    "dark": {"viewport": DESK, "color_scheme": "dark", "locale": "en-GB"},
    "korean": {"viewport": DESK, "color_scheme": "light", "locale": "ko-KR"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "locale": "en-GB", "has_touch": True},
}
# Also in Korean after dark and on a phone: what people see when they aren't in the app.
MORE_LOOKS: Final[dict[str, dict[str, Any]]] = {
    "korean-dark": {**LOOKS["korean"], "color_scheme": "dark"},
    "korean-phone": {**LOOKS["phone"], "locale": "ko-KR"},
}
MORE_OFTEN: Final = {
    *("inbox", "channels", "reminders", "reminder-history", "reminders-failing", "remind"),
    *("notification", "mail", "mail-digest"),
}

MAPS: Final = {"map.png": "Water on K2-18 b?", "map-korean.png": "한강을 읽는 순서"}


def _worth_showing(session: dict[str, Any]) -> tuple[bool, int, int]:
    """Most of these pictures are English: so is their session, then the one with most to see."""
    return session["title"].isascii(), session["highlight_count"], session["page_count"]


def screens(client: httpx2.Client, processed: str) -> dict[str, str]:
    listed = client.get("/v1/sessions?limit=100").json()["sessions"]
    done = [each for each in listed if each["status"] == "completed"]
    richest = max(done, key=_worth_showing)
    live = next(each for each in listed if each["status"] == "recording")
    marked = client.get("/v1/highlights").json()["highlights"]
    noted = next(each for each in marked if each["note"])
    return {
        "highlights": "/highlights",
        "visited": f"/pages/{noted['url_id']}",
        "dashboard": "/",
        "month": "/?view=month",
        "year": "/?view=year",
        "select": "/",
        "together": f"/together?sessions={','.join(each['id'] for each in done[:3])}",
        "session": f"/sessions/{richest['id']}",
        "zoomed": f"/sessions/{richest['id']}",
        "map-node": f"/sessions/{richest['id']}",
        "map-list": f"/sessions/{richest['id']}",
        "pages": f"/sessions/{richest['id']}",
        "trail": f"/sessions/{richest['id']}",
        "live": f"/sessions/{live['id']}",
        "first-steps": "/first-steps",
        "operations": "/operations",
        "settings": "/settings/devices",
        "shortcuts": "/",
        "nothing": "/?q=axolotl",
        "general": "/settings",
        "model": "/settings/model",
        "lost": "/nowhere",
        "reminders": "/reminders",
        "reminder-history": "/reminders?show=history",
        "reminders-failing": "/reminders?show=failing",
        "notification": "/inbox",
        "mail-digest": "/",
        "inbox": "/inbox",
        "channels": "/settings/notifications",
        "remind": f"/library/pages/{client.get('/v1/pages').json()['pages'][0]['id']}",
        "mail": "/",
        "report": f"/sessions/{richest['id']}",
        "export": f"/sessions/{richest['id']}",
        **web_scenes.scenes(richest["id"], processed),
        **more_screens(client),
    }


def more_screens(client: httpx2.Client) -> dict[str, str]:
    [watched] = [
        each["id"]
        for each in client.get("/v1/crawl/schedules").json()["items"]
        if each["name"] == "Desk lamps"
    ]
    product = max(
        client.get("/v1/crawl/products").json()["items"], key=lambda each: int(each["options"])
    )
    newest = client.get("/v1/crawl/runs").json()["items"][0]
    return {
        "shops": "/shops",
        "shop-add": "/shops/add?url=https%3A%2F%2Flamps.example%2Fproduct%2Farc-white&name=Arc%20lamp",
        "shop-schedule": f"/shops/schedules/{watched}",
        "shop-runs": "/shops/runs",
        "shop-run": f"/shops/runs/{newest['id']}",
        "shop-products": "/shops/products",
        "shop-product": f"/shops/products/{product['id']}",
        "shop-failed": "/shops/failed",
        "shop-alerts": "/shops/alerts",
        "plan": "/settings/plan",
    }


def prepare(url: str, token: str) -> tuple[httpx2.Client, Recorder]:
    """Somebody with sessions, reminders and notes, and a recording that goes on."""
    client = owner(url, token, timezone="Europe/Berlin")
    client.post("/v1/demo")
    settled(client)
    recorder = Recorder(url, connected(client), "Reading about swifts")
    recorder.begin()
    recorder.go("https://en.wikipedia.org/wiki/Common_swift", "Common swift - Wikipedia")
    recorder.go("https://www.rspb.org.uk/birds/swift", "Swift bird facts | The RSPB")
    reminder_history.remind(url, client)
    marked = client.get("/v1/highlights").json()["highlights"]
    for each, note in zip(marked[1::2], NOTES, strict=False):
        client.patch(f"/v1/highlights/{each['id']}", json={"note": note})
    return client, recorder


NOTES: Final = (
    "Compare with what the other source says.\nWorth quoting.",
    "두 번째로 읽을 때 다시 확인하기.",
)


def map_of(client: httpx2.Client, session: str) -> bytes:
    """The map of a session as the server draws it."""
    made = client.get(f"{session}/mindmap").json()["mindmap"]
    nodes = msgspec.convert(made["nodes"], tuple[MindmapNode, ...])
    edges = msgspec.convert(made["edges"], tuple[MindmapEdge, ...])
    return png.render(drawing.svg(Graph(nodes, edges)), PICTURE_WIDTH)


def draw_maps(client: httpx2.Client, folder: Path) -> None:
    listed = client.get("/v1/sessions?limit=100").json()["sessions"]
    ids = {each["title"]: each["id"] for each in listed}
    for file, title in MAPS.items():
        (folder / file).write_bytes(map_of(client, f"/v1/sessions/{ids[title]}"))


def show_report(page: Page, client: httpx2.Client, session: str, language: str) -> None:
    """The report of a session as a mail program shows it."""
    said = client.get(f"{session}/report").json()
    picture = map_of(client, session)
    facts = Facts(
        email="mina@example.org",
        language=language,
        is_wanted=True,
        title=said["title"],
        started_at=datetime.fromisoformat(said["started_at"]),
        ended_at=None,
        total_duration_ms=said["total_duration_ms"],
        page_count=said["page_count"],
        highlight_count=said["highlight_count"],
        top_keywords=said["top_keywords"],
        state="due",
        sent_at=None,
    )
    longest = [LongRead(**each) for each in said["longest"]]
    links = Links("https://mindhit.example/sessions/1", "https://mindhit.example/v1/unsubscribe/x")
    zone = ZoneInfo("Europe/Berlin")
    mail = compose(facts, longest, UUID(int=1), zone, links, picture, "mindhit.example")
    inline = f"data:image/png;base64,{b64encode(picture).decode()}"
    page.set_content((mail.html or "").replace(f"cid:{CONTENT_ID}", inline))


def show_export(page: Page, client: httpx2.Client, session: str) -> None:
    """The Markdown of a session as it stands in the file."""
    text = client.get(f"{session}/export?format=md").text
    style = "font: 14px/1.5 monospace; white-space: pre-wrap; margin: 24px"
    scheme = '<meta name="color-scheme" content="light dark">'
    page.set_content(f'{scheme}<pre style="{style}">{escape(text)}</pre>')


def document(page: Page, client: httpx2.Client, name: str, path: str) -> None:
    """What is read outside the app. The app's policy allows no inline styles."""
    language = "ko" if page.locator("html").get_attribute("lang") == "ko" else "en"
    page.goto("about:blank")
    if name == "mail":
        reminder_history.show_mail(page, language)
    elif name == "mail-digest":
        reminder_history.show_digest(page, language)
    elif name == "report":
        show_report(page, client, f"/v1{path}", language)
    else:
        show_export(page, client, f"/v1{path}")


def picture(page: Page, url: str, client: httpx2.Client, name: str, path: str, file: Path) -> None:
    page.goto(url + path)
    page.locator("h1").first.wait_for()
    if name == "notification":
        reminder_history.show_notification(page, url)
        page.screenshot(path=file)
        return
    if name in {"mail", "mail-digest", "report", "export"}:
        document(page, client, name, path)
        page.wait_for_timeout(200)
        page.screenshot(path=file)
        return
    if name == "remind":
        page.get_by_role("button", name=re.compile("Remind me|나중에 알림")).first.click()
    page.wait_for_timeout(900)
    web_scenes.act(page, name)
    page.wait_for_timeout(300)
    if name in web_scenes.AS_SEEN:
        page.screenshot(path=file)
        if name == "undo":
            web_scenes.undo(page)
        return
    # As tall as the picture: rows that are not in sight are not drawn.
    before = page.viewport_size
    assert before
    height = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
    page.set_viewport_size({"width": before["width"], "height": height})
    page.wait_for_timeout(300)
    bottom = page.evaluate("document.querySelector('main').getBoundingClientRect().bottom")
    clip = {"x": 0, "y": 0, "width": before["width"], "height": min(bottom, height)}
    page.screenshot(path=file, clip=clip)  # type: ignore[arg-type]
    page.set_viewport_size(before)


def look(
    launched: Browser,
    client: httpx2.Client,
    recorder: Recorder,
    folder: Path,
    paths: dict[str, str],
    only: list[str],
) -> None:
    url = str(client.base_url)
    cookie, value = next(iter(client.cookies.items()))
    for look_name, options in {**LOOKS, **MORE_LOOKS}.items():
        context = launched.new_context(timezone_id="Europe/Berlin", **options)
        language = "ko" if options["locale"] == "ko-KR" else "en"
        assert client.patch("/v1/me/settings", json={"language": language}).is_success
        page = context.new_page()
        for name, path in paths.items():
            if look_name in MORE_LOOKS and name not in MORE_OFTEN:
                continue
            if only and name not in only and f"{name}-{look_name}" not in only:
                continue
            if name not in web_scenes.OUTSIDE:
                context.add_cookies([{"name": cookie, "value": value, "url": url}])
            recorder.say("ALIVE")
            picture(page, url, client, name, path, folder / f"{name}-{look_name}.png")
        context.close()


def main() -> None:
    folder, *only = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with served() as (url, database_url):
        client, recorder = prepare(url, asyncio.run(owner_token(url, database_url)))
        processed = client.get("/v1/sessions?status=completed").json()["sessions"][-1]["id"]
        asyncio.run(shop_history.fill(client, database_url))
        asyncio.run(usage_history.fill(database_url))
        asyncio.run(reminder_history.fill(database_url))
        asyncio.run(web_scenes.fill(database_url, processed))
        paths = {**web_scenes.OUTSIDE, **screens(client, processed)}
        with TemporaryDirectory() as fonts:
            add_korean_font(Path(fonts))
            take(client, recorder, Path(folder), paths, only)


def take(
    client: httpx2.Client, recorder: Recorder, folder: Path, paths: dict[str, str], only: list[str]
) -> None:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser.find(), args=FLAGS)
        look(launched, client, recorder, folder, paths, only)
        draw_maps(client, folder)
        launched.close()


if __name__ == "__main__":
    main()
