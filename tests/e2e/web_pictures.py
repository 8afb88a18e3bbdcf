"""Pictures of every screen: light, dark, Korean, and as a phone shows them.

python -m tests.e2e.web_pictures FOLDER [NAME …]

To be looked at. The good ones are in docs/pictures.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from base64 import b64encode
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx2
import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from mindhit.delivery import ChannelId, DeliveryId, NoticeId
from mindhit.delivery.model import Outgoing
from mindhit.delivery.texts import mail_of
from mindhit.insight.mindmap import drawing, png
from mindhit.insight.model import Graph, MindmapEdge, MindmapNode
from mindhit.insight.report.composing import CONTENT_ID, Links, compose
from mindhit.insight.report.sending import PICTURE_WIDTH
from mindhit.insight.store.reports import Facts, LongRead
from tests.e2e import shop_history, usage_history
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

MAPS: Final = {"map.png": "Water on K2-18 b?", "map-korean.png": "한강을 읽는 순서"}
# What is clicked before the picture is taken.
ORDER: Final = "section[aria-labelledby=timeline-title] [role=group] button"
BEFORE: Final = {
    "map-node": "[role=tree] [data-type=topic]",
    "map-list": "section[aria-labelledby=map-title] [role=group] button:nth-child(2)",
    "pages": f"{ORDER}:nth-child(2)",
    "trail": f"{ORDER}:nth-child(3)",
}


def screens(client: httpx2.Client) -> dict[str, str]:
    listed = client.get("/v1/sessions?limit=100").json()["sessions"]
    done = [each for each in listed if each["status"] == "completed"]
    richest = max(done, key=lambda each: (each["highlight_count"], each["page_count"]))
    live = next(each for each in listed if each["status"] == "recording")
    marked = client.get("/v1/highlights").json()["highlights"]
    noted = next(each for each in marked if each["note"])
    return {
        "highlights": "/highlights",
        "visited": f"/pages/{noted['url_id']}",
        "dashboard": "/",
        "month": "/?view=month",
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
        "inbox": "/inbox",
        "channels": "/settings/notifications",
        "remind": "/library",
        "mail": "/",
        "report": f"/sessions/{richest['id']}",
        "export": f"/sessions/{richest['id']}",
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


def prepare(url: str, token: str) -> httpx2.Client:
    client = owner(url, token, timezone="Europe/Berlin")
    client.post("/v1/demo")
    settled(client)
    recorder = Recorder(url, connected(client), "Reading about swifts")
    recorder.begin()
    recorder.go("https://en.wikipedia.org/wiki/Common_swift", "Common swift - Wikipedia")
    recorder.go("https://www.rspb.org.uk/birds/swift", "Swift bird facts | The RSPB")
    remind(url, client)
    marked = client.get("/v1/highlights").json()["highlights"]
    for each, note in zip(marked[1::2], NOTES, strict=False):
        client.patch(f"/v1/highlights/{each['id']}", json={"note": note})
    return client


NOTES: Final = (
    "Compare with what the other source says.\nWorth quoting.",
    "두 번째로 읽을 때 다시 확인하기.",
)


PAGES: Final = {
    "https://lighthouses.example/north-sea": ("Lighthouses of the North Sea", "tomorrow"),
    "https://bread.example/sourdough": ("A first sourdough, day by day", "next_week"),
    "https://guide.example/jeonse": ("전세 계약 전에 확인할 것", "tonight"),
    "https://long.example/page": (
        "How a very long title of a page looks where it " * 3,
        "tomorrow",
    ),
}


def remind(url: str, client: httpx2.Client) -> None:
    """Some that have come, some that will, one channel that works and one that does not."""
    note = "Opening hours, and which of them can be climbed."
    for address, (title, wish) in PAGES.items():
        client.post("/v1/pages", json={"address": address, "title": title, "note": note})
        made = client.post("/v1/reminders", json={"url": address}).json()
        if wish != "tonight":
            continue
        client.post(f"/v1/reminders/{made['page_id']}/snooze", json={"for": wish})
    token = client.post("/v1/tokens", json={"name": "cron", "scopes": ["admin"]}).json()["token"]
    key = {"Authorization": f"Bearer {token}"}
    httpx2.post(f"{url}/v1/reminders/schedule/v2", headers=key, timeout=60)
    ends = time.monotonic() + 60
    while client.get("/v1/notices").json()["unread"] < len(PAGES) - 1:
        assert time.monotonic() < ends
        time.sleep(0.1)
    for name, config in (
        ("Phone", {"topic": "quiet-otter-7"}),
        ("Home server", {"topic": "t", "server": "https://ntfy.example"}),
    ):
        client.post("/v1/channels", json={"kind": "ntfy", "name": name, "config": config})


def show_mail(page: Page, language: str) -> None:
    """A reminder as a mail program shows it."""
    notice = Outgoing(
        id=DeliveryId(UUID(int=1)),
        user_id=UUID(int=1),
        channel_id=ChannelId(UUID(int=1)),
        notice_id=NoticeId(UUID(int=1)),
        channel_kind="email",
        config="",
        was_sending=False,
        kind="reminder",
        key="",
        title="전세 계약 전에 확인할 것" if language == "ko" else "Lighthouses of the North Sea",
        body="등기부등본부터 확인하세요." if language == "ko" else "Which of them can be climbed.",
        url="https://lighthouses.example/north-sea",
        digest_id=None,
    )
    mail = mail_of(
        notice,
        to="mina@example.org",
        language=language,
        public_url="https://mindhit.example",
        unsubscribe="https://mindhit.example/v1/channels/unsubscribe/x",
    )
    page.set_content(mail.html or "")


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
    page.set_content(f'<pre style="{style}">{escape(text)}</pre>')


def document(page: Page, client: httpx2.Client, name: str, path: str) -> None:
    """What is read outside the app. The app's policy allows no inline styles."""
    language = "ko" if page.locator("html").get_attribute("lang") == "ko" else "en"
    page.goto("about:blank")
    if name == "mail":
        show_mail(page, language)
    elif name == "report":
        show_report(page, client, f"/v1{path}", language)
    else:
        show_export(page, client, f"/v1{path}")


