"""Reminders in a real browser: asked for, in the inbox, shown as a notification by the service worker."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import complaints_of, signed_in
from tests.e2e.web_axe import Inspection
from tests.e2e.web_push import SHOWN, push, until
from tests.e2e.web_stage import Home

PAGE: Final = "https://lighthouses.example/north-sea"
SCREENS: Final = {
    "upcoming": "/reminders",
    "paused": "/reminders?show=paused",
    "history": "/reminders?show=history",
    "inbox": "/inbox",
    "notifications": "/settings/notifications",
}
# What the browser does when somebody clicks on it.
CLICK: Final = """async (action) => {
  const [notification] = await self.registration.getNotifications();
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action }));
}"""


def run(home: Home) -> None:
    """What the scheduler does every 20 seconds; the worker sends it."""
    made = home.client.post("/v1/tokens", json={"name": "cron", "scopes": ["admin"]})
    assert made.status_code == 201, made.text
    key = {"Authorization": f"Bearer {made.json()['token']}"}
    answer = httpx2.post(f"{home.url}/v1/reminders/schedule/v2", headers=key, timeout=60)
    assert answer.json()["success"] is True, answer.text


@pytest.fixture
def allowed(chromium: Browser, home: Home) -> Iterator[BrowserContext]:
    """A browser in which notifications are allowed."""
    context = signed_in(chromium, home, service_workers="allow")
    context.grant_permissions(["notifications"], origin=home.url)
    yield context
    context.close()


def test_a_page_is_asked_for_and_comes_back_into_the_inbox(tab: Page, home: Home) -> None:
    saved = home.client.post("/v1/pages", json={"address": PAGE, "title": "Lighthouses"}).json()
    tab.goto(f"{home.url}/library/pages/{saved['id']}")
    tab.get_by_role("button", name="Remind me").click()
    tab.get_by_label("First time").select_option("Now")
    tab.get_by_role("dialog").get_by_role("button", name="Remind me").click()
    expect(tab.get_by_text("Reminder set:")).to_be_visible()
    tab.get_by_role("button", name="Close").click()
    run(home)
    until(lambda: home.client.get("/v1/notices").json()["unread"])
    tab.goto(f"{home.url}/reminders")
    expect(tab.get_by_role("link", name="Inbox, 1 unread")).to_be_visible()
    expect(tab.get_by_text("reminder 2")).to_be_visible()
    tab.get_by_role("link", name="Inbox, 1 unread").click()
    expect(tab.get_by_role("link", name="Lighthouses")).to_be_visible()
    tab.get_by_role("button", name="Tomorrow").click()
    expect(tab.get_by_text("Snoozed. Next reminder:")).to_be_visible()
    expect(tab.get_by_role("link", name="Inbox", exact=True)).to_be_visible()
    home.client.delete(f"/v1/pages/{saved['id']}")


def test_a_push_is_shown_once_and_its_actions_do_what_they_say(
    allowed: BrowserContext, home: Home
) -> None:
    made = home.client.post("/v1/reminders", json={"url": PAGE, "title": "Lighthouses"}).json()
    run(home)
    [notice] = until(lambda: home.client.get("/v1/notices?unread=true").json()["items"])
    tab = allowed.new_page()
    complaints = complaints_of(tab)
    tab.goto(f"{home.url}/inbox")
    tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    payload = {
        "key": f"reminder:{made['page_id']}:1",
        "kind": "reminder",
        "title": "Lighthouses 등대",
        "body": "Where they stand",
        "url": PAGE,
        "notice_id": notice["id"],
    }
    push(tab, home.url, payload)
    [shown] = until(lambda: tab.evaluate(SHOWN))
    assert (shown["title"], shown["body"]) == (payload["title"], payload["body"])
    assert shown["tag"] == payload["key"]
    assert [each[0] for each in shown["actions"]] == ["tomorrow", "stop"]
    push(tab, home.url, {**payload, "body": "Once more"})
    until(lambda: [each["body"] for each in tab.evaluate(SHOWN)] == ["Once more"])

    path = f"/v1/reminders/{made['page_id']}"
    far = (datetime.now(UTC) + timedelta(days=5)).isoformat()
    before = home.client.patch(path, json={"next_alarm_time": far}).json()
    worker = allowed.service_workers[0]
    worker.evaluate(CLICK, "tomorrow")
    until(lambda: home.client.get("/v1/notices").json()["unread"] == 0)
    until(lambda: home.client.get("/v1/reminders").json()["items"] != [before])
    until(lambda: tab.evaluate(SHOWN) == [])
    push(tab, home.url, payload)
    until(lambda: tab.evaluate(SHOWN))
    worker.evaluate(CLICK, "stop")
    until(lambda: home.client.get("/v1/reminders").json()["items"] == [])
    assert tab.evaluate(SHOWN) == []
    assert complaints == []
    home.client.delete(f"/v1/pages/{made['page_id']}")


def test_the_screens_are_accessible_and_fit_a_phone(chromium: Browser, home: Home) -> None:
    ids = [
        home.client.post("/v1/reminders", json={"url": f"{PAGE}/{n}", "for": wish}).json()[
            "page_id"
        ]
        for n, wish in enumerate(("tomorrow", "next_week"))
    ]
    home.client.post(f"/v1/reminders/{ids[0]}/pause")
    channel = {"kind": "ntfy", "name": "Phone", "config": {"topic": "secret-topic"}}
    added = home.client.post("/v1/channels", json=channel).json()
    context = signed_in(chromium, home)
    tab = context.new_page()
    inspection = Inspection(tab)
    for language in ("ko", "en"):
        home.speak(language)
        tab.goto(f"{home.url}/reminders")
        expect(tab.locator("html")).to_have_attribute("lang", language)
        for name, path in SCREENS.items():
            inspection.go(home.url + path)
            inspection.look(f"{name}, {language}")
            inspection.look_on_a_phone(f"{name}, {language}")
    assert inspection.found == {}
    context.close()
    home.client.delete(f"/v1/channels/{added['id']}")
    for each in ids:
        home.client.delete(f"/v1/pages/{each}")
