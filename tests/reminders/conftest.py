"""A person without quiet hours, her browser, and a service that gets notices."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from tests.accounts.kit import add, browser_of
from tests.delivery.kit import Service, config, service


@pytest.fixture
async def at() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@pytest.fixture
async def ada(db: Database) -> Person:
    person = await add(db)
    async with db.transaction() as tx:
        await change_preferences(
            tx, person.id, {"quiet_from": None, "quiet_until": None, "timezone": "Europe/Berlin"}
        )
    return person


@pytest.fixture
async def browser(db: Database, ada: Person) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser_of(db, ada, config()) as made:
        yield made
