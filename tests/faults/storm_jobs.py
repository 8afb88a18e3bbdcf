"""The storm_jobs of jobs that the storms run, and what each of them proves.

    Effect    works, then writes its effect and settles in one transaction: exactly once
    Outside   writes its effect and leaves settling to the completer: at least once
    Refresh   has a key, and brings `seen` up to `facts`: what was asked for last is seen
    Visit     belongs to a domain: exactly once, and never more than the domain's limit at a time
    Stubborn  fails at its first attempt: exactly once
    Bundle    is handed over in batches and settled one by one: exactly once
    Hold      holds a slot of its domain until its worker ends

`effects` has no unique constraint: an effect that happened twice has to be seen, not refused.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mindhit.db import Nothing, Query, Tx, Write
from mindhit.work import Handler, Lane, Work, job

TABLES = """
create table effects (
  token bigint not null, kind text not null, pid int not null,
  at timestamptz not null default clock_timestamp()
);
create table facts (key int primary key, version bigint not null);
create table seen (key int primary key, version bigint not null);
"""

TOOK_EFFECT = Write(Nothing, "insert into effects (token, kind, pid) values ($1, $2, $3)")
SET_FACT = Write(
    Nothing,
    """
insert into facts (key, version) values ($1, $2)
on conflict (key) do update set version = excluded.version""",
)
FACT = Query(int, "select version from facts where key = $1")
SEE = Write(
    Nothing,
    """
insert into seen (key, version) values ($1, $2)
on conflict (key) do update set version = excluded.version""",
)

WHO_WORKED = Query(int, "select distinct pid from effects where at > $1")
DEAD_BY_RESCUES = Query(int, "select id from jobs where status = 'dead' and rescues > 5")

# Where handlers write down when they ran, for those who watch from the outside.
spans: int | None = None


@job("fault:effect", backoff_s=(0.1,))
@dataclass(frozen=True, slots=True)
class Effect:
    token: int
    before_ms: int = 0
    inside_ms: int = 0


@job("fault:outside", backoff_s=(0.1,))
@dataclass(frozen=True, slots=True)
class Outside:
    token: int
    before_ms: int = 0


@job("fault:refresh", backoff_s=(0.1,), key="key")
@dataclass(frozen=True, slots=True)
class Refresh:
    key: int
    inside_ms: int = 0


@job("fault:visit", backoff_s=(0.1,), lane=Lane.LOW, domain="domain")
@dataclass(frozen=True, slots=True)
class Visit:
    token: int
    domain: str
    before_ms: float = 0


@job("fault:stubborn", backoff_s=(0.1,), lane=Lane.CRITICAL)
@dataclass(frozen=True, slots=True)
class Stubborn:
    token: int


@job("fault:bundle", backoff_s=(0.1,), batch=4)
@dataclass(frozen=True, slots=True)
class Bundle:
    token: int
    before_ms: int = 0


@job("fault:hold", queue="hold", domain="domain")
@dataclass(frozen=True, slots=True)
class Hold:
    domain: str


class FirstTime(Exception):
    """What a stubborn job raises."""


async def effect(work: Work[Effect]) -> None:
    await _pause(work.args.before_ms)
    async with work.settling() as tx:
        await take_effect(tx, work.args.token, "effect")
        await _pause(work.args.inside_ms)


async def outside(work: Work[Outside]) -> None:
    await _pause(work.args.before_ms)
    async with work.db.transaction() as tx:
        await take_effect(tx, work.args.token, "outside")


async def refresh(work: Work[Refresh]) -> None:
    async with work.settling() as tx:
        version = await tx.one(FACT, work.args.key)
        await _pause(work.args.inside_ms)
        await tx.run(SEE, work.args.key, version)


async def visit(work: Work[Visit]) -> None:
    began = time.monotonic()
    await _pause(work.args.before_ms)
    if spans is not None:
        line = f"{work.args.domain} {began} {time.monotonic()}\n"
        os.write(spans, line.encode())
        return
    async with work.settling() as tx:
        await take_effect(tx, work.args.token, "visit")


async def stubborn(work: Work[Stubborn]) -> None:
    if work.attempt == 1:
        raise FirstTime
    async with work.settling() as tx:
        await take_effect(tx, work.args.token, "stubborn")


async def bundle(works: Sequence[Work[Bundle]]) -> None:
    await _pause(max(work.args.before_ms for work in works))
    for work in works:
        async with work.settling() as tx:
            await take_effect(tx, work.args.token, "bundle")


async def hold(work: Work[Hold]) -> None:
    await asyncio.Event().wait()


JOBS: dict[type[Any], Handler] = {
    Effect: effect,
    Outside: outside,
    Refresh: refresh,
    Visit: visit,
    Stubborn: stubborn,
    Bundle: bundle,
    Hold: hold,
}
DOMAINS = [f"d{number}.example" for number in range(20)]
KEYS = range(40)


def one_of_each_sort(token: int, draw: random.Random) -> object:
    """A job for the storm; most have their effect in their own transaction."""
    short = draw.choice((0, 0, 5, 20, 60))
    sorts = (
        lambda: Effect(token, short, draw.choice((0, 0, 0, 5, 20))),
        lambda: Outside(token, short),
        lambda: Visit(token, draw.choice(DOMAINS), short),
        lambda: Stubborn(token),
        lambda: Bundle(token, short),
    )
    return draw.choices(sorts, (50, 10, 20, 5, 15))[0]()


async def take_effect(tx: Tx, token: int, kind: str) -> None:
    await tx.run(TOOK_EFFECT, token, kind, os.getpid())


async def _pause(milliseconds: float) -> None:
    if milliseconds:
        await asyncio.sleep(milliseconds / 1000)
