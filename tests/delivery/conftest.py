"""A person without quiet hours, and a service that gets notices."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from mindhit.accounts import Person, change_preferences
from mindhit.db import Database
from tests.accounts.kit import add
from tests.delivery.kit import Service, service


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
