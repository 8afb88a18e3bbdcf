"""The extension's notifications in a real Chromium: each notice once, quiet in quiet hours, opened by a click."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.conftest import Site, execute
from tests.e2e.extension_kit import Stage, stage, wait_until

WITHIN_S: Final = 60.0
# As in Chromium's own bindings: what is called when somebody clicks on a notification.
CLICK: Final = "chrome.notifications.onClicked.dispatch({})"
# Notes what is shown, and shows it.
LISTEN: Final = """(() => {
  globalThis.told = [];
  const create = chrome.notifications.create.bind(chrome.notifications);
  chrome.notifications.create = (id, options) => { told.push([options.title, options.message]); return create(id, options); };
})()"""
POLL: Final = "chrome.alarms.create('inbox', {when: Date.now(), periodInMinutes: 5})"
STORED: Final = "chrome.storage.local.get('inbox').then(({inbox}) => inbox ?? null)"


@pytest.fixture
def on(site: Site, tmp_path: Path) -> Iterator[Stage]:
    with stage(site, tmp_path) as made:
        made.reader.client.patch("/v1/me/settings", json={"quiet_hours": None})
        yield made


def tell(on: Stage, kind: str, title: str, url: str | None = None) -> str:
    """A notice in the inbox, as the product's jobs put it there."""
    me = on.reader.client.get("/v1/me").json()["id"]
    execute(
        on.reader.site.database_url,
        "insert into notices (user_id, kind, key, title, body, url)"
        " values ($1::text::uuid, $2, $3, $3, 'about it', $4)",
        me,
        kind,
        title,
        url,
    )
    items = on.reader.client.get("/v1/notices").json()["items"]
    [id_] = [str(each["id"]) for each in items if each["title"] == title]
    return id_


def evaluate(on: Stage, script: str) -> Any:
    return on.extension.chromium.evaluate(on.extension.page, script)


def turn_on(on: Stage) -> None:
    """By the options page, as a person does; Chromium asks nothing, since it was allowed before."""
    assert not evaluate(on, "chrome.permissions.contains({permissions: ['notifications']})")
    on.extension.chromium.send(
        "Runtime.evaluate",
        on.extension.page,
        expression="document.querySelector('#notices').click(); document.querySelector('#form').requestSubmit()",
        userGesture=True,
    )
    granted = "chrome.permissions.contains({permissions: ['notifications']})"
    wait_until(lambda: evaluate(on, granted), within_s=WITHIN_S, what="the permission")
    first = "chrome.storage.local.get('inbox').then(({inbox}) => inbox?.since != null)"
    wait_until(lambda: evaluate(on, first), within_s=WITHIN_S, what="the first poll")


def poll(on: Stage, after: str, expected: list[str]) -> None:
    """Once a poll has seen the notice `after`, exactly the expected ones are shown."""
    evaluate(on, POLL)

    def has_seen() -> bool:
        stored = evaluate(on, STORED)
        return stored is not None and after in {each["id"] for each in stored["shown"]}

    wait_until(has_seen, within_s=WITHIN_S, what="a poll")
    # It is noted before Chromium has shown it.
    wait_until(lambda: shown(on) == sorted(expected), within_s=WITHIN_S, what=f"{expected}")


def shown(on: Stage) -> list[str]:
    found = evaluate(on, "chrome.notifications.getAll()")
    return sorted(each.removeprefix("notice:") for each in found)


def pages_open(on: Stage) -> list[str]:
    return [each["url"] for each in on.extension.chromium.targets("page")]


def test_a_notice_is_shown_once_and_a_click_opens_it_and_marks_it_read(on: Stage) -> None:
    tell(on, "price", "before it was turned on")
    turn_on(on)
    assert shown(on) == []
    on.extension.in_worker(LISTEN)
    page = f"{on.pages.url}/back"
    first = tell(on, "reminder", "Lighthouses 등대", page)
    poll(on, first, [first])
    assert on.extension.in_worker("told") == [["Lighthouses 등대", "about it"]]

    on.extension.stop_worker()
    second = tell(on, "price", "after a restart")
    poll(on, second, [first, second])
    evaluate(on, f"chrome.notifications.clear('notice:{first}')")  # dismissed, and still unread
    on.extension.stop_worker()
    third = tell(on, "usage", "after another")
    poll(on, third, [second, third])

    on.extension.in_worker(CLICK.format(json.dumps(f"notice:{second}")))
    inbox = f"{on.reader.site.url}/inbox"
    wait_until(lambda: inbox in pages_open(on), within_s=WITHIN_S, what="the inbox in a tab")
    on.extension.in_worker(CLICK.format(json.dumps(f"notice:{first}")))
    wait_until(lambda: page in pages_open(on), within_s=WITHIN_S, what="the page in a tab")

    def unread() -> set[str]:
        items = on.reader.client.get("/v1/notices?unread=true").json()["items"]
        return {each["title"] for each in items}

    left = {"before it was turned on", "after another"}
    wait_until(lambda: unread() == left, within_s=WITHIN_S, what="both read")
    assert shown(on) == [third]


def test_in_quiet_hours_only_reminders_are_shown_and_the_others_after_them(on: Stage) -> None:
    turn_on(on)
    now = datetime.now(UTC)
    hours = {"from": f"{now:%H:00}", "until": f"{now + timedelta(hours=3):%H:00}"}
    quiet = {"timezone": "UTC", "quiet_hours": hours}
    assert on.reader.client.patch("/v1/me/settings", json=quiet).is_success
    price = tell(on, "price", "a price")
    reminder = tell(on, "reminder", "a time that was chosen", f"{on.pages.url}/chosen")
    poll(on, reminder, [reminder])
    assert on.reader.client.patch("/v1/me/settings", json={"quiet_hours": None}).is_success
    poll(on, price, [price, reminder])
