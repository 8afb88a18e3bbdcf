"""Histories with canaries in them, and looking for what is left of those."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from mindhit.db import Database
from mindhit.tracking.demo.icons import icon_of
from mindhit.tracking.model import SessionId
from mindhit.tracking.timeline.refolding import refold
from tests.accounts.kit import browser_of, export, run_jobs, snapshot, traces
from tests.tracking.kit import (
    START,
    Json,
    Recorder,
    activate,
    alive,
    event,
    fetch,
    nav,
    session_row,
    timeline,
)

SITE = "secret-canary.example"
CANARY = "canary"
PAGE = f"https://shop.{SITE}/canary?q=canary-search"
OTHER = "https://example.org/kept"
MINUTE = 60_000
DAY = "2025-06-16"  # in Seoul, where everybody lives who did not say otherwise


def text(of: str, **more: Any) -> Json:
    return {"content": f"{of} text", "extractionOk": True, "title": f"{of} title", **more}


def history(first: int = 1, at: int = 0) -> list[Json]:
    """A kept page, from there the secret one in every way a page can be met, and a kept one after it."""
    seq = iter(range(first, first + 100))
    icon = {"favicon": icon_of(CANARY), "description": CANARY, "canonical": PAGE}
    return [
        event(next(seq), "WINDOW_FOCUS_CHANGED", at, windowId=1, payload={"focused": True}),
        activate(next(seq), at, None),
        nav(next(seq), at + 1_000, OTHER, transition="typed", **text("kept")),
        # A redirect that leads there, a text, a highlight, a second title.
        nav(next(seq), at + 60_000, f"https://t.example/canary-{first}", transition="link"),
        nav(next(seq), at + 60_100, PAGE, redirect=True, **text(CANARY, meta=icon)),
        event(next(seq), "HIGHLIGHT", at + 70_000, tabId=1, url=PAGE, payload={"text": CANARY}),
        nav(next(seq), at + 80_000, PAGE, title="canary again"),
        # Another program, and back: these events name no page.
        event(next(seq), "WINDOW_FOCUS_CHANGED", at + 90_000, windowId=-1),
        event(
            next(seq), "WINDOW_FOCUS_CHANGED", at + 95_000, windowId=1, payload={"focused": True}
        ),
        # Opened from it, in a tab of its own, and in the same tab.
        nav(next(seq), at + 100_000, f"{OTHER}/opened", tab=2, openerTabId=1, transition="link"),
        nav(next(seq), at + 110_000, f"{OTHER}/after", transition="link", title="kept too"),
        # It is read in the background, without ever being shown.
        nav(
            next(seq), at + 115_000, f"https://{SITE}/background-canary", tab=3, **text("canary 3")
        ),
        alive(next(seq), at + 120_000),
    ]


async def record(who: Recorder, *, stop: bool = True) -> str:
    session = await who.start(started_at=START)
    events = history()
    await who.send(session, *events)
    if stop:
        await who.stop(session, 121_000, len(events))
        await run_jobs(who.db)
    return session


async def forget(who: Recorder, **what: Any) -> Json:
    """As the person at a browser."""
    async with browser_of(who.db, who.person) as browser:
        answer = await browser.post("/v1/forget", json=what)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def words_left(db: Database, *words: str) -> dict[str, list[str]]:
    """Rows that mention a word, also in bytes and inside of encoded icons."""
    found = await traces(db, *words)
    for table, rows in (await snapshot(db)).items():
        for row in rows:
            for hexed in re.findall(r"\\x([0-9a-f]+)", row):
                if any(word.encode() in bytes.fromhex(hexed).lower() for word in words):
                    found.setdefault(table, []).append(row)
            if icon_of(CANARY) in row:
                found.setdefault(table, []).append(row)
    return found


async def exported(who: Recorder) -> dict[str, bytes]:
    """Every file of the person's export."""
    async with browser_of(who.db, who.person) as browser:
        content = await export(who.db, browser)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


async def rendered(who: Recorder, session: str) -> list[str]:
    """A session in every form it can be read in."""
    async with browser_of(who.db, who.person) as browser:
        paths = [f"/v1/sessions/{session}"]
        paths += [f"/v1/sessions/{session}/export?format={each}" for each in ("md", "csv", "json")]
        return [(await browser.get(path)).text for path in paths]


async def log_of(db: Database, session: str) -> list[Json]:
    return await fetch(
        db,
        "select seq, t, type, tab_id, window_id, url_id, payload from raw_events"
        " where session_id = $1::text::uuid order by seq",
        session,
    )


def moment(at: int) -> str:
    return datetime.fromtimestamp((START + at) / 1000, UTC).isoformat()


async def assert_gone(who: Recorder, session: str) -> None:
    assert await words_left(who.db, CANARY) == {}
    for body in await rendered(who, session):
        assert CANARY not in body.lower()
    for name, file in (await exported(who)).items():
        assert CANARY.encode() not in file.lower(), name


async def assert_folds_alike(who: Recorder, session: str) -> None:
    """A fold from nothing gives what is stored."""
    before = await _folded(who.db, session)
    async with who.db.transaction() as tx:
        await refold(tx, who.person.id, SessionId(UUID(session)))
    assert await _folded(who.db, session) == before


async def _folded(db: Database, session: str) -> dict[str, list[Json]]:
    found = await timeline(db, session)
    if (await session_row(db, session))["closed_at"] is None:
        del found["totals"][0]["top_domains"]  # they are counted when it is closed
    return found
