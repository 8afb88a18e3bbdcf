"""Our side of bench/queue.py: the product's own worker, enqueue and migrations."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bench.queue_side import Arrivals, Question, add_in_chunks, add_one_by_one, answer, play
from mindhit import log
from mindhit.db import Database, migrate
from mindhit.work import Options, Registry, Work, Worker, enqueue, enqueue_many, job

DOMAINS = 1_000  # two jobs of each may run at once


@job("bench:note")
@dataclass(frozen=True, slots=True)
class Note:
    sent: float


@job("bench:hosted", domain="domain")
@dataclass(frozen=True, slots=True)
class Hosted:
    sent: float
    domain: str


@job("bench:settled")
@dataclass(frozen=True, slots=True)
class Settled:
    sent: float


def jobs_of(sort: str, first: int, size: int) -> list[object]:
    match sort:
        case "hosted":
            return [Hosted(0, f"{n % DOMAINS}.example") for n in range(first, first + size)]
        case "settled":
            return [Settled(0)] * size
    return [Note(0)] * size


@asynccontextmanager
async def opened(question: Question) -> AsyncIterator[Database]:
    db = await Database.open(question.dsn)
    try:
        yield db
    finally:
        await db.close()


async def install(question: Question) -> None:
    await migrate.migrate(question.dsn)
    answer(installed=True)


async def add(question: Question) -> None:
    async with opened(question) as db:
        added = 0

        async def chunk(size: int) -> None:
            nonlocal added
            jobs = jobs_of(question.settings.get("sort", "plain"), added, size)
            added += size
            async with db.transaction() as tx:
                await enqueue_many(tx, jobs)

        await add_in_chunks(question, chunk)


async def work(question: Question) -> None:
    log.configure("json", "warning")
    arrivals = Arrivals(question.jobs)

    async def note(work: Work[Note | Hosted]) -> None:
        arrivals.note(work.args.sent)

    async def settle(work: Work[Settled]) -> None:
        async with work.settling():
            arrivals.note(work.args.sent)

    settings = dict(question.settings)
    kinds = {"plain": {Note: note}, "hosted": {Hosted: note}, "settled": {Settled: settle}}
    registry = Registry(kinds[settings.pop("sort", "plain")])
    async with opened(question) as db:
        await Worker(db, registry, Options(**settings)).run()


async def produce(question: Question) -> None:
    async with opened(question) as db:

        async def one(sent: float) -> None:
            async with db.transaction() as tx:
                await enqueue(tx, Note(sent))

        await add_one_by_one(question, one)


if __name__ == "__main__":
    play({"install": install, "enqueue": add, "work": work, "produce": produce})
