"""Readers of what was recorded: a browser in which the person of a recorder is signed in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2

from mindhit.db import Database
from tests.accounts.kit import browser_of
from tests.tracking.kit import START, Json, Recorder, json_of, recorder, subscribe_nobody


@dataclass(slots=True)
class Reader:
    """Somebody who records and reads."""

    records: Recorder
    browser: httpx2.AsyncClient

    async def get(self, path: str, **query: Any) -> Json:
        answer = await self.browser.get(f"/v1{path}", params=query)
        assert answer.status_code == 200, answer.text
        return json_of(answer)

    async def show(self, session: str) -> Json:
        return await self.get(f"/sessions/{session}")

    async def titles(self, **query: Any) -> list[str | None]:
        """Titles of the sessions that a list has."""
        return [each["title"] for each in (await self.get("/sessions", **query))["sessions"]]

    async def record(self, title: str | None, *events: Json, at: int = 0) -> str:
        """A session from its start to its stop, `at` milliseconds after START."""
        more = {} if title is None else {"title": title}
        session = await self.records.start(started_at=START + at, **more)
        last = 0
        if events:
            answer = await self.records.send(session, *events)
            assert answer["rejected"] == []
            last = max(int(each["t"]) for each in events) - START
        await self.records.stop(session, last + 1_000, len(events))
        return session


@asynccontextmanager
async def reader(db: Database, email: str = "ada@example.org") -> AsyncIterator[Reader]:
    async with recorder(db, email) as records, browser_of(db, records.person) as browser:
        subscribe_nobody()
        yield Reader(records, browser)


def iso(at: int) -> str:
    """`at` milliseconds after START, as an answer writes it."""
    moment = datetime.fromtimestamp((START + at) / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{(START + at) % 1000:03}Z"
