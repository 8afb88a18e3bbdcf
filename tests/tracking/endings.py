"""A log with something of everything, and what its timeline is in the end."""

from __future__ import annotations

from uuid import UUID

from mindhit import tracking
from mindhit.db import Database
from mindhit.tracking import SessionId
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    event,
    nav,
    session_row,
    timeline,
    work_off,
)

A, B, C = (f"https://example.org/{name}" for name in "abc")
# A log with something of everything, in which seq 4 to 6 are easily lost.
LOG = [
    activate(1, 0, A),
    nav(2, 1_000, B, title="B"),
    event(3, "HIGHLIGHT", 1_500, tabId=1, url=B, payload={"text": "marked"}),
    nav(4, 2_000, C),
    event(5, "WINDOW_FOCUS_CHANGED", 2_500, windowId=-1),
    event(6, "WINDOW_FOCUS_CHANGED", 2_600, windowId=1),
    nav(7, 3_000, A),
    event(8, "HIGHLIGHT", 3_100, tabId=1, url=A, payload={"text": "marked"}),
    event(9, "IDLE_STATE_CHANGED", 9_000, payload={"state": "idle", "thresholdMs": 1_000}),
    event(10, "IDLE_STATE_CHANGED", 10_000, payload={"state": "active"}),
]
END = 11_000


async def whole(ada: Recorder, log: list[Json] = LOG, end: int = END) -> dict[str, list[Json]]:
    """The timeline of one batch and a stop."""
    session = await ada.start(started_at=START)
    await ada.send(session, *log)
    await ada.stop(session, end, log[-1]["seq"])
    await work_off(ada.db)
    return await timeline(ada.db, session)


async def status(db: Database, session: str) -> str:
    found: str = (await session_row(db, session))["status"]
    return found


async def refold(ada: Recorder, session: str) -> None:
    async with ada.db.transaction() as tx:
        await tracking.refold(tx, ada.person.id, SessionId(UUID(session)))
