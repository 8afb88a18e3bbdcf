"""Arguments that a worker cannot read put off their job, and nothing else; what cannot be written is
refused."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import pytest

from mindhit.db import Database
from mindhit.work import Done, Work, enqueue, job
from mindhit.work.enqueue import NotStorable
from mindhit.work.names import LONGEST_NAME
from mindhit.work.testing import drain, pass_time
from tests.work.kit import (
    Hosted,
    Keyed,
    Plain,
    Tally,
    answering,
    execute,
    job_row,
    put,
    rows,
    soon,
    statuses,
    working,
)


@job("test:plain", attempts=1)
@dataclass(frozen=True, slots=True)
class NewerPlain:
    """The arguments of `Plain` in a later release."""

    n: str


async def test_arguments_of_a_newer_release_wait_for_a_worker_that_reads_them(
    db: Database,
) -> None:
    [id_] = await put(db, NewerPlain("many"))
    for setbacks in range(1, 9):
        assert await drain(db, {Plain: answering(Done)}) == 1
        stored = await job_row(db, id_)
        assert (stored["status"], stored["attempts"]) == ("queued", 0)
        assert stored["setbacks"] == setbacks
        assert "the arguments cannot be decoded" in stored["last_error"]
        await pass_time(db, 3600)
    assert await drain(db, {NewerPlain: answering(Done)}) == 1
    assert (await job_row(db, id_))["status"] == "succeeded"


async def test_a_number_that_no_decoder_takes_delays_its_job_and_not_the_claim(
    db: Database,
) -> None:
    [unreadable, other] = await put(db, Plain(1), Plain(2))
    await execute(db, "update jobs set args = '{\"n\": 1e5000}' where id = $1", unreadable)
    await drain(db, {Plain: answering(Done)})
    assert await statuses(db) == {unreadable: "queued", other: "succeeded"}


@job("test:touchy")
@dataclass(frozen=True, slots=True)
class Touchy:
    name: str

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise KeyError(self.name)


async def test_arguments_that_raise_what_they_like_delay_the_job_and_not_the_worker(
    db: Database,
) -> None:
    tally = Tally(1)
    [id_] = await put(db, Touchy("good"))
    await execute(db, """update jobs set args = '{"name": "bad"}'""")
    async with working(db, {Touchy: tally, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    stored = await job_row(db, id_)
    assert stored["status"] == "queued"
    assert "cannot be decoded" in stored["last_error"]


async def test_arguments_of_any_depth_delay_the_job_and_not_the_worker(db: Database) -> None:
    tally = Tally(1)
    [id_] = await put(db, Touchy("good"))
    await execute(db, "update jobs set args = (repeat('[', 3000) || repeat(']', 3000))::jsonb")
    async with working(db, {Touchy: tally, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    assert await rows(db, f"select status from jobs where id = {id_}") == [{"status": "queued"}]


async def test_a_handler_that_wants_to_end_the_process_ends_its_job(db: Database) -> None:
    tally = Tally(1)

    async def leave(work: Work[Touchy]) -> None:
        raise SystemExit(3)

    [id_] = await put(db, Touchy("good"))
    async with working(db, {Touchy: leave, Plain: tally}) as worker:
        await put(db, Plain())
        await soon(tally.all.wait())
    assert worker._broken is None
    stored = await job_row(db, id_)
    assert (stored["status"], stored["last_error"]) == ("queued", "SystemExit: 3")


NAMES = ["", "a\0b", "half \ud800", "x" * (LONGEST_NAME + 1), "é" * (LONGEST_NAME // 2 + 1)]
NOT_STORABLE: list[object] = [Keyed(name) for name in NAMES] + [Hosted(name) for name in NAMES]
NOT_STORABLE += [Touchy("a\0b"), Touchy("half \ud800")]


async def test_what_the_database_cannot_store_is_refused_before_it_is_sent(
    db: Database,
) -> None:
    """And the caller's transaction is as good as before."""
    async with db.transaction() as tx:
        for not_storable in NOT_STORABLE:
            with pytest.raises(NotStorable):
                await enqueue(tx, not_storable)
        for after_s in (nan, inf, -inf, -1, 1e300):
            with pytest.raises(NotStorable):
                await enqueue(tx, Plain(), after_s=after_s)
        await enqueue(tx, Plain())
    assert len(await statuses(db)) == 1


async def test_what_only_looks_unsayable_is_said(db: Database) -> None:
    jobs = [Keyed("x" * LONGEST_NAME), Hosted("é" * (LONGEST_NAME // 2)), Touchy("\\u0000 null")]
    ids = await put(db, *jobs)
    assert (await job_row(db, ids[2]))["args"] == {"name": "\\u0000 null"}
    async with db.transaction() as tx:
        await enqueue(tx, Plain(), after_s=99 * 366 * 86_400)
