"""Reminders in tests: running what is due, and letting time pass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2

from mindhit import delivery, reminders, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.delivery import ChannelKind
from mindhit.settings import Settings
from mindhit.slices import Jobs
from mindhit.work.job_types import Registry
from mindhit.work.running.executor import Executor
from mindhit.work.testing import claim, drain, pass_time
from tests.accounts.kit import rows
from tests.delivery.kit import Service, config

PAGE = "https://lighthouses.example/north-sea"
# Whoever waits for another transaction.
WAITING = """
select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"""


async def ntfy(db: Database, person: Person, url: str) -> None:
    async with db.transaction() as tx:
        await delivery.add_channel(
            tx,
            config(),
            person.id,
            ChannelKind.NTFY,
            name="n",
            config={"server": url, "topic": "t"},
        )


async def run(db: Database, settings: Settings | None = None) -> reminders.Run:
    """What the tick does, and what comes of it."""
    settings = settings or config()
    wiring.install(wiring.product(settings))
    await reminders.recover(db)
    done = await reminders.run(db, fetch_limit=100, concurrency=10, now=datetime.now(UTC))
    await drain(db, wiring.product(settings).jobs)
    return done


async def alarm(db: Database) -> dict[str, Any]:
    [found] = await rows(db, "select * from alarms")
    return dict(found)


async def later(db: Database, **by: float) -> None:
    """The alarm's times move into the past, and so do jobs."""
    async with db.transaction() as tx:
        await tx._connection.execute(
            "update alarms set next_alarm_time = next_alarm_time - $1::interval,"
            " processed_at = processed_at - $1::interval",
            timedelta(**by),
        )
    await pass_time(db, timedelta(**by).total_seconds())


async def not_delivered(
    db: Database, person: Person, browser: httpx2.AsyncClient, at: Service, status: int
) -> str:
    """A reminder that the person's only channel answers with this status; its path."""
    at.status = status
    await ntfy(db, person, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await run(db)
    return f"/v1/reminders/{made['page_id']}"


async def only_channel(browser: httpx2.AsyncClient) -> str:
    """Its path."""
    [channel] = (await browser.get("/v1/channels")).json()["items"]
    return f"/v1/channels/{channel['id']}"


async def send_as_batch(db: Database, jobs: Jobs) -> None:
    """All that was taken, by one call of the handler, as workers do; `drain` runs jobs one by one."""
    claims = await claim(db, 100, kinds=["reminders:send"])
    registry = Registry(jobs)
    await Executor(db, registry).run_batch(claims)
    await registry.close()
