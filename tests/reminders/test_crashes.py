"""Workers that are killed while they send a reminder: it is told once, whenever they die."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import UTC, datetime

import pytest

from mindhit import delivery, reminders, wiring
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from mindhit.delivery import ChannelKind
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, rows
from tests.delivery.kit import config, service
from tests.reminders.crash_worker import POINTS
from tests.reminders.holding import end_quiet
from tests.work.kit import rescue

pytestmark = pytest.mark.slow
PATIENCE_S = 60
# What deliveries say after the crash.
LEFT: dict[str, set[str]] = {
    "claimed": set(),
    "recorded": {"PENDING"},
    "sent": {"SENDING"},
    "settled": {"SENT"},
}


@pytest.mark.parametrize("point", POINTS)
async def test_a_worker_killed_while_it_sends_leads_to_one_notification(
    db: Database, database_url: str, point: str
) -> None:
    ada = await add(db)
    is_digest = point.startswith("digest")
    count = 3 if is_digest else 1
    is_sent = point.endswith(("sent", "settled"))
    async with service() as ntfy:
        async with db.transaction() as tx:
            await change_preferences(tx, ada.id, {"quiet_from": None, "quiet_until": None})
            await delivery.add_channel(
                tx,
                config(),
                ada.id,
                ChannelKind.NTFY,
                name="n",
                config={"server": ntfy.url, "topic": "t"},
            )
            now = datetime.now(UTC)
            for number in range(count):
                address = f"https://a.example/{number}"
                await reminders.remind(tx, ada.id, address, title="A", now=now)
        if is_digest:
            await hold_back(db, ada)
        wiring.install(wiring.product(config()))
        await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.reminders.crash_worker", database_url, point
        )
        async with asyncio.timeout(PATIENCE_S):
            assert await worker.wait() == -signal.SIGKILL
        assert len(ntfy.got) == (1 if is_sent else 0)
        alarms = await rows(db, "select sent_count, processed_at from alarms")
        assert [alarm["sent_count"] for alarm in alarms] == [1] * count
        assert all(alarm["processed_at"] is not None for alarm in alarms)
        left = {row["status"] for row in await rows(db, "select status from deliveries")}
        assert left == LEFT[point.removeprefix("digest-")]
        assert (
            await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
        ).claimed == 0
        await pass_time(db, 120)  # its lease is over
        assert await rescue(db) >= 1
        await pass_time(db, 3600)
        await drain(db, wiring.product(config()).jobs)
        # A repeat has the id of the first, by which ntfy replaces it: one is seen.
        assert len({got.json["sequence_id"] for got in ntfy.got}) == 1
        assert len(ntfy.got) == (2 if point.endswith("sent") else 1)
    alarms = await rows(db, "select sent_count, processed_at, status from alarms")
    settled = {"sent_count": 2, "processed_at": None, "status": "active"}
    assert [dict(alarm) for alarm in alarms] == [settled] * count
    assert len(await rows(db, "select from notices")) == count
    assert {row["status"] for row in await rows(db, "select status from deliveries")} == {"SENT"}


async def hold_back(db: Database, person: Person) -> None:
    """She wants one message of what her quiet hours held back."""
    async with db.transaction() as tx:
        await reminders.change_preferences(tx, person.id, {"digest": True})
        await tx._connection.execute("update alarms set is_chosen = false")
    await end_quiet(db, person)
