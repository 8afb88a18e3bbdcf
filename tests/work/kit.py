"""What the engine's tests share: sample kinds, and helpers to enqueue, claim, settle and look."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from mindhit.db import Database, Session, Write
from mindhit.work import (
    Handler,
    JobId,
    Lane,
    Options,
    Registry,
    State,
    Work,
    Worker,
    enqueue,
    job,
    store,
)
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.leases.rescuer import Rescuer
from mindhit.work.model import Claimed
from mindhit.work.settlement import Settlement

Value = TypeVar("Value")
PATIENCE_S = 30.0
FAR_AWAY_S = 3600.0  # a poll that no test waits for


@job("test:plain", attempts=3, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class Plain:
    n: int = 0


@job("test:keyed", key="name", attempts=2, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class Keyed:
    name: str
    value: int = 0


@job("test:hosted", domain="domain")
@dataclass(frozen=True, slots=True)
class Hosted:
    domain: str
    n: int = 0


@job("test:hosted-low", domain="domain", lane=Lane.LOW)
@dataclass(frozen=True, slots=True)
class HostedLow:
    domain: str


@job("test:hosted-key", domain="domain", key="name", attempts=2, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class HostedKeyed:
    name: str
    domain: str | None
    value: int = 0


@job("test:critical", lane=Lane.CRITICAL)
@dataclass(frozen=True, slots=True)
class Critical:
    n: int = 0


@job("test:low", lane=Lane.LOW)
@dataclass(frozen=True, slots=True)
class Low:
    n: int = 0


@job("test:elsewhere", queue="elsewhere")
@dataclass(frozen=True, slots=True)
class Elsewhere:
    n: int = 0


@job("test:hasty", timeout_s=0.05, attempts=2, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class Hasty:
    n: int = 0


class Hopeless(Exception):
    """An error after which a retry is pointless."""


@job("test:picky", discard_on=(Hopeless,))
@dataclass(frozen=True, slots=True)
class Picky:
    n: int = 0


@job("test:bundle", batch=3, attempts=2, backoff_s=(60,))
@dataclass(frozen=True, slots=True)
class Bundle:
    n: int = 0


async def put(db: Database, *jobs: object, after_s: float = 0) -> list[JobId]:
    """Enqueue one by one, so that ids come in the order of the arguments."""
    async with db.transaction() as tx:
        return [await enqueue(tx, each, after_s=after_s) for each in jobs]


async def rows(db: Database, sql: str, *values: object) -> list[dict[str, Any]]:
    return await db.alone(Write(dict, f"select to_jsonb(r) from ({sql}) r"), *values)


async def execute(db: Database, sql: str, *values: object) -> list[Any]:
    return await db.alone(Write(object, sql), *values)


async def job_row(db: Database, job_id: int) -> dict[str, Any]:
    [found] = await rows(db, "select * from jobs where id = $1", job_id)
    return found


async def statuses(db: Database) -> dict[int, str]:
    return {each["id"]: each["status"] for each in await rows(db, "select id, status from jobs")}


async def slots(db: Database) -> list[tuple[str, int]]:
    """Domain and job of every slot that is held."""
    found = await rows(db, "select domain, job_id from job_slots order by domain, slot")
    return [(each["domain"], each["job_id"]) for each in found]


def claimer(
    db: Database | Session,
    *queues: str,
    name: str = "test",
    domain_limit: int = 2,
    by_domain: bool = True,
    kinds: Sequence[str] | None = None,
) -> Claimer:
    return Claimer(
        db,
        queues or ("default",),
        name,
        domain_limit=domain_limit,
        by_domain=by_domain,
        kinds=kinds,
    )


def args_of(claim: Claimed) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(claim.args)
    return decoded


async def succeed(db: Database, claims: Sequence[Claimed]) -> set[int]:
    """Settle claims as done; which of them it really settled."""
    [written] = await db.alone(store.SUCCEED, *_names(claims))
    return set(written.ids)


async def settle(db: Database, claims: Sequence[Claimed], how: Settlement) -> set[int]:
    if how.status is State.SUCCEEDED:
        return await succeed(db, claims)
    n = len(claims)
    [written] = await db.alone(
        store.SETTLE,
        *_names(claims),
        [how.status.value] * n,
        [how.after_s] * n,
        [how.error] * n,
        [int(how.refund)] * n,
        [how.setbacks] * n,
        [how.domain] * n,
    )
    return set(written.ids)


async def renew(db: Database, claims: Sequence[Claimed], lease_s: float = 30) -> set[int]:
    return set(await db.alone(store.RENEW, *_names(claims), lease_s))


async def rescue(db: Database) -> int:
    return await Rescuer(db).run_once()


def _names(claims: Sequence[Claimed]) -> tuple[list[int], list[object]]:
    in_order = sorted(claims, key=lambda claim: claim.id)
    return [claim.id for claim in in_order], [claim.lease_id for claim in in_order]


async def soon(awaitable: Awaitable[Value]) -> Value:
    """Await something, but fail after PATIENCE_S."""
    return await asyncio.wait_for(asyncio.ensure_future(awaitable), PATIENCE_S)


TELL = """
create or replace function tell_the_test() returns trigger language plpgsql as
  $$ begin perform pg_notify('jobs_changed', ''); return null; end $$"""
ON_CHANGE = """
create or replace trigger changed after insert or update or delete on jobs
  for each statement execute function tell_the_test()"""


async def until(db: Database, question: str) -> None:
    """Until a question about jobs is answered by true; it is asked after every change of one. Takes a
    lock on the table: no transaction of the test's own may have written to it."""
    changed = asyncio.Event()
    await execute(db, TELL)
    await execute(db, ON_CHANGE)
    listener = await db.listen("jobs_changed", changed.set)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while (await rows(db, question)) != [{"is_so": True}]:
                await changed.wait()
                changed.clear()
    finally:
        await listener.close()


