"""Somebody who watches shops."""

from __future__ import annotations

import pytest

from mindhit import wiring
from mindhit.accounts import Person
from mindhit.db import Database
from tests.accounts.kit import add
from tests.crawl.kit import config


@pytest.fixture
async def ada(db: Database) -> Person:
    wiring.install(wiring.product(config()))
    return await add(db)
