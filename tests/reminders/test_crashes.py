"""Workers that are killed while they send a reminder: it is told once, whenever they die."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import UTC, datetime

import pytest

from mindhit import delivery, reminders, wiring
from mindhit.accounts import change_preferences
from mindhit.db import Database
from mindhit.delivery import ChannelKind
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import add, rows
from tests.delivery.kit import config, service
from tests.reminders.crash_worker import POINTS
from tests.work.kit import rescue

pytestmark = pytest.mark.slow
PATIENCE_S = 60


@pytest.mark.parametrize("point", POINTS)
async def test_a_worker_killed_while_it_sends_leads_to_one_notification(
    db: Database, database_url: str, point: str
) -> None:
    ada = await add(db)
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
            await reminders.remind(tx, ada.id, "https://a.example/", title="A", now=now)
        wiring.install(wiring.product(config()))
        await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.reminders.crash_worker", database_url, point
        )
        async with asyncio.timeout(PATIENCE_S):
            assert await worker.wait() == -signal.SIGKILL
        assert len(ntfy.got) == (1 if point in {"sent", "settled"} else 0)
        [alarm] = await rows(db, "select sent_count, processed_at from alarms")
        assert alarm["sent_count"] == 1
        assert alarm["processed_at"] is not None
        assert (
            await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
        ).claimed == 0
        await pass_time(db, 120)  # its lease is over
        assert await rescue(db) >= 1
        await pass_time(db, 3600)
        await drain(db, wiring.product(config()).jobs)
        # A repeat has the id of the first, by which ntfy replaces it: one is seen.
        assert len({got.json["sequence_id"] for got in ntfy.got}) == 1
        assert len(ntfy.got) == (2 if point == "sent" else 1)
    [alarm] = await rows(db, "select sent_count, processed_at, status from alarms")
    assert dict(alarm) == {"sent_count": 2, "processed_at": None, "status": "active"}
    assert len(await rows(db, "select from notices")) == 1
    [sent] = await rows(db, "select status from deliveries")
    assert sent["status"] == "SENT"
