"""Accidents that happen to the database and to workers while they work.

    standby_gone       commits hang: the only synchronous standby is away
    table_space_full   what handlers write is refused for want of space, and nothing else is
    connections_gone   backends are terminated at random
    connections_taken  somebody else uses up all connections
    foreign_locks      somebody else locks the queue, or rows of it
    read_only          the database takes no writes for a while
    frozen_workers     workers stop for longer than their leases and go on
    releases_together  three old workers beside a new one: a kind and arguments that the old don't know

No job may die of any of these: nothing is wrong with a single one.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any

import asyncpg
import psutil

from mindhit.db import Database
from mindhit.db.embedded import Server
from mindhit.work import enqueue_many
from tests.faults import harness, releases, storm_jobs

FIRST_TOKEN = 10**15


@dataclass(frozen=True, slots=True)
class Scene:
    """What an accident happens to."""

    url: str
    server: Server
    workers: Sequence[harness.Child]

    async def execute(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()


def _configure(server: Server, line: str) -> None:
    """Append a setting to the server's configuration and let it be read."""
    assert server.layout is not None
    assert server.process is not None
    with (server.layout.cluster / "postgresql.auto.conf").open("a", encoding="utf-8") as config:
        config.write(f"{line}\n")
    psutil.Process(server.process.pid).send_signal(signal.SIGHUP)


async def standby_gone(scene: Scene, seconds: float) -> None:
    await _enqueue(scene.url, [storm_jobs.Effect(FIRST_TOKEN + n, 100) for n in range(200)])
    _configure(scene.server, "synchronous_standby_names = 'gone'")
    try:
        await asyncio.sleep(seconds)
    finally:
        _configure(scene.server, "synchronous_standby_names = ''")


FULL = """
create function no_space() returns trigger language plpgsql as $$ begin
  raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
end $$;
create trigger no_space before insert on effects for each row execute function no_space()"""


async def table_space_full(scene: Scene, seconds: float) -> None:
    await scene.execute(FULL)
    await asyncio.sleep(seconds)
    await scene.execute("drop trigger no_space on effects")


TERMINATE = """
select pg_terminate_backend(pid) from pg_stat_activity
 where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5"""


async def connections_gone(scene: Scene, seconds: float) -> None:
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        await scene.execute(TERMINATE)
        await asyncio.sleep(random.uniform(0.05, 0.5))


async def connections_taken(scene: Scene, seconds: float) -> None:
    """Those of the workers are ended first, or there would be none to take."""
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        async with AsyncExitStack() as stack:
            await scene.execute(TERMINATE)
            with suppress(asyncpg.PostgresError):
                while True:
                    connection = await asyncpg.connect(scene.url)
                    stack.push_async_callback(connection.close)
            await asyncio.sleep(random.uniform(1, 5))
        await asyncio.sleep(1)


LOCKS = (
    "lock table jobs in access exclusive mode",
    "lock table job_slots in access exclusive mode",
    "select from jobs where status = 'running' for update",
    "select from jobs where status = 'queued' and random() < 0.3 for update",
)


async def foreign_locks(scene: Scene, seconds: float) -> None:
    ends_at = time.monotonic() + seconds
    connection = await asyncpg.connect(scene.url)
    try:
        while time.monotonic() < ends_at:
            with suppress(asyncpg.DeadlockDetectedError):
                async with connection.transaction():
                    await connection.execute(random.choice(LOCKS))
                    await asyncio.sleep(random.uniform(0.5, 5))
            await asyncio.sleep(random.uniform(0.2, 1))
    finally:
        await connection.close()


async def read_only(scene: Scene, seconds: float) -> None:
    connection = await asyncpg.connect(scene.url)
    name = await connection.fetchval("select current_database()")
    ends_at = time.monotonic() + seconds
    try:
        while time.monotonic() < ends_at:
            await connection.execute(
                f"alter database {name} set default_transaction_read_only = on"
            )
            await connection.execute(TERMINATE.replace("random() < 0.5", "true"))
            await asyncio.sleep(random.uniform(1, 5))
            await connection.execute(f"alter database {name} reset default_transaction_read_only")
            await connection.execute(TERMINATE.replace("random() < 0.5", "true"))
            await asyncio.sleep(1)
    finally:
        await connection.close()


async def frozen_workers(scene: Scene, seconds: float) -> None:
    """Each at most three times: a job that is held by six frozen workers is dead by design."""
    ends_at = time.monotonic() + seconds
    for worker in [*scene.workers] * 3:
        if time.monotonic() > ends_at:
            break
        worker.freeze()
        await asyncio.sleep(random.uniform(0.5, 2) * harness.QUICK["lease_s"])
        worker.thaw()


Accident = Callable[[Scene, float], Awaitable[None]]
ACCIDENTS: dict[str, Accident] = {
    accident.__name__: accident
    for accident in (
        standby_gone,
        table_space_full,
        connections_gone,
        connections_taken,
        foreign_locks,
        read_only,
        frozen_workers,
    )
}
# A claim has to be found before its lease is over, and the commit of one takes its 10 s to be given up.
OPTIONS: dict[str, dict[str, Any]] = {"standby_gone": {"lease_s": 30.0}}

P90_S = """
select percentile_cont(0.9) within group (order by extract(epoch from e.at - j.created_at))::float8
  from jobs j join effects e on e.token = (j.args ->> 'token')::bigint where j.kind = 'fault:new'"""

# Only the old release can read these.
OLD_ARGUMENTS = f"{harness.LIVE} and kind = 'fault:changed' and args ? 'token'"


async def run_releases_together(
    url: str, nursery: harness.Nursery, seconds: float
) -> tuple[float, list[harness.Child]]:
    """How long jobs of the new kind waited (p90), and the workers."""
    workers = [nursery.worker(url, release=name) for name in ("old", "old", "old", "new")]
    ends_at = time.monotonic() + seconds
    token = FIRST_TOKEN
    while time.monotonic() < ends_at:
        changed = [releases.Changed(token), releases.ChangedSince([token + 1])]
        await _enqueue(url, [releases.New(token + 2), *changed])
        token += 3
        await asyncio.sleep(0.1)
    while await harness.ask(url, OLD_ARGUMENTS):
        await asyncio.sleep(0.1)
    workers.pop(0).kill()  # the upgrade goes on: what the old could not read is read in the end
    workers.pop(0).kill()
    workers.pop(0).kill()
    await harness.settle_down(url, within_s=300)
    p90_s: float = await harness.ask(url, P90_S)
    return p90_s, workers


async def _enqueue(url: str, jobs: Sequence[object]) -> None:
    db = await Database.open(url, size=1)
    try:
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs)
    finally:
        await db.close()
