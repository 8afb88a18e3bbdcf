"""What could not be sent by day is not sent at night, unless its person chose the time."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx2
import pytest

from mindhit import reminders, wiring
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import rows
from tests.delivery.kit import Service, config, service
from tests.reminders.holding import fall_quiet
from tests.reminders.kit import PAGE, alarm, ntfy, run


async def ask(db: Database, browser: httpx2.AsyncClient, *, is_chosen: bool) -> None:
    await browser.post("/v1/reminders", json={"url": PAGE})
    async with db.transaction() as tx:
        await tx._connection.execute("update alarms set is_chosen = $1", is_chosen)


async def work_off(db: Database) -> None:
    await pass_time(db, 120)
    await drain(db, wiring.product(config()).jobs)


@pytest.mark.parametrize("is_chosen", [False, True])
async def test_a_reminder_that_is_tried_again_in_quiet_hours_waits_for_their_end(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, is_chosen: bool
) -> None:
    at.status = 503
    await ntfy(db, ada, at.url)
    await ask(db, browser, is_chosen=is_chosen)
    await run(db)
    until = await fall_quiet(db, ada)
    at.status = 200
    await work_off(db)
    found = await alarm(db)
    assert found["processed_at"] is None
    if is_chosen:
        assert (len(at.got), found["sent_count"]) == (2, 2)
        return
    assert (len(at.got), found["sent_count"], found["status"]) == (1, 1, "active")
    assert found["next_alarm_time"].time() == until
    async with db.transaction() as tx:  # the next morning
        await change_preferences(tx, ada.id, {"quiet_from": None, "quiet_until": None})
        await tx._connection.execute("update alarms set next_alarm_time = now()")
    assert (await run(db)).claimed == 1
    assert (len(at.got), (await alarm(db))["sent_count"]) == (2, 2)


async def test_what_a_channel_has_already_is_settled_whatever_the_hour(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    """The process died before it could."""
    await ntfy(db, ada, at.url)
    await ask(db, browser, is_chosen=False)
    await run(db)
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set sent_count = 1, processed_at = now(), next_alarm_time = now()"
        )
        await tx._connection.execute(
            "update jobs set status = 'queued', finished_at = null where kind = 'reminders:send'"
        )
    await fall_quiet(db, ada)
    await work_off(db)
    assert (len(at.got), (await alarm(db))["sent_count"]) == (1, 2)


@pytest.mark.parametrize("is_chosen", [False, True])
async def test_another_channel_of_a_reminder_keeps_quiet_too(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, is_chosen: bool
) -> None:
    async with service() as late:
        late.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, late.url)
        await ask(db, browser, is_chosen=is_chosen)
        await run(db)
        await fall_quiet(db, ada)
        late.status = 200
        await work_off(db)
        assert (len(at.got), len(late.got)) == (1, 2 if is_chosen else 1)
    [waiting] = await rows(db, "select status from jobs where kind = 'delivery:send'")
    assert waiting["status"] == ("succeeded" if is_chosen else "queued")


@pytest.mark.parametrize("is_chosen", [False, True])
async def test_in_the_app_too_what_waited_until_it_was_quiet_waits_for_the_end(
    db: Database, ada: Person, browser: httpx2.AsyncClient, is_chosen: bool
) -> None:
    """Browsers show a reminder that comes in quiet hours: its person chose the time."""
    await ask(db, browser, is_chosen=is_chosen)
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    until = await fall_quiet(db, ada)
    await work_off(db)
    found = await alarm(db)
    assert found["processed_at"] is None
    assert found["sent_count"] == (2 if is_chosen else 1)
    assert len(await rows(db, "select from notices")) == is_chosen
    if not is_chosen:
        assert found["next_alarm_time"].time() == until
