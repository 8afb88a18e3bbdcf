"""The stage of bench/queue.py: one server, a fresh database for each run, the same rules for all.

The start barrier of a drain: the jobs are there and vacuumed; we lock the side's table and start
its worker, which imports, connects, checks what it wants to check, and comes to stand at its first
claim. The lock's release is the start, for every side. Its end is the moment at which the database
says that nothing is left, asked every 2 ms from the worker's last call of the handler on.
"""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import psutil

ROOT = Path(__file__).resolve().parents[1]
SETTLED_IN_S = 0.3  # from the first who waits at the barrier until all of a worker's parts do
POLL_S = 0.002
LONGEST_S = 60.0  # a drain that takes longer is judged by what it did until then
_WAITING = "select count(*) from pg_locks where not granted and relation = $1::regclass"


@dataclass(frozen=True, slots=True)
class Side:
    """A queue that takes part: its program, its table, and how to ask it what is left."""

    name: str
    python: Path
    table: str
    is_some_left: str
    count_done: str

    @property
    def program(self) -> Path:
        return ROOT / "bench" / f"queue_{self.name}.py"


@dataclass(frozen=True, slots=True)
class Drain:
    """What one drain showed. CPU times are microseconds for each job."""

    jobs_per_s: float
    worker_us: float
    postgres_us: float
    enqueued_per_s: float


class Child:
    """A side's program at work on one question."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.usage = psutil.Process(process.pid)

    @classmethod
    async def start(cls, side: Side, role: str, dsn: str, **more: Any) -> "Child":
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            side.python, side.program, stdin=pipe, stdout=pipe, limit=2**22
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps({"role": role, "dsn": dsn, **more}).encode() + b"\n")
        await process.stdin.drain()
        return cls(process)

    async def answer(self, within_s: float = LONGEST_S) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), within_s)
        if not line:
            raise RuntimeError("a side's program ended without an answer")
        return json.loads(line)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


async def ask(side: Side, role: str, dsn: str, **more: Any) -> dict[str, Any]:
    """One question to a side, answered by a process of its own."""
    child = await Child.start(side, role, dsn, **more)
    try:
        return await child.answer()
    finally:
        await child.end()


class Stage:
    """The server all sides share."""

    def __init__(self, url: str, postmaster: int) -> None:
        self._url = url
        self._postmaster = psutil.Process(postmaster)

    def dsn(self, database: str) -> str:
        return self._url.replace("@/mindhit?", f"@/{database}?")

    async def prepare(self, side: Side) -> None:
        """Install the side's tables once; every run starts with a copy."""
        await self._admin(f"create database {side.name}")
        await ask(side, "install", self.dsn(side.name))

    @asynccontextmanager
    async def database(self, side: Side) -> AsyncIterator[str]:
        """A fresh database with the side's tables."""
        name = f"{side.name}_{uuid.uuid4().hex[:8]}"
        await self._admin(f"create database {name} template {side.name}")
        try:
            yield self.dsn(name)
        finally:
            await self._admin(f"drop database {name}")

    @asynccontextmanager
    async def connection(self, dsn: str) -> AsyncIterator[asyncpg.Connection]:
        connection = await asyncpg.connect(dsn, server_settings={"jit": "off"})
        try:
            yield connection
        finally:
            await connection.close()

    def cpu_s(self) -> float:
        """CPU seconds of the server and of all its processes so far."""
        return sum(map(cpu_of, [self._postmaster, *self._postmaster.children()]))

    async def _admin(self, statement: str) -> None:
        async with self.connection(self._url) as connection:
            await connection.execute(statement)


def cpu_of(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system


@asynccontextmanager
async def closed_gate(stage: Stage, dsn: str, table: str) -> AsyncIterator[asyncpg.Connection]:
    """Nobody gets at the table before the block ends. Gives a connection for looking on."""
    async with stage.connection(dsn) as gate, stage.connection(dsn) as watch:
        transaction = gate.transaction()
        await transaction.start()
        await gate.execute(f"lock table {table} in access exclusive mode")
        yield watch
        await transaction.rollback()


async def until_waiting(watch: asyncpg.Connection, table: str) -> None:
    async with asyncio.timeout(LONGEST_S):
        while not await watch.fetchval(_WAITING, table):
            await asyncio.sleep(0.01)
    await asyncio.sleep(SETTLED_IN_S)


async def drain(stage: Stage, side: Side, jobs: int, settings: dict[str, Any]) -> Drain:
    """Enqueue `jobs`, then time one worker process from its first claim to the last row."""
    async with stage.database(side) as dsn, stage.connection(dsn) as control:
        added = await ask(side, "enqueue", dsn, jobs=jobs, settings=settings)
        await control.execute("vacuum analyze")
        child = None
        try:
            async with closed_gate(stage, dsn, side.table) as watch:
                child = await Child.start(side, "work", dsn, jobs=jobs, settings=settings)
                await until_waiting(watch, side.table)
                before = cpu_of(child.usage), stage.cpu_s()
                began = time.perf_counter()
            await _until_done(child, control, side)
            took = time.perf_counter() - began
            after = cpu_of(child.usage), stage.cpu_s()
        finally:
            if child is not None:
                await child.end()
        done = await control.fetchval(side.count_done)
    if done != jobs and took < LONGEST_S:
        raise RuntimeError(f"{side.name} finished {done} of {jobs} jobs")
    worker, postgres = ((b - a) * 1e6 / done for a, b in zip(before, after, strict=True))
    return Drain(done / took, worker, postgres, jobs / added["seconds"])


async def _until_done(child: Child, control: asyncpg.Connection, side: Side) -> None:
    try:
        async with asyncio.timeout(LONGEST_S):
            await child.answer()
            while await control.fetchval(side.is_some_left):
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        pass


async def pickup(stage: Stage, side: Side, jobs: int, settings: dict[str, Any]) -> list[float]:
    """Milliseconds from a producer's call until the handler runs, on an idle queue, in order."""
    async with stage.database(side) as dsn:
        worker = await Child.start(side, "work", dsn, jobs=jobs, settings=settings)
        try:
            await asyncio.sleep(2)  # a worker that is still starting would not be an idle one
            producing = asyncio.create_task(ask(side, "produce", dsn, jobs=jobs))
            waits = (await worker.answer())["waits_ms"]
            await producing
        finally:
            await worker.end()
    return waits[jobs // 10 :]  # the first tenth warms both processes up