async def until_lease_is_over(db: Database, job_id: int) -> None:
    """By the database's own clock; a lease that is renewed is waited for again."""
    left = "select extract(epoch from lease_until - now())::float8 as s from jobs where id = $1"
    async with asyncio.timeout(PATIENCE_S):
        while (left_s := (await rows(db, left, job_id))[0]["s"]) >= 0:
            await asyncio.sleep(left_s + 0.001)


@asynccontextmanager
async def working(
    db: Database, jobs: Mapping[type[Any], Handler], **options: Any
) -> AsyncIterator[Worker]:
    """A worker for as long as the block lasts; at its end everything is settled."""
    worker = Worker(db, Registry(jobs), Options(**{"poll_s": 0.5, **options}))
    running = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        worker.stop()
        await soon(running)


class Tally:
    """A handler that counts its jobs, and sets `all` when as many as expected have run."""

    def __init__(self, expected: int) -> None:
        self.ran: Counter[int] = Counter()
        self.all = asyncio.Event()
        self._expected = expected

    async def __call__(self, work: Work[Any]) -> None:
        self.ran[work.id] += 1
        if len(self.ran) >= self._expected:
            self.all.set()


class Gate:
    """A handler that reports when it began, waits to be opened, and reports when it was stopped."""

    def __init__(self) -> None:
        self.began: asyncio.Queue[int] = asyncio.Queue()
        self.stopped: asyncio.Queue[int] = asyncio.Queue()
        self.opened = asyncio.Event()
        self.inside = 0
        self.most = 0

    async def __call__(self, work: Work[Any]) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.began.put_nowait(work.id)
        try:
            await self.opened.wait()
        except asyncio.CancelledError:
            self.stopped.put_nowait(work.id)
            raise
        finally:
            self.inside -= 1


async def until_resting(worker: Worker) -> None:
    """The worker has found nothing to claim, and waits for a hint."""
    await soon(worker._claim_loop.resting.wait())
    while worker._signals.work.is_set():  # it is about to look once more
        await asyncio.sleep(0)
        await soon(worker._claim_loop.resting.wait())


def answering(answer: Callable[[], Any]) -> Handler:
    async def handle(work: Work[Any]) -> Any:
        return answer()

    return handle


def fail(error: BaseException) -> Any:
    raise error
