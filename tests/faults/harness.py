"""What the fault tests share: processes to kill, promises noted outside the database, the verdict.

Nothing here asks the engine how it is doing. Enqueuers note in files what was committed; handlers
leave effects; a watcher looks at the tables over a connection of its own; the verdict compares.

    lost    committed, and no effect of it when all has come to rest
    twice   more than one effect of a job that has its effect in its own transaction
    stuck   lease over for more than half a minute and still not taken back (with the default lease
            of 30 s: held by nobody for more than a minute), or left over when nothing has gone on
            for a minute

A job that was held by six workers which were all killed is dead, by design: it is suspected of
killing them. `settle_down` retries such jobs as an operator would, and counts them.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self, cast

import asyncpg
import psutil

from mindhit.db import Database
from mindhit.db.embedded import Server
from mindhit.db.failures import CONNECTION_ERRORS
from mindhit.work import JobId, enqueue_many, retry
from tests.faults import storm_jobs

ROOT = Path(__file__).resolve().parents[2]
STUCK_S = 30.0
TOKENS_EACH = 10_000_000
AT_MOST_ONCE = ("effect", "visit", "stubborn", "bundle")

# Leases short enough that a storm takes minutes. How long a job lies about once its lease is over
# depends on `rescue_s` (5 s by default) and not on the lease: that is what the watcher measures.
QUICK = {
    "concurrency": 4,
    "claim_size": 4,
    "lease_s": 3.0,
    "poll_s": 1.0,
    "rescue_s": 0.5,
    "grace_s": 5.0,
}


@dataclass(slots=True)
class Child:
    """One process in the nursery."""

    nursery: Nursery
    pid: int

    def signal(self, number: int) -> None:
        self.nursery.ask(signal=number, pid=self.pid)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait(10)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def wait(self, within_s: float) -> int | None:
        """Its exit code, or None when it lives on. Blocks; `ended` does not."""
        code: int | None = self.nursery.ask(reap=within_s, pid=self.pid)
        if code is not None:
            self.nursery.children.remove(self)
        return code

    async def ended(self, within_s: float) -> int | None:
        deadline = time.monotonic() + within_s
        while (code := self.wait(0)) is None and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        return code


class Nursery:
    """Starts processes on one database; all of them end with the block."""

    def __init__(self, folder: Path, **database: Any) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.children: list[Child] = []
        self._database = database
        self._enqueuers = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        self._orders = cast("IO[str]", self._process.stdin)
        self._answers = cast("IO[str]", self._process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._orders.close()
        self._process.wait(30)
        self._answers.close()

    def ask(self, **order: Any) -> Any:
        print(json.dumps(order), file=self._orders, flush=True)
        return json.loads(self._answers.readline())

    def worker(
        self,
        url: str,
        *,
        pool: int = 10,
        spans: Path | None = None,
        release: str | None = None,
        **options: Any,
    ) -> Child:
        return self._start(
            role="worker",
            release=release,
            dsn=url,
            pool=pool,
            spans=str(spans) if spans else None,
            options=QUICK | options,
        )

    def enqueuer(self, url: str, *, jobs: int, per_s: float, seed: int = 1) -> Child:
        """Keys are the enqueuer's own: only then does it know which version of a fact is last."""
        number = self._enqueuers
        self._enqueuers += 1
        keys = storm_jobs.KEYS
        return self._start(
            role="enqueuer",
            dsn=url,
            pool=2,
            jobs=jobs,
            per_s=per_s,
            seed=seed + number,
            notes=str(self.folder / f"notes-{number}"),
            first_token=number * TOKENS_EACH + 1,
            keys=[number * len(keys) + key for key in keys],
        )

    def notes(self) -> Notes:
        return read_notes(sorted(self.folder.glob("notes-*")))

    def said(self, word: str) -> int:
        """How many lines of the children's logs contain a text."""
        if not self.log.exists():
            return 0
        return sum(word in line for line in self.log.read_text("utf-8").splitlines())

    def _start(self, **task: Any) -> Child:
        pid = self.ask(start=task | {"log": str(self.log), "database": self._database})
        child = Child(self, pid)
        self.children.append(child)
        return child


@dataclass(frozen=True, slots=True)
class Notes:
    """What was committed, what was rolled back on purpose, and the last version of every fact."""

    made: frozenset[int]
    void: frozenset[int]
    facts: dict[int, int]