def picture(page: Page, url: str, client: httpx2.Client, name: str, path: str, file: Path) -> None:
    page.goto(url + path)
    page.locator("h1").first.wait_for()
    if name in {"mail", "report", "export"}:
        document(page, client, name, path)
        page.wait_for_timeout(200)
        page.screenshot(path=file)
        return
    if name == "remind":
        page.locator("li[data-id] a").first.wait_for()
        button = page.locator("li[data-id] button").first
        if button.is_visible():
            button.click()
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
        short.nth(1).locator("button").first.click()
        for _ in range(2):
            page.keyboard.press("-")
        page.evaluate("scrollTo(0, 0)")
        page.locator("[role=group]:has(> canvas)").hover()
    if name in BEFORE:
        page.locator(BEFORE[name]).first.click()
    page.wait_for_timeout(300)
    if name in {"shortcuts", "zoomed", "remind"}:
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
        assert client.patch("/v1/me/settings", json={"language": language}).is_success
        page = context.new_page()
        for name, path in screens(client).items():
            if not only or name in only or f"{name}-{look_name}" in only:
                picture(page, url, client, name, path, folder / f"{name}-{look_name}.png")
        context.close()


def main() -> None:
    folder, *only = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with served() as (url, database_url):
        client = prepare(url, asyncio.run(owner_token(url, database_url)))
        asyncio.run(shop_history.fill(client, database_url))
        asyncio.run(usage_history.fill(database_url))
        with sync_playwright() as playwright:
            launched = playwright.chromium.launch(executable_path=browser.find(), args=FLAGS)
            look(launched, url, client, Path(folder), only)
            draw_maps(client, Path(folder))
            launched.close()


if __name__ == "__main__":
    main()
