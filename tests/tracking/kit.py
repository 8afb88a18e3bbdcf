"""Readers who record: sessions over HTTP, and what the database has of them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

import httpx2

from mindhit import work
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.tracking.job_types import Sweep, Tidy
from mindhit.tracking.protocol import Event, EventType
from mindhit.work import Wires, enqueue
from mindhit.work.testing import pass_time
from tests.accounts.kit import add, client_of, product, run_jobs, token_of
from tests.tracking import traces
from tests.tracking.traces import CONTENTS, PAGES

START = 1_750_000_000_000  # ms, in June 2025; later events lie after it
Json = dict[str, Any]

VISITS = """
select v.opened_by_seq, v.visit_order, u.url, v.title, v.tab_id, v.is_focused, v.duration_ms,
       (extract(epoch from v.entered_at) * 1000)::int8 as entered,
       (extract(epoch from v.left_at) * 1000)::int8 as left,
       v.content_id::text, v.transition, f.url as came_from, v.address
  from page_visits v join urls u on u.id = v.url_id left join urls f on f.id = v.from_url_id
 where v.session_id = $1 order by v.visit_order"""
PAUSES = """
select kind, (extract(epoch from entered_at) * 1000)::int8 as entered,
       (extract(epoch from left_at) * 1000)::int8 as left
  from session_pauses where session_id = $1 order by entered_at"""


def event(seq: int, type_: str, at: int = 0, **more: Any) -> Json:
    """One event, `at` milliseconds after START. Keys as on the wire; `payload` and `url` too."""
    return {"seq": seq, "t": START + at, "type": type_, **more}


def nav(seq: int, at: int, url: str | None, tab: int = 1, **payload: Any) -> Json:
    more = {} if url is None else {"url": url}
    return event(seq, "NAV_COMMITTED", at, tabId=tab, windowId=1, payload=payload, **more)


def activate(seq: int, at: int, url: str | None, tab: int = 1, **payload: Any) -> Json:
    more: Json = {} if url is None else {"url": url}
    if payload:
        more["payload"] = payload
    return event(seq, "TAB_ACTIVATED", at, tabId=tab, windowId=1, **more)


def alive(seq: int, at: int) -> Json:
    return event(seq, "ALIVE", at)


def json_of(answer: httpx2.Response) -> Json:
    found: Json = answer.json()
    return found


@dataclass(slots=True)
class Recorder:
    """One reader's extension, as far as the server sees it."""

    db: Database
    person: Person
    client: httpx2.AsyncClient

    async def start(self, session_id: str | None = None, **more: Any) -> str:
        wanted = session_id or str(uuid.uuid4())
        body = {"session_id": wanted, **more}
        answer = await self.client.post("/v1/sessions/start", json=body)
        assert answer.status_code == 201, answer.text
        started: str = answer.json()["session_id"]
        return started

    async def post(self, session_id: str, events: Iterable[Json]) -> httpx2.Response:
        path = f"/v1/sessions/{session_id}/events:batch"
        return await self.client.post(path, json={"events": list(events)})

    async def send(self, session_id: str, *events: Json) -> Json:
        answer = await self.post(session_id, events)
        assert answer.status_code == 200, answer.text
        return json_of(answer)

    async def stop(self, session_id: str, at: int, last_seq: int | None = None) -> Json:
        body = {"ended_at": START + at, "last_seq": last_seq}
        answer = await self.client.post(f"/v1/sessions/{session_id}/stop", json=body)
        assert answer.status_code == 202, answer.text
        return json_of(answer)


def subscribe_nobody() -> None:
    """Nobody makes anything of sessions here: closing one completes it. For after clients are made:
    they load the whole wiring."""
    work.install(Wires(events=product().events))


@asynccontextmanager
async def recorder(
    db: Database, email: str = "ada@example.org", config: Settings | None = None
) -> AsyncIterator[Recorder]:
    person = await add(db, email)
    token = await token_of(db, person, Scope.EXTENSION)
    async with client_of(db, config, Authorization=f"Bearer {token}") as client:
        subscribe_nobody()
        yield Recorder(db, person, client)


async def raw(who: Recorder, session: str, body: bytes, **headers: str) -> httpx2.Response:
    """A body as it is."""
    path = f"/v1/sessions/{session}/events:batch"
    return await who.client.post(path, content=body, headers=headers)


async def fetch(db: Database, sql: str, *values: object) -> list[Json]:
    async with db.read() as tx:
        return [dict(row) for row in await tx._connection.fetch(sql, *values)]


async def visits(db: Database, session_id: str) -> list[Json]:
    return await fetch(db, VISITS, uuid.UUID(session_id))


async def pauses(db: Database, session_id: str) -> list[Json]:
    return await fetch(db, PAUSES, uuid.UUID(session_id))


async def session_row(db: Database, session_id: str) -> Json:
    [row] = await fetch(db, "select * from sessions where id = $1", uuid.UUID(session_id))
    return row


