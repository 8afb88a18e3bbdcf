"""Which channels get a notice, and how often; what fails is tried again, or not, and shown."""

from __future__ import annotations

import asyncio
import dataclasses
from datetime import UTC, datetime

import pytest

from mindhit import delivery
from mindhit.accounts import Person, UserId, change_preferences
from mindhit.db import Database
from mindhit.delivery import ChannelKind, NewNotice, NoticeKind, ServiceName
from mindhit.work.testing import pass_time
from tests.accounts.kit import add_owner, browser_of, rows
from tests.delivery.kit import Service, config, service
from tests.delivery.telling import NOTICE, channel, only_delivery, tell, work_off


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
    assert [got.json["title"] for got in at.got] == ["Test notification from MindHit"]
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
