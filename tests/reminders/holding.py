"""A person who wants one message, and reminders that her quiet hours held back."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from mindhit import reminders
from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from tests.accounts.kit import add


@pytest.fixture
async def ada(db: Database) -> Person:
    """Her quiet hours ended at the last full hour."""
    person = await add(db)
    await end_quiet(db, person)
    async with db.transaction() as tx:
        await reminders.change_preferences(tx, person.id, {"digest": True})
    return person


async def end_quiet(db: Database, person: Person) -> None:
    """It is the hour in which quiet hours end; what they held back is due."""
    now = datetime.now(UTC)
    hours = {"quiet_from": time((now.hour + 12) % 24), "quiet_until": time(now.hour)}
    async with db.transaction() as tx:
        await change_preferences(tx, person.id, {**hours, "timezone": "UTC"})
        await tx._connection.execute(
            "update alarms set next_alarm_time = $1 where not is_chosen",
            now.replace(minute=0, second=0, microsecond=0),
        )


async def fall_quiet(db: Database, person: Person) -> time:
    """It is quiet from this hour on; until when."""
    now = datetime.now(UTC)
    until = time((now + timedelta(hours=3)).hour)
    hours = {"timezone": "UTC", "quiet_from": time(now.hour), "quiet_until": until}
    async with db.transaction() as tx:
        await change_preferences(tx, person.id, hours)
    return until


async def ask(db: Database, person: Person, *numbers: int) -> None:
    """Reminders that are due now, and whose time nobody chose."""
    async with db.transaction() as tx:
        for number in numbers:
            address, title = f"https://pages.example/{number}", f"Page {number}"
            await reminders.remind(tx, person.id, address, title=title, now=datetime.now(UTC))
        await tx._connection.execute("update alarms set is_chosen = false")


async def hold(db: Database, person: Person, count: int) -> None:
    """Reminders that quiet hours held to their end."""
    await ask(db, person, *range(count))
    await end_quiet(db, person)
