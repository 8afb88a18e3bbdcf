"""Reminders, channels and notices for pictures: what works, what fails, and what people see outside the app."""

from __future__ import annotations

import time
from html import escape
from typing import Any, Final
from uuid import UUID

import asyncpg
import httpx2
from playwright.sync_api import Page

from mindhit.delivery import ChannelId, DeliveryId, NoticeId
from mindhit.delivery.model import Outgoing
from mindhit.delivery.texts import digest_body, digest_title, mail_of
from tests.e2e.web_push import SHOWN, push, until

PAGES: Final = {
    "https://lighthouses.example/north-sea": "Lighthouses of the North Sea",
    "https://bread.example/sourdough": "A first sourdough, day by day",
    "https://guide.example/jeonse": "전세 계약 전에 확인할 것",
    "https://long.example/page": "How a very long title of a page looks where it " * 3,
    "https://trains.example/night": "Night trains, and where to book them",
    "https://garden.example/april": "What to sow in April",
}
SNOOZED: Final = "https://guide.example/jeonse"
STATES: Final = (
    "update channels set last_ok_at = now() - interval '3 hours' where name = 'Phone'",
    "update channels set last_error = 'ntfy answered 403.' where name = 'Home server'",
    "update channels set enabled = false where name = 'Automation'",
    """update alarms set status = 'failing', last_error = 'ntfy answered 403.', updated_at = now()
        where title = 'Night trains, and where to book them'""",
    """insert into notices (user_id, kind, key, title, body)
       select id, 'usage', 'usage:80', '80% of your AI tokens used', '80,000 of 100,000 tokens used.'
         from users""",
)


def remind(url: str, client: httpx2.Client) -> None:
    """Some that have come, one that will, and three channels."""
    note = "Opening hours, and which of them can be climbed."
    for address, title in PAGES.items():
        client.post("/v1/pages", json={"address": address, "title": title, "note": note})
        made = client.post("/v1/reminders", json={"url": address}).json()
        if address == SNOOZED:
            client.post(f"/v1/reminders/{made['page_id']}/snooze", json={"for": "tonight"})
    token = client.post("/v1/tokens", json={"name": "cron", "scopes": ["admin"]}).json()["token"]
    key = {"Authorization": f"Bearer {token}"}
    httpx2.post(f"{url}/v1/reminders/schedule/v2", headers=key, timeout=60)
    ends = time.monotonic() + 60
    while client.get("/v1/notices").json()["unread"] < len(PAGES) - 1:
        assert time.monotonic() < ends
        time.sleep(0.1)
    channels: dict[str, dict[str, Any]] = {
        "Phone": {"kind": "ntfy", "config": {"topic": "quiet-otter-7"}},
        "Home server": {"kind": "ntfy", "config": {"topic": "t", "server": "https://ntfy.example"}},
        "Automation": {"kind": "webhook", "config": {"url": "https://hooks.example/mindhit"}},
    }
    for name, of in channels.items():
        client.post("/v1/channels", json={"name": name, **of})


async def fill(database_url: str) -> None:
    """A channel that works, one that fails with its reminder, and one that is off."""
    connection = await asyncpg.connect(database_url)
    try:
        for statement in STATES:
            await connection.execute(statement)
    finally:
        await connection.close()


def show_mail(page: Page, language: str) -> None:
    """A reminder as a mail program shows it."""
    is_korean = language == "ko"
    _show(
        page,
        language,
        title="전세 계약 전에 확인할 것" if is_korean else "Lighthouses of the North Sea",
        body="등기부등본부터 확인하세요." if is_korean else "Which of them can be climbed.",
        url="https://guide.example/jeonse" if is_korean else "https://lighthouses.example/",
    )


def show_digest(page: Page, language: str) -> None:
    """What quiet hours held back, as one mail."""
    titles = [title.strip() for title in PAGES.values()] * 2
    _show(
        page,
        language,
        title=digest_title(len(titles), language),
        body=digest_body(titles, language),
        url="https://mindhit.example/inbox",
    )


def _show(page: Page, language: str, *, title: str, body: str, url: str) -> None:
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
        title=title,
        body=body,
        url=url,
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


def show_notification(page: Page, url: str) -> None:
    """What the service worker shows for a push. This browser has no desktop on which the system would draw it,
    so its title, text, icon and buttons are drawn here as Chromium does."""
    is_korean = page.locator("html").get_attribute("lang") == "ko"
    page.context.grant_permissions(["notifications"], origin=url)
    page.reload()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    payload = {
        "key": f"reminder:{UUID(int=1)}:3",
        "kind": "reminder",
        "title": "전세 계약 전에 확인할 것" if is_korean else "Lighthouses of the North Sea",
        "body": "등기부등본부터 확인하세요." if is_korean else "Which of them can be climbed.",
        "url": "https://lighthouses.example/",
        "notice_id": str(UUID(int=1)),
    }
    push(page, url, payload)
    [shown] = until(lambda: page.evaluate(SHOWN))
    icon = page.evaluate(ICON)
    page.goto("about:blank")
    buttons = "".join(f"<b>{escape(title)}</b>" for _, title in shown["actions"])
    words = f"<h1>{escape(shown['title'])}</h1><p>{escape(shown['body'])}</p><small>mindhit.example</small>"
    page.set_content(
        f"<!doctype html>{STYLE}<main><img src='{icon}'><div>{words}</div></main><nav>{buttons}</nav>"
    )


ICON: Final = """async () => {
  const [{ icon }] = await (await navigator.serviceWorker.ready).getNotifications();
  const bytes = new Uint8Array(await (await fetch(icon)).arrayBuffer());
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
}"""
STYLE: Final = """<style>
:root { color-scheme: light dark; background: light-dark(#eceef1, #15181a) }
body { font: 14px/1.4 sans-serif; max-width: 350px; margin: 24px; padding: 14px; border-radius: 8px;
  background: light-dark(#fff, #2b2c2f); box-shadow: 0 2px 10px #0005 }
main { display: flex; gap: 14px; align-items: start }
img { width: 48px }
h1 { font-size: 15px; margin: 0 }
p { margin: 2px 0 }
small { opacity: .7 }
nav { display: flex; gap: 20px; margin-top: 12px; color: light-dark(#1a56c4, #9bbcff) }
</style>"""