# All that a session's delivery may not change. Ids of visits and highlights hold the session's own.
TIMELINE = {
    "visits": """
select opened_by_seq, visit_order, url_id, tab_id, entered_at, left_at, duration_ms, is_focused,
       title, content_id, transition, from_url_id, address
  from page_visits where session_id = $1 order by visit_order, opened_by_seq""",
    "pauses": """
select kind, entered_at, left_at from session_pauses where session_id = $1 order by entered_at""",
    "highlights": """
select seq, url_id, visit_seq, text, created_at from highlights where session_id = $1 order by seq""",
    "totals": """
select page_count, total_duration_ms, event_count, highlight_count, top_domains, last_event_at,
       next_seq, max_seq, parked, holes, is_stale
  from sessions where id = $1""",
}


async def timeline(db: Database, session_id: str) -> dict[str, list[Json]]:
    found = {}
    for name, sql in TIMELINE.items():
        found[name] = await fetch(db, sql, uuid.UUID(session_id))
    return found


async def rows_of(db: Database, table: str, columns: str = "*") -> list[str]:
    """Every row of a table to the last bit, in an order of its own."""
    found = await fetch(db, f"select t::text as row from (select {columns} from {table}) t")
    return sorted(each["row"] for each in found)


async def stored_seqs(db: Database, session_id: str) -> list[int]:
    sql = "select seq from raw_events where session_id = $1 order by seq"
    return [row["seq"] for row in await fetch(db, sql, uuid.UUID(session_id))]


async def execute(db: Database, sql: str, *values: object) -> None:
    async with db.transaction() as tx:
        await tx._connection.execute(sql, *values)


async def let_pass(db: Database, session_id: str, **units: float) -> None:
    """Moving what the server's clock said into the past is the same as the clock moving on."""
    await execute(
        db,
        """
update sessions
   set heard_at = heard_at - make_interval(secs => $2),
       stopped_at = stopped_at - make_interval(secs => $2),
       closed_at = closed_at - make_interval(secs => $2),
       hole_since = hole_since - make_interval(secs => $2),
       parked = coalesce((select jsonb_agg(jsonb_set(p, '{2}', to_jsonb((p->>2)::float8 - $2)))
                            from jsonb_array_elements(parked) p), '[]')
 where id = $1""",
        uuid.UUID(session_id),
        timedelta(**units).total_seconds(),
    )


async def work_off(db: Database, config: Settings | None = None) -> int:
    """Do all that is queued, now or for later."""
    await pass_time(db, 3_600)
    return await run_jobs(db, config)


async def sweep(db: Database) -> None:
    """What is done every minute."""
    async with db.transaction() as tx:
        await enqueue(tx, Sweep())
    await run_jobs(db)


async def tidy(db: Database, config: Settings | None = None) -> None:
    """What is done every day."""
    async with db.transaction() as tx:
        await enqueue(tx, Tidy())
    await run_jobs(db, config)


def in_pieces(rng: Random, events: Sequence[Json], most: int = 40) -> list[list[Json]]:
    """Batches that together hold every event: of any size, overlapping, repeated, out of order."""
    batches: list[list[Json]] = []
    at = 0
    while at < len(events):
        size = rng.randint(1, most)
        batches.append(list(events[max(0, at - rng.choice([0, 0, 3])) : at + size]))
        at += size
    batches += [list(rng.choice(batches)) for _ in range(len(batches) // 4)]
    for batch in batches:
        if rng.random() < 0.3:
            rng.shuffle(batch)
    rng.shuffle(batches)
    return batches


class Outbox:
    """What an extension keeps until the server has it: the rule that the server promises to honour."""

    def __init__(self, events: Iterable[Json]) -> None:
        self.held = {event["seq"]: event for event in events}

    def apply(self, receipt: Json) -> None:
        """Delete all up to `ackedSeq` that is not said to be missing."""
        missing = [range(first, last + 1) for first, last in receipt["missing"]]
        for seq in [*self.held]:
            if seq <= receipt["ackedSeq"] and not any(seq in each for each in missing):
                del self.held[seq]


def as_sent(event: Event) -> Json:
    """An event of `traces` as a browser sends it."""
    told = event.payload
    payload: Json = {
        "title": told.title,
        "redirect": told.redirect or None,
        "transition": told.transition,
        "openerTabId": told.opener_tab_id,
        "newDocument": told.new_document or None,
        "extractionOk": told.extraction_ok,
        "focused": told.focused,
        "state": told.state,
        "thresholdMs": None if told.threshold_ms is None else min(told.threshold_ms, 86_400_000),
        "text": told.text,
        "restart": told.restart or None,
    }
    if told.content_id is not None:
        payload["content"] = f"What page {CONTENTS.index(told.content_id)} says."
    sent: Json = {"seq": event.seq, "t": event.t, "type": event.type.value, "payload": payload}
    sent |= {"tabId": event.tab_id, "windowId": event.window_id}
    if event.url_id is not None:
        sent["url"] = f"https://example.org/page/{PAGES.index(event.url_id)}"
    if event.type is EventType.WINDOW_FOCUS_CHANGED and (event.window_id, told.focused) == (
        None,
        None,
    ):
        payload["focused"] = True  # or it would say nothing
    return sent


def browsing(seed: int, count: int = 60) -> list[Json]:
    """What a browser may send in one session: anything, and at the edges of every rule."""
    return [as_sent(event) for event in traces.log(seed, count, traces.REAL)]
