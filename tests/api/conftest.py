"""The application on a real database, called in process over ASGI."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from mindhit import log, wiring
from mindhit.accounts import Scope
from mindhit.db import Database
from mindhit.settings import Settings
from tests.accounts.kit import add_owner, app_of, token_of

ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.fixture(autouse=True)
def _json_logs() -> None:
    log.configure("json")


@pytest.fixture
def settings() -> Settings:
    return wiring.make_settings(rate_limit=0, body_limit=64 * 1024, extension_origins=(ORIGIN,))


@pytest.fixture
async def client(db: Database, settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """A program of the owner's."""
    token = await token_of(db, await add_owner(db), Scope.ADMIN)
    async with client_of(settings, db, Authorization=f"Bearer {token}") as client:
        yield client


def client_of(settings: Settings, db: Database, **headers: str) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app_of(db, settings), raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url="http://mindhit.test", headers=headers)
