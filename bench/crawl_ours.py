"""Our side of bench/crawl.py: a job and a durable row for every page, with fsync on.

A claim takes what the domains have slots for, up to twenty jobs. They are fetched side by side, their
rows committed together, and only then are the jobs settled: a page that was fetched is never lost, and
one that is fetched again after a crash is the same row.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

import asyncio
from dataclasses import dataclass

import uvloop

from bench.crawl_pages import HOSTS, PER_HOST, Tally, asked, parse, urls
from mindhit import log
from mindhit.db import Database, Nothing, Write
from mindhit.fetching import (
    Fetcher,
    FetchFailed,
    FetchSettings,
    Guard,
    Unchanged,
    domain_of,
    fetch_in_slot,
    outcome_of,
)
from mindhit.work import Done, Options, Outcome, Registry, Snooze, Work, Worker, enqueue_many, job

CREATE = Write(Nothing, "create table crawled (url text primary key, title text, price text)")
SAVE = Write(
    Nothing,
    "insert into crawled (url, title, price) select * from unnest($1::text[], $2::text[], $3::text[])"
    " on conflict (url) do nothing",
)
Row = tuple[str, str, str]


@job("bench:visit", domain="domain", batch=PER_HOST * len(HOSTS))
@dataclass(frozen=True, slots=True)
class Visit:
    url: str
    domain: str


async def main(port: int, pages: int, dsn: str) -> None:
    log.configure("json", "warning")
    db = await Database.open(dsn, size=PER_HOST * len(HOSTS) + 2)
    async with db.transaction() as tx:
        await tx.run(CREATE)
        await enqueue_many(tx, [Visit(url, domain_of(url)) for url in urls(port, pages)])
    fetcher = Fetcher(db, FetchSettings(), guard=Guard(["127.0.0.0/8"]))
    tally = Tally(pages)

    async def fetch(work: Work[Visit]) -> Row | Outcome:
        try:
            fetched = await fetch_in_slot(work, fetcher, work.args.url)
        except FetchFailed as error:
            return outcome_of(error)
        assert not isinstance(fetched, Unchanged)
        return fetched if isinstance(fetched, Snooze) else (work.args.url, *parse(fetched.text))

    async def visit(works: list[Work[Visit]]) -> list[Outcome]:
        fetched = await asyncio.gather(*map(fetch, works))
        rows = [each for each in fetched if isinstance(each, tuple)]
        await db.alone(SAVE, *map(list, zip(*rows, strict=True)))
        for _url, title, _price in rows:
            tally.note(title)
        return [Done() if isinstance(each, tuple) else each for each in fetched]

    options = Options(concurrency=PER_HOST * len(HOSTS), claim_size=PER_HOST * len(HOSTS))
    await Worker(db, Registry({Visit: visit}), options).run()


if __name__ == "__main__":
    uvloop.run(main(*asked()))
