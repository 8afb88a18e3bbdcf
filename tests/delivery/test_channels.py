"""Channels and the inbox, by the API: what is accepted, what is shown, and to whom."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from mindhit import delivery
from mindhit.accounts import change_preferences
from mindhit.db import Database
from mindhit.delivery import NewNotice, NoticeKind
from mindhit.delivery.configs import Webhook
from mindhit.delivery.limits import CHANNELS, SUBSCRIPTIONS
from mindhit.work.testing import drain
from tests.accounts.kit import add, browser_of, export, product, rows, settings, unpack
from tests.delivery.kit import BROWSER

SECRET = "canary-topic"
NTFY = {
    "kind": "ntfy",
    "name": "Phone",
    "config": {"server": "https://ntfy.example", "topic": SECRET, "token": "tk_canary"},
}


async def test_where_a_channel_leads_is_not_shown_and_not_readable_in_the_database(
    db: Database,
) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        added = await browser.post("/v1/channels", json=NTFY)
        listed = await browser.get("/v1/channels")
        exported = unpack(await export(db, browser))
    assert added.status_code == 201
    assert added.json()["target"] == "ntfy.example"
    assert added.json()["secret"] is None
    assert "canary" not in added.text + listed.text
    assert "canary" not in str(exported)
    assert "canary" not in str(await rows(db, "select * from channels"))


async def test_a_webhooks_secret_is_shown_once_and_kept(db: Database) -> None:
    ada = await add(db)
    hook = {"kind": "webhook", "name": "Mine", "config": {"url": "https://hooks.example/a"}}
    async with browser_of(db, ada) as browser:
        added = (await browser.post("/v1/channels", json=hook)).json()
        assert added["secret"].startswith("whsec_")
        changed = await browser.patch(
            f"/v1/channels/{added['id']}",
            json={"config": {"url": "https://hooks.example/b"}, "name": "Yours"},
        )
        assert added["secret"] not in changed.text + (await browser.get("/v1/channels")).text
    assert changed.json()["name"] == "Yours"
    async with db.read() as tx:
        [kept] = await tx.all(delivery.store.channels.LIST, ada.id)
    opened = delivery.channels.unseal(settings(), ada.id, kept.config, delivery.ChannelKind.WEBHOOK)
    assert isinstance(opened, Webhook)
    assert (opened.url, opened.secret) == ("https://hooks.example/b", added["secret"])


BAD: list[tuple[str, dict[str, Any]]] = [
    ("ntfy", {}),
    ("ntfy", {"topic": "a b"}),
    ("ntfy", {"topic": "a", "server": "http://ntfy.example"}),
    ("ntfy", {"topic": "a", "server": "ftp://ntfy.example"}),
    ("ntfy", {"topic": "a", "server": "https://10.0.0.1"}),
    ("ntfy", {"topic": "a", "server": "https://nas"}),
    ("ntfy", {"topic": "a", "server": "https://user@ntfy.example"}),
    ("ntfy", {"topic": "a", "server": "https://[::1]"}),
    ("ntfy", {"topic": "a", "server": "https://ntfy.example:x"}),
    ("ntfy", {"topic": "a", "server": "https://ntfy.example?a=b"}),
    ("ntfy", {"topic": "a", "token": "a\nb"}),
    ("ntfy", {"topic": "a", "unknown": 1}),
    ("webhook", {}),
    ("webhook", {"url": "https://localhost/"}),
    ("webhook", {"url": "https://hooks.example/#x"}),
    ("webhook", {"url": "https://hooks.example/", "secret": "whsec_mine"}),
    ("webhook", {"url": 5}),
    ("apprise", {"url": "no address"}),
    ("apprise", {"url": "https://example.org"}),
    ("apprise", {"url": "file:///etc/passwd"}),
    ("email", {"to": "somebody@else.example"}),
    ("email", {}),  # there is no mail server
]


@pytest.mark.parametrize(("kind", "of"), BAD)
async def test_what_cannot_be_used_is_refused(db: Database, kind: str, of: dict[str, Any]) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        body = {"kind": kind, "name": "x", "config": of}
        answer = await browser.post("/v1/channels", json=body)
        assert answer.status_code == 422, answer.text
        assert answer.json()["type"].endswith("bad-channel")
        assert "email" not in (await browser.get("/v1/channels")).json()["offered"]


async def test_mail_is_offered_where_there_is_a_mail_server_and_once(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada, settings(smtp_host="mail.example")) as browser:
        assert "email" in (await browser.get("/v1/channels")).json()["offered"]
        mail = {"kind": "email", "name": "Mail"}
        assert (await browser.post("/v1/channels", json=mail)).status_code == 201
        again = await browser.post("/v1/channels", json=mail)
        assert again.status_code == 409


async def test_there_are_only_so_many(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for _ in range(CHANNELS):
            assert (await browser.post("/v1/channels", json=NTFY)).status_code == 201
        assert (await browser.post("/v1/channels", json=NTFY)).status_code == 409


async def test_a_removed_channel_is_gone(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        id_ = (await browser.post("/v1/channels", json=NTFY)).json()["id"]
        assert (await browser.delete(f"/v1/channels/{id_}")).status_code == 204
        assert (await browser.delete(f"/v1/channels/{id_}")).status_code == 404
        assert (await browser.patch(f"/v1/channels/{id_}", json={})).status_code == 404
        assert (await browser.post(f"/v1/channels/{id_}/test")).status_code == 404


async def test_a_channel_that_another_key_encrypted_says_so(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        id_ = (await browser.post("/v1/channels", json=NTFY)).json()["id"]
    other = settings(secret_key="another key, as long as it has to be")
    async with browser_of(db, ada, other) as browser:
        [shown] = (await browser.get("/v1/channels")).json()["items"]
        assert shown["target"] is None
        assert "decrypted" in shown["last_error"]
        fixed = await browser.patch(f"/v1/channels/{id_}", json={"config": NTFY["config"]})
        assert fixed.json()["target"] == "ntfy.example"


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "http://push.example/1"},
        {"endpoint": "https://127.0.0.1/1"},
        {"keys": {**BROWSER.keys, "auth": "short"}},
        {"keys": {**BROWSER.keys, "p256dh": "!!"}},
    ],
)
async def test_a_subscription_must_be_one(db: Database, change: dict[str, Any]) -> None:
    ada = await add(db)
    body = {"endpoint": "https://push.example/1", "keys": BROWSER.keys, **change}
    async with browser_of(db, ada) as browser:
        assert (await browser.put("/v1/push/subscriptions", json=body)).status_code == 422
        assert await rows(db, "select * from push_subscriptions") == []


async def test_a_browser_shows_the_notices_of_whoever_signed_in_last(db: Database) -> None:
    ada, eve = await add(db), await add(db, "eve@example.org")
    body = {"endpoint": "https://push.example/1", "keys": BROWSER.keys}
    for person in (ada, eve, eve):
        async with browser_of(db, person) as browser:
            assert (await browser.put("/v1/push/subscriptions", json=body)).status_code == 200
    [row] = await rows(db, "select user_id from push_subscriptions")
    assert row["user_id"] == eve.id


async def test_the_newest_browsers_are_kept(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        for number in range(SUBSCRIPTIONS + 2):
            body = {"endpoint": f"https://push.example/{number}", "keys": BROWSER.keys}
            await browser.put("/v1/push/subscriptions", json=body)
        kept = await rows(db, "select endpoint from push_subscriptions")
        assert len(kept) == SUBSCRIPTIONS
        assert "https://push.example/0" not in {row["endpoint"] for row in kept}
        last = {"endpoint": "https://push.example/last", "keys": BROWSER.keys}
        id_ = (await browser.put("/v1/push/subscriptions", json=last)).json()["id"]
        assert (await browser.delete(f"/v1/push/subscriptions/{id_}")).status_code == 204
        assert (await browser.delete(f"/v1/push/subscriptions/{id_}")).status_code == 404


async def test_the_push_key_is_made_once(db: Database) -> None:
    ada = await add(db)
    async with browser_of(db, ada) as browser:
        first = (await browser.get("/v1/push/key")).json()
        assert (await browser.get("/v1/push/key")).json() == first
    [row] = await rows(db, "select private from vapid_keys")
    assert "PRIVATE" not in row["private"]


async def test_the_inbox_is_read_page_by_page_newest_first(db: Database) -> None:
    ada = await add(db)
    for number in range(5):
        notice = NewNotice(kind=NoticeKind.USAGE, key=str(number), title=f"Notice {number}")
        async with db.transaction() as tx:
            await delivery.notify(tx, ada.id, notice)
    async with browser_of(db, ada) as browser:
        first = (await browser.get("/v1/notices?limit=2")).json()
        second = (await browser.get(f"/v1/notices?limit=3&cursor={first['next_cursor']}")).json()
        titles = [each["title"] for each in first["items"] + second["items"]]
        assert titles == [f"Notice {number}" for number in (4, 3, 2, 1, 0)]
        assert (first["unread"], second["next_cursor"]) == (5, None)
        id_ = first["items"][0]["id"]
        read = (await browser.post(f"/v1/notices/{id_}/read")).json()
        again = (await browser.post(f"/v1/notices/{id_}/read")).json()
        assert read["read_at"] == again["read_at"] is not None
        unread = (await browser.get("/v1/notices?unread=true")).json()
        assert (len(unread["items"]), unread["unread"]) == (4, 4)
        assert (await browser.post("/v1/notices/read")).status_code == 204
        assert (await browser.get("/v1/notices")).json()["unread"] == 0


async def test_the_inbox_says_when_quiet_hours_began_and_end(db: Database) -> None:
    ada = await add(db)
    now = datetime.now(UTC)
    began = now.replace(minute=0, second=0, microsecond=0)
    end = began + timedelta(hours=2)
    quiet = {"timezone": "UTC", "quiet_from": time(now.hour), "quiet_until": end.time()}
    async with browser_of(db, ada) as browser:
        for hours, expected in ((quiet, end), ({"quiet_from": None, "quiet_until": None}, None)):
            async with db.transaction() as tx:
                await change_preferences(tx, ada.id, hours)
            inbox = (await browser.get("/v1/notices")).json()
            said = inbox["quiet_until"]
            assert (said and datetime.fromisoformat(said)) == expected
            since = inbox["quiet_since"]
            assert (since and datetime.fromisoformat(since)) == (began if expected else None)


async def test_read_notices_go_after_ninety_days_and_unread_ones_stay(db: Database) -> None:
    from mindhit.delivery.job_types import Sweep
    from mindhit.work import enqueue

    ada = await add(db)
    for key in ("old", "new", "unread"):
        async with db.transaction() as tx:
            await delivery.notify(tx, ada.id, NewNotice(kind=NoticeKind.USAGE, key=key, title=key))
    async with db.transaction() as tx:
        for key, days in (("old", 91), ("new", 89)):
            await tx._connection.execute(
                "update notices set read_at = now() - make_interval(days => $2) where key = $1",
                key,
                days,
            )
        await enqueue(tx, Sweep())
    await drain(db, product().jobs)
    assert [row["key"] for row in await rows(db, "select key from notices order by key")] == [
        "new",
        "unread",
    ]
