"""PGQueuer's side of bench/queue.py, at the settings that were fastest here.

An asyncpg pool that resets nothing (as ours; a round trip less for each statement) and uvloop,
logged tables, no limit on running tasks (its dequeue is shorter without one), no folding of its
log while we measure. One connection instead of the pool was faster at 10 and slower at 100 and 500.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg
from pgqueuer.applications import PgQueuer
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries

from bench.queue_side import Arrivals, Question, add_in_chunks, add_one_by_one, answer, play


async def leave(_connection: asyncpg.Connection) -> None:
    """What the pool is to do with a connection that comes back."""


@asynccontextmanager
async def opened(question: Question) -> AsyncIterator[AsyncpgPoolDriver]:
    async with asyncpg.create_pool(
        question.dsn, min_size=5, max_size=10, server_settings={"jit": "off"}, reset=leave
    ) as pool:
        yield AsyncpgPoolDriver(pool)


async def install(question: Question) -> None:
    async with opened(question) as driver:
        await Queries(driver).install()
    answer(installed=True)


async def add(question: Question) -> None:
    async with opened(question) as driver:
        queries = Queries(driver)

        async def chunk(size: int) -> None:
            await queries.enqueue(["note"] * size, [b"0"] * size, [0] * size)

        await add_in_chunks(question, chunk)


async def work(question: Question) -> None:
    arrivals = Arrivals(question.jobs)
    async with opened(question) as driver:
        manager = PgQueuer(driver).qm

        @manager.entrypoint("note")
        async def note(job: Job) -> None:
            arrivals.note(float(job.payload or 0))

        await manager.run(log_aggregation_interval=timedelta(0), **question.settings)


async def produce(question: Question) -> None:
    async with opened(question) as driver:
        queries = Queries(driver)

        async def one(sent: float) -> None:
            await queries.enqueue("note", str(sent).encode())

        await add_one_by_one(question, one)


if __name__ == "__main__":
    play({"install": install, "enqueue": add, "work": work, "produce": produce})