def read_notes(files: Sequence[Path]) -> Notes:
    made, void, facts = set(), set(), {}
    for line in (line for file in files for line in file.read_text("ascii").splitlines()):
        match line.split():
            case ["made", token]:
                made.add(int(token))
            case ["void", token]:
                void.add(int(token))
            case ["fact", key, version]:
                facts[int(key)] = int(version)
    return Notes(frozenset(made), frozenset(void), facts)


async def prepare(url: str) -> None:
    """The storm's own tables."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(storm_jobs.TABLES)
    finally:
        await connection.close()


OVERDUE = """
select id, extract(epoch from now() - lease_until)::float8 as overdue_s
  from jobs where status = 'running' and lease_until < now()"""
CROWDED = """
select coalesce(max(n), 0) from (
  select count(*) as n from jobs where status = 'running' and domain is not null group by domain
  union all
  select count(*) from job_slots group by domain) counted"""
# One statement, one snapshot: a slot without its running job, or a running job without its slot.
ASTRAY = """
select (select count(*) from job_slots s
         where not exists (select from jobs j where j.id = s.job_id and j.status = 'running'))
     + (select count(*) from jobs j where j.status = 'running' and j.domain is not null
           and not exists (select from job_slots s where s.job_id = j.id))"""


DEAD = "select id from jobs where status = 'dead'"


class Watcher:
    """Looks at the tables from the outside, every now and then, whatever happens to them."""

    def __init__(self, url: str, *, every_s: float = 0.2) -> None:
        self._url = url
        self._every_s = every_s
        self._task: asyncio.Task[None] | None = None
        self.looks = 0
        self.most_in_a_domain = 0
        self.astray = 0
        self.longest_overdue_s = 0.0
        self.stuck: set[int] = set()
        self.dead: set[int] = set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _watch(self) -> None:
        while True:
            with suppress(*CONNECTION_ERRORS, asyncpg.PostgresError):
                connection = await asyncpg.connect(self._url, timeout=5, command_timeout=30)
                try:
                    while True:
                        await self._look(connection)
                        await asyncio.sleep(self._every_s)
                finally:
                    connection.terminate()
            await asyncio.sleep(self._every_s)

    async def _look(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        for job_id, overdue_s in await connection.fetch(OVERDUE):
            self.longest_overdue_s = max(self.longest_overdue_s, overdue_s)
            if overdue_s > STUCK_S:
                self.stuck.add(job_id)
        self.most_in_a_domain = max(self.most_in_a_domain, await connection.fetchval(CROWDED))
        self.astray += await connection.fetchval(ASTRAY)
        self.dead |= {job_id for (job_id,) in await connection.fetch(DEAD)}
        self.looks += 1


LIVE = "select count(*) from jobs where status in ('queued', 'running')"


async def settle_down(url: str, *, within_s: float = 60.0) -> tuple[int, int]:
    """Wait until nothing is queued or running, or for so long nothing went on; returns how many
    still are, and how many jobs were found dead and given a fresh start."""
    revived = 0
    fewest = 2**63
    deadline = time.monotonic() + within_s
    db = await Database.open(url, size=1)
    try:
        while True:
            revived += await _retry_the_dead(db)
            left = await ask(url, LIVE)
            if left < fewest:
                fewest, deadline = left, time.monotonic() + within_s
            if left == 0 or time.monotonic() > deadline:
                return left, revived
            await asyncio.sleep(0.1)
    finally:
        await db.close()


async def _retry_the_dead(db: Database) -> int:
    async with db.transaction() as tx:
        dead = await tx.all(storm_jobs.DEAD_BY_RESCUES)
        for job_id in dead:
            await retry(tx, JobId(job_id))
    return len(dead)


async def ask(url: str, sql: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def stop(workers: Sequence[Child], *, within_s: float = 20) -> list[int | None]:
    """Ask them to end; their exit codes, None for one that did not."""
    for worker in workers:
        worker.signal(signal.SIGTERM)
    return [await worker.ended(within_s) for worker in workers]


@dataclass(slots=True)
class Verdict:
    """What was seen from outside. Everything but the counts of work must be zero."""

    jobs: int = 0
    effects: int = 0
    repeated_outside: int = 0  # at least once is what those were promised
    revived: int = 0
    lost: list[int] = field(default_factory=list)
    twice: list[int] = field(default_factory=list)
    ghosts: list[int] = field(default_factory=list)  # rolled back, and yet there
    stale_facts: list[int] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)
    unfinished: int = 0
    slots_left: int = 0
    astray: int = 0

    def faults(self) -> dict[str, Any]:
        """Empty when every promise was kept."""
        names = ("lost", "twice", "ghosts", "stale_facts", "stuck", "unfinished", "slots_left")
        found = {name: getattr(self, name) for name in (*names, "astray")}
        return {name: value for name, value in found.items() if value}


async def judge(url: str, notes: Notes, watcher: Watcher, *, within_s: float = 60.0) -> Verdict:
    """Wait for the end, then compare what was promised with what is there."""
    unfinished, revived = await settle_down(url, within_s=within_s)
    connection = await asyncpg.connect(url)
    try:
        effects = await connection.fetch("select token, kind, count(*) from effects group by 1, 2")
        seen = {row["key"]: row["version"] for row in await connection.fetch("select * from seen")}
        slots_left = await connection.fetchval("select count(*) from job_slots")
    finally:
        await connection.close()
    counts = Counter({token: count for token, _, count in effects})
    return Verdict(
        jobs=len(notes.made),
        effects=counts.total(),
        repeated_outside=sum(n > 1 for _, kind, n in effects if kind not in AT_MOST_ONCE),
        revived=revived,
        lost=sorted(notes.made - counts.keys()),
        twice=sorted(token for token, kind, n in effects if n > 1 and kind in AT_MOST_ONCE),
        ghosts=sorted(notes.void & counts.keys()),
        stale_facts=[k for k, version in notes.facts.items() if seen.get(k, -1) < version],
        stuck=sorted(watcher.stuck),
        unfinished=unfinished,
        slots_left=slots_left,
        astray=watcher.astray,
    )


async def until_each_works(url: str, workers: Sequence[Child], *, within_s: float) -> list[int]:
    """Enqueue until every one of the workers had an effect; returns the pids of those that had
    none, which must be hanging."""
    began = await ask(url, "select clock_timestamp()")
    waiting = {worker.pid for worker in workers}
    token = TOKENS_EACH * 1000 + int(time.time() * 1000) * 1000
    deadline = time.monotonic() + within_s
    db = await Database.open(url, size=1)
    try:
        while waiting and time.monotonic() < deadline:
            async with db.transaction() as tx:
                jobs = [storm_jobs.Effect(token + n, 50) for n in range(8 * len(workers))]
                await enqueue_many(tx, jobs)
                token += len(jobs)
            await asyncio.sleep(0.5)
            async with db.read() as tx:
                worked: list[int] = await tx.all(storm_jobs.WHO_WORKED, began)
                waiting -= set(worked)
    finally:
        await db.close()
    return sorted(waiting)


LISTENERS = """
select count(*) from pg_stat_activity
 where datname = current_database() and application_name like 'mindhit listen %'"""


async def listeners(url: str, *, at_least: int, within_s: float) -> int:
    """How many connections listen for notifications, once there are so many or the time is up."""
    deadline = time.monotonic() + within_s
    while (found := await ask(url, LISTENERS)) < at_least and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    return int(found)


def kill_database(server: Server) -> None:
    """The postmaster and every process of it, as when the machine loses power (but for caches)."""
    assert server.process is not None
    postmaster = psutil.Process(server.process.pid)
    everyone = [postmaster, *postmaster.children(recursive=True)]
    for process in everyone:
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    server.process.wait(10)
    psutil.wait_procs(everyone, 10)


@contextmanager
def own_server(folder: Path) -> Iterator[Server]:
    """A PostgreSQL that may be killed."""
    folder.mkdir(mode=0o755)
    server = Server(folder, min_free_bytes=0)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def most_at_once(spans: Path) -> tuple[int, int]:
    """From the handlers' own notes: how many ran, and the most that ran at once in one domain."""
    changes: dict[str, list[tuple[float, int]]] = {}
    ran = 0
    for line in spans.read_text("ascii").splitlines():
        domain, began, ended = line.split()
        changes.setdefault(domain, []).extend([(float(began), 1), (float(ended), -1)])
        ran += 1
    most = 0
    for moments in changes.values():
        running = 0
        for _, change in sorted(moments):
            running += change
            most = max(most, running)
    return ran, most
