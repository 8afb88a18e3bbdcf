"""Somebody who watches shops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from mindhit import wiring
from mindhit.accounts import Person
from mindhit.crawl.sites import reading
from mindhit.db import Database
from tests.accounts.kit import add
from tests.crawl.kit import config


@dataclass(frozen=True, slots=True)
class Kept(reading.Reader):
    async def close(self) -> None:
        """Whoever comes next uses its processes, which take a second to start."""


@pytest.fixture
async def _one_reader(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Of all workers of a test, one after the other."""
    reader = reading.make_reader()
    monkeypatch.setattr(reading, "make_reader", lambda: Kept(reader.pool))
    yield
    await reader.close()


@pytest.fixture
async def ada(db: Database, _one_reader: None) -> Person:
    wiring.install(wiring.product(config()))
    return await add(db)
