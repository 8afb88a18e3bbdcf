"""How a worker learns that there is work."""

from __future__ import annotations

import asyncio

import pytest

from mindhit import work as engine
from mindhit.db import Database, Listener
from mindhit.work import Wires, cancel, retry, store
from mindhit.work.claiming.notifier import Notifier
from mindhit.work.leases.rescuer import Rescuer
from mindhit.work.signals import Signals
from mindhit.work.testing import pass_time
from tests.work.kit import (
    FAR_AWAY_S,
    Plain,
    Tally,
    claimer,
    execute,
    put,
    soon,
    until_resting,
    working,
)


async def cut_off(db: Database) -> None:
    cut = await execute(
        db,
        """select pg_terminate_backend(pid) from pg_stat_activity
            where application_name like 'mindhit listen%' and datname = current_database()""",
    )
    assert cut == [True]


async def test_a_notification_wakes_an_idle_worker(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        await soon(worker.notifier.listening.wait())
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def test_a_worker_hears_although_handlers_have_every_connection(
    database_url: str,
) -> None:
    small = await Database.open(database_url, size=1)
    async with small.transaction(), working(small, {Plain: Tally(1)}) as worker:
        assert worker.notifier is not None
        await soon(worker.notifier.listening.wait())
    await small.close()


async def test_without_notifications_polling_finds_the_job(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, notify=False, poll_s=0.1) as worker:
        assert worker.notifier is None
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def test_a_listener_that_is_cut_off_comes_back(db: Database) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        listening = worker.notifier.listening
        await soon(listening.wait())
        await cut_off(db)
        async with asyncio.timeout(20):
            while listening.is_set():
                await asyncio.sleep(0.005)
        await soon(listening.wait())
        await until_resting(worker)
        await put(db, Plain())
        await soon(tally.all.wait())


async def test_a_listener_asks_now_and_then_whether_the_other_end_is_there(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindhit.work.claiming.notifier.PING_S", 0.05)
    pinged, ping = asyncio.Event(), Listener.ping

    async def note(listener: Listener) -> None:
        await ping(listener)
        pinged.set()

    monkeypatch.setattr(Listener, "ping", note)
    running = asyncio.create_task(Notifier(db, Signals()).run())
    await soon(pinged.wait())
    running.cancel()


async def test_what_was_announced_while_nobody_listened_is_found_when_somebody_does(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where notifications do not arrive at all, as behind a transaction pooler, the connection that
    came back is the only sign that something may have been missed."""
    monkeypatch.setattr(store, "CHANNEL", "nothing_is_said_here")
    monkeypatch.setattr("mindhit.work.claiming.notifier.PROBE_S", 0.05)
    signals = Signals()
    notifier = Notifier(db, signals)
    running = asyncio.create_task(notifier.run())
    await soon(notifier.listening.wait())
    await soon(signals.work.wait())
    signals.work.clear()
    await cut_off(db)
    await soon(signals.work.wait())
    running.cancel()


async def test_a_job_enqueued_while_the_listener_was_cut_off_runs_when_it_is_back(
    db: Database,
) -> None:
    tally = Tally(1)
    async with working(db, {Plain: tally}, poll_s=FAR_AWAY_S) as worker:
        assert worker.notifier is not None
        await soon(worker.notifier.listening.wait())
        await until_resting(worker)
        engine.install(Wires(notify=False))  # nobody is notified
        await put(db, Plain())
        assert not tally.all.is_set()
        await cut_off(db)
        await soon(tally.all.wait())


async def test_rescues_and_retries_by_hand_wake_others_unless_that_is_switched_off(
    db: Database,
) -> None:
    heard: asyncio.Queue[None] = asyncio.Queue()
    listener = await db.listen(store.CHANNEL, lambda: heard.put_nowait(None))
    engine.install(Wires(notify=False))
    try:
        ids = await put(db, Plain(), Plain(), Plain())
        for id_ in ids[:2]:
            async with db.transaction() as tx:
                await cancel(tx, id_)
        await claimer(db).claim(1)
        await pass_time(db, 40)
        assert await Rescuer(db, notify=False).run_once() == 1
        async with db.transaction() as tx:
            await retry(tx, ids[0])
        await listener.ping()
        assert heard.empty()
        engine.install(Wires())
        async with db.transaction() as tx:
            await retry(tx, ids[1])
        await soon(heard.get())
        assert len(await claimer(db).claim(5)) == 3
        await pass_time(db, 40)
        assert await Rescuer(db).run_once() == 3
        await soon(heard.get())
    finally:
        await listener.close()
