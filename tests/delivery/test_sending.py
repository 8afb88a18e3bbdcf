"""A notice reaches each service as that service wants it; failures are retried, or not, and shown."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import hmac
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from mindhit import delivery, wiring
from mindhit.accounts import Person, UserId, change_preferences
from mindhit.db import Database
from mindhit.delivery import ChannelKind, NewNotice, NoticeKind, ServiceName
from mindhit.settings import Settings
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, add_owner, browser_of, rows
from tests.delivery.kit import BROWSER, Browser, Service, config, decoded, service
from tests.mail.smtp_servers import mail_server

NOTICE = NewNotice(
    kind=NoticeKind.PRICE,
    key="price:1",
    title="Kettle: 20 % less",
    body="It was 50 €, now it is 40 €.\n가격이 내렸어요.",
    url="https://shop.example/kettle",
)


@pytest.fixture
async def at() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@pytest.fixture
async def ada(db: Database) -> Person:
    person = await add(db)
    async with db.transaction() as tx:  # whatever the hour at which the tests run
        await change_preferences(tx, person.id, {"quiet_from": None, "quiet_until": None})
    return person


async def channel(
    db: Database, person: Person, kind: ChannelKind, settings: Settings, **of: Any
) -> tuple[UUID, str | None]:
    async with db.transaction() as tx:
        made, secret = await delivery.add_channel(
            tx, settings, person.id, kind, name="mine", config=of
        )
    return made.id, secret


async def tell(db: Database, person: Person, notice: NewNotice = NOTICE) -> UUID | None:
    async with db.transaction() as tx:
        return await delivery.notify(tx, person.id, notice)


async def work_off(db: Database, settings: Settings | None = None) -> None:
    await drain(db, wiring.product(settings or config()).jobs)


async def only_delivery(db: Database) -> dict[str, Any]:
    [found] = await rows(db, "select * from deliveries")
    return dict(found)


async def subscribe(db: Database, person: Person, url: str, of: Browser = BROWSER) -> None:
    async with browser_of(db, person, config()) as browser:
        assert (await browser.get("/v1/push/key")).status_code == 200  # a subscription needs it
        body = {"endpoint": url, "keys": of.keys}
        assert (await browser.put("/v1/push/subscriptions", json=body)).status_code == 200


async def test_ntfy_gets_a_message_it_can_recognise_again(
    db: Database, ada: Person, at: Service
) -> None:
    at.answer = '{"id": "hwQ2YpKdmg", "event": "message"}'
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada", token="tk_1")
    await tell(db, ada)
    await work_off(db)
    sent = await only_delivery(db)
    [got] = at.got
    assert got.headers["Authorization"] == "Bearer tk_1"
    assert got.json == {
        "topic": "ada",
        "title": NOTICE.title,
        "message": NOTICE.body,
        "click": NOTICE.url,
        "tags": ["moneybag"],
        "sequence_id": str(sent["id"]),
    }
    assert (sent["status"], sent["provider_id"]) == ("SENT", "hwQ2YpKdmg")
    [known] = await rows(db, "select last_ok_at, last_error from channels")
    assert known["last_ok_at"] is not None
    assert known["last_error"] is None


async def test_a_webhook_is_signed_with_the_secret_that_was_shown_once(
    db: Database, ada: Person, at: Service
) -> None:
    _, secret = await channel(db, ada, ChannelKind.WEBHOOK, config(), url=f"{at.url}/hook?x=1")
    assert secret is not None
    await tell(db, ada)
    await work_off(db)
    [got] = at.got
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert got.headers["webhook-signature"] == f"v1,{mac}"
    assert got.headers["webhook-id"] == str((await only_delivery(db))["id"])
    assert abs(int(got.headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert got.json["type"] == "notice.price"
    assert got.json["data"]["title"] == NOTICE.title


async def test_a_browser_can_decrypt_a_push_and_its_service_knows_who_sent_it(
    db: Database, ada: Person, at: Service
) -> None:
    at.status = 201
    await subscribe(db, ada, f"{at.url}/push/1")
    notice_id = await tell(db, ada)
    await work_off(db)
    [got] = at.got
    assert BROWSER.decrypt(got.body) == {
        "key": NOTICE.key,
        "kind": "price",
        "title": NOTICE.title,
        "body": NOTICE.body,
        "url": NOTICE.url,
        "notice_id": str(notice_id),
    }
    assert (got.headers["Content-Encoding"], got.headers["TTL"]) == ("aes128gcm", "86400")
    assert len(got.headers["Topic"]) <= 32
    scheme, _, rest = got.headers["Authorization"].partition(" ")
    parts = dict(each.strip().split("=", 1) for each in rest.split(","))
    point = decoded(parts["k"])
    key = ECKey.import_key(
        {
            "kty": "EC",
            "crv": "P-256",
            "x": base64.urlsafe_b64encode(point[1:33]).rstrip(b"=").decode(),
            "y": base64.urlsafe_b64encode(point[33:]).rstrip(b"=").decode(),
        }
    )
    claims = jwt.decode(parts["t"], key, algorithms=["ES256"]).claims
    assert scheme == "vapid"
    assert claims["aud"] == at.url
    assert 0 < claims["exp"] - time.time() <= 86_400  # push services take no longer ones
    assert claims["sub"] == "mailto:mindhit@localhost"
    async with browser_of(db, ada, config()) as browser:
        assert (await browser.get("/v1/push/key")).json()["key"] == parts["k"]
    assert (await only_delivery(db))["status"] == "SENT"


async def test_a_push_is_cut_to_what_services_take(db: Database, ada: Person, at: Service) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    long = NewNotice(kind=NoticeKind.PRICE, key="long", title="가" * 2000, body='"\n' * 1000)
    await tell(db, ada, long)
    await work_off(db)
    [got] = at.got
    assert len(got.body) < 4096
    assert BROWSER.decrypt(got.body)["title"].startswith("가가")


async def test_a_browser_that_is_gone_is_removed_and_the_others_get_it(
    db: Database, ada: Person, at: Service
) -> None:
    async with service() as gone:
        gone.status = 410
        await subscribe(db, ada, f"{gone.url}/push/old")
        await subscribe(db, ada, f"{at.url}/push/new")
        await tell(db, ada)
        await work_off(db)
    assert (await only_delivery(db))["status"] == "SENT"
    assert [row["endpoint"] for row in await rows(db, "select * from push_subscriptions")] == [
        f"{at.url}/push/new"
    ]
    assert len(await rows(db, "select * from channels")) == 1


async def test_without_a_browser_it_says_so(db: Database, ada: Person, at: Service) -> None:
    at.status = 404
    await subscribe(db, ada, f"{at.url}/push/1")
    await tell(db, ada)
    await work_off(db)
    found = await only_delivery(db)
    assert (found["status"], found["attempts"]) == ("DEAD", 1)
    assert "No browser" in found["last_error"]


@pytest.mark.parametrize("what", ["revoked_at = now()", "expires_at = now() - interval '1 hour'"])
async def test_a_browser_that_is_signed_out_gets_nothing(
    db: Database, ada: Person, at: Service, what: str
) -> None:
    await subscribe(db, ada, f"{at.url}/push/1")
    async with db.transaction() as tx:
        await tx._connection.execute(f"update devices set {what}")
    await tell(db, ada)
    await work_off(db)
    assert at.got == []


async def test_mail_comes_to_ones_own_address_and_is_kept_nowhere(
    db: Database, ada: Person
) -> None:
    with mail_server() as server:
        settings = config(smtp_host="localhost", smtp_port=server.port, smtp_tls="none")
        await channel(db, ada, ChannelKind.EMAIL, settings)
        await tell(db, ada)
        await work_off(db, settings)
        sent = server.opened()
    found = await only_delivery(db)
    assert sent["To"] == ada.email
    assert sent["Subject"] == NOTICE.title
    assert sent["Message-ID"] == f"<{found['provider_id']}>"
    assert NOTICE.url is not None
    text = sent.get_body(("plain",))
    assert text is not None
    assert NOTICE.url in text.get_content()
    assert await rows(db, "select * from kept_mails") == []


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_what_may_work_later_is_tried_again_until_it_is_too_often(
    db: Database, ada: Person, at: Service, status: int
) -> None:
    at.status = status
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    await tell(db, ada)
    waits = []
    for attempt in range(1, 6):
        await work_off(db)
        found = await only_delivery(db)
        assert found["attempts"] == len(at.got) == attempt
        assert found["status"] == ("FAILED" if attempt < 5 else "DEAD")
        [queued] = await rows(
            db,
            "select status, extract(epoch from run_after - updated_at)::float8 as wait"
            " from jobs where kind = 'delivery:send'",
        )
        if attempt < 5:
            waits.append(round(queued["wait"]))
            await pass_time(db, queued["wait"] + 1)
    assert [round(each / 60) for each in waits] == pytest.approx([1, 5, 30, 120], rel=0.2, abs=1)
    [known] = await rows(db, "select last_error from channels")
    assert known["last_error"] == f"ntfy answered {status}."


async def test_a_service_that_asks_for_time_gets_it(db: Database, ada: Person, at: Service) -> None:
    at.status, at.headers = 429, {"Retry-After": "900"}
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    await tell(db, ada)
    await work_off(db)
    await pass_time(db, 600)  # the first wait would be a minute
    await work_off(db)
    assert len(at.got) == 1
    await pass_time(db, 900)
    await work_off(db)
    assert len(at.got) == 2


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413])
async def test_what_will_never_work_is_tried_once(
    db: Database, ada: Person, at: Service, status: int
) -> None:
    at.status, at.headers = status, {"Location": "https://elsewhere.example/"}
    await channel(db, ada, ChannelKind.WEBHOOK, config(), url=at.url)
    await tell(db, ada)
    await work_off(db)
    await pass_time(db, 86_400)
    await work_off(db)
    assert len(at.got) == 1
    assert (await only_delivery(db))["status"] == "DEAD"


async def test_one_channel_that_fails_holds_up_no_other(
    db: Database, ada: Person, at: Service
) -> None:
    async with service() as broken:
        broken.status = 500
        await channel(db, ada, ChannelKind.NTFY, config(), server=broken.url, topic="ada")
        await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
        await tell(db, ada)
        await work_off(db)
    assert len(at.got) == len(broken.got) == 1
    assert {row["status"] for row in await rows(db, "select status from deliveries")} == {
        "SENT",
        "FAILED",
    }


async def test_after_a_crash_it_is_sent_again_under_the_same_id(
    db: Database, ada: Person, at: Service
) -> None:
    """The process died after the service had it, and before that was written down."""
    await channel(db, ada, ChannelKind.WEBHOOK, config(), url=at.url)
    await tell(db, ada)
    await work_off(db)
    async with db.transaction() as tx:
        await tx._connection.execute("update deliveries set status = 'SENDING', sent_at = null")
        await tx._connection.execute(
            "update jobs set status = 'queued', finished_at = null where kind = 'delivery:send'"
        )
    await work_off(db)
    first, second = at.got
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert (await only_delivery(db))["status"] == "SENT"


async def test_what_was_sent_or_is_unwanted_is_not_sent(
    db: Database, ada: Person, at: Service
) -> None:
    id_, _ = await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    await tell(db, ada)
    await work_off(db)
    sent = await only_delivery(db)
    assert (sent["status"], len(at.got)) == ("SENT", 1)
    assert await delivery.Sender(config()).begin(db, ada.id, sent["id"]) is None
    at.got.clear()
    await tell(db, ada, dataclasses.replace(NOTICE, key="another"))
    async with db.transaction() as tx:
        await delivery.change_channel(
            tx, config(), ada.id, delivery.ChannelId(id_), {"enabled": False}
        )
    await work_off(db)
    assert at.got == []


async def test_a_channel_gets_only_the_kinds_it_is_for(
    db: Database, ada: Person, at: Service
) -> None:
    id_, _ = await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    async with db.transaction() as tx:
        await delivery.change_channel(
            tx, config(), ada.id, delivery.ChannelId(id_), {"kinds": ["usage"]}
        )
    await tell(db, ada)
    await tell(db, ada, NewNotice(kind=NoticeKind.USAGE, key="usage:1", title="80 %"))
    await work_off(db)
    assert [got.json["title"] for got in at.got] == ["80 %"]


async def test_a_notice_with_the_same_key_is_told_once(
    db: Database, ada: Person, at: Service
) -> None:
    await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    first = await tell(db, ada)
    await work_off(db)
    assert first is not None
    assert await tell(db, ada) is None
    await work_off(db)
    assert len(at.got) == 1


async def test_quiet_hours_hold_channels_back_and_not_the_inbox(
    db: Database, ada: Person, at: Service
) -> None:
    now = datetime.now(UTC)
    quiet = {
        "timezone": "UTC",
        "quiet_from": now.replace(minute=0, second=0, microsecond=0).time(),
        "quiet_until": now.replace(
            hour=(now.hour + 2) % 24, minute=0, second=0, microsecond=0
        ).time(),
    }
    async with db.transaction() as tx:
        await change_preferences(tx, UserId(ada.id), quiet)
    id_, _ = await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    await tell(db, ada)
    async with browser_of(db, ada, config()) as browser:
        assert (await browser.get("/v1/notices")).json()["unread"] == 1
        await work_off(db)
        await pass_time(db, 7200)  # due, but by the clock it is still quiet: a late run
        await work_off(db)
        assert at.got == []
        testing = asyncio.create_task(browser.post(f"/v1/channels/{id_}/test"))
        while not testing.done():  # a test comes at once
            await work_off(db)
            await asyncio.sleep(0.05)
        assert (await testing).json() == {"status": "SENT", "detail": None, "reason": None}
    assert [got.json["title"] for got in at.got] == ["A test from MindHit"]
    async with db.transaction() as tx:
        await change_preferences(tx, UserId(ada.id), {"quiet_from": None, "quiet_until": None})
    await pass_time(db, 7200)
    await work_off(db)
    assert len(at.got) == 2


async def test_a_test_says_what_is_wrong_at_once(db: Database, ada: Person, at: Service) -> None:
    """Also over a channel that is off."""
    at.status = 403
    id_, _ = await channel(db, ada, ChannelKind.NTFY, config(), server=at.url, topic="ada")
    async with browser_of(db, ada, config()) as browser:
        off = await browser.patch(f"/v1/channels/{id_}", json={"enabled": False})
        assert off.json()["enabled"] is False
        testing = asyncio.create_task(browser.post(f"/v1/channels/{id_}/test"))
        while not testing.done():
            await work_off(db)
            await asyncio.sleep(0.05)
        reason = {"code": "answered", "service": "ntfy", "status": 403, "detail": None}
        said = {"status": "DEAD", "detail": "ntfy answered 403.", "reason": reason}
        assert (await testing).json() == said
        [shown] = (await browser.get("/v1/channels")).json()["items"]
        assert (shown["last_error"], shown["last_error_reason"]) == ("ntfy answered 403.", reason)
        assert (await browser.get("/v1/notices")).json()["unread"] == 0


async def test_apprise_may_not_connect_to_a_host_of_somebodys_choice(
    db: Database, ada: Person, at: Service
) -> None:
    """Unless the operator allows it, and then it does."""
    url = at.url.replace("http://", "json://")
    await channel(db, ada, ChannelKind.APPRISE, config(), url=url)
    await tell(db, ada)
    await work_off(db)
    assert at.got == []
    assert (await only_delivery(db))["status"] == "DEAD"
    await tell(db, ada, NewNotice(kind=NoticeKind.PRICE, key="2", title="Second", body="b"))
    await work_off(db, config(apprise_schemes=("json",)))
    [got] = at.got
    assert got.json["title"] == "Second"


async def test_after_a_crash_apprise_counts_as_sent(db: Database, ada: Person, at: Service) -> None:
    """Nothing would recognise a repeat."""
    url = at.url.replace("http://", "json://")
    await channel(db, ada, ChannelKind.APPRISE, config(), url=url)
    await tell(db, ada)
    async with db.transaction() as tx:
        await tx._connection.execute("update deliveries set status = 'SENDING'")
    await work_off(db, config(apprise_schemes=("json",)))
    assert at.got == []
    assert (await only_delivery(db))["status"] == "SENT"


async def test_what_somebody_reads_is_in_no_job_and_no_log(
    db: Database, ada: Person, at: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    from mindhit import log

    log.configure("json", "debug")
    await add_owner(db)
    at.status, at.answer = 500, "canary"
    canary = NewNotice(
        kind=NoticeKind.REMINDER,
        key="canary",
        title="canary",
        body="canary",
        url=f"{at.url}/canary",
    )
    await channel(db, ada, ChannelKind.NTFY, config(), server=f"{at.url}/canary", topic="canary")
    await channel(db, ada, ChannelKind.WEBHOOK, config(), url=f"{at.url}/canary")
    await channel(db, ada, ChannelKind.APPRISE, config(), url="json://canary.example/canary")
    await tell(db, ada, canary)
    await work_off(db)
    said = capfd.readouterr()
    jobs = await rows(db, "select args::text, last_error, key from jobs")
    assert len(at.got) == 2
    assert len(jobs) == 3
    assert "canary" not in (str(jobs) + said.out + said.err)


async def test_a_private_address_is_never_connected_to(db: Database, ada: Person) -> None:
    """A name that leads to this machine, refused where the socket would be made."""
    from mindhit.delivery.senders.http import Poster

    with pytest.raises(delivery.DeliveryRefused, match="private network"):
        await Poster(frozenset()).post(
            ServiceName.NTFY, "https://localhost:8443/", body=b"", headers={}
        )
    with pytest.raises(delivery.DeliveryRefused, match="may not be used"):
        await Poster(frozenset()).post(ServiceName.NTFY, "https://127.0.0.1/", body=b"", headers={})
