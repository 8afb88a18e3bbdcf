"""A worker: the parts, put together.

    notifier ─ wake ─▶ claimer ─ claims ─▶ runners (N) ─ outcomes ─▶ completer ─▶ database
                                              │ renewer keeps their leases
                          rescuer puts back what dead workers held

Claim size and concurrency are different things: small handlers are claimed by the hundred and run
ten at a time; long ones are claimed as slots free up (appetite.py). Told to stop, a worker claims no
more, hands back what it has not begun, lets handlers finish within their grace, and hands back the
rest. Handlers that do not heed that are left behind, also those that wait for a thread
(`asyncio.to_thread`): a stop comes to its end, and the process to its own.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import metrics
from mindhit.work.appetite import LATE_S, Appetite, Pace
from mindhit.work.claimer import Claimer
from mindhit.work.completer import FLUSH_AT, Completer
from mindhit.work.deadlines import AGAIN_S, Deadlines
from mindhit.work.executor import Executor
from mindhit.work.holdings import Held, Holdings
from mindhit.work.kinds import Registry
from mindhit.work.model import Claimed
from mindhit.work.notifier import Notifier
from mindhit.work.policy import HANDED_BACK
from mindhit.work.renewer import Renewer
from mindhit.work.rescuer import Rescuer
from mindhit.work.runners import Runners
from mindhit.work.threads import OutOfThreads, Threads
from mindhit.work.watchdog import Watchdog

_log = log.get(__name__)
SUMMARY_S = 60.0


@dataclass(frozen=True, slots=True)
class Options:
    queues: Sequence[str] = ("default",)
    concurrency: int = 10
    claim_size: int = 10
    domain_limit: int = 2
    lease_s: float = 30.0
    poll_s: float = 5.0
    rescue_s: float = 5.0
    grace_s: float = 20.0
    parting_s: float = AGAIN_S  # for what was told to stop, before it is told again or given up
    notify: bool = True
    watchdog: bool = False  # in a process of its own: one whose loop stands still is ended


class Worker:
    def __init__(self, db: Database, registry: Registry, options: Options | None = None) -> None:
        self.options = options or Options()
        # Unique to this start of this process: a reused name would hide orphans.
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._hint = asyncio.Event()  # there may be something to claim
        self._freed = asyncio.Event()  # there may be room to claim it
        self._stopping = asyncio.Event()
        self._is_claiming = False
        self._broken: BaseException | None = None
        # Each part of the engine has a connection of its own, and never waits behind handlers for one
        # of the pool's: whatever these do with it, leases are renewed.
        self._sessions = [db.session() for _ in range(4)]
        claims, settles, renewals, rescues = self._sessions
        self._holdings = Holdings(dropped=self._freed.set, stop=self._stop_handler)
        self._executor = self._executor_of(db, registry)
        self._claimer = self._claimer_of(claims, registry)
        self._appetite = Appetite(
            self.options.claim_size,
            self.options.concurrency,
            flush_at=max(FLUSH_AT, self.options.claim_size),
        )
        self._completer = Completer(
            settles,
            self._holdings,
            is_quiet=self._is_quiet,
            requeued=self._hint.set,
            flush_at=self._appetite.flush_at,
        )
        self._runners = Runners(
            registry,
            self._executor,
            self._holdings,
            self._completer,
            concurrency=self.options.concurrency,
            freed=self._freed.set,
            ended=self._part_ended,
            parting_s=self.options.parting_s,
        )
        self._renewer = Renewer(renewals, self._holdings, lease_s=self.options.lease_s)
        self._rescuer = Rescuer(
            rescues,
            every_s=self.options.rescue_s,
            notify=self.options.notify,
            requeued=self._hint.set,
            ledger=self._holdings.ledger,
        )
        self.notifier = Notifier(db, self._hint.set) if self.options.notify else None

    def _executor_of(self, db: Database, registry: Registry) -> Executor:
        return Executor(
            db,
            registry,
            requeued=self._hint.set,
            settled=self._holdings.settled,
            deadlines=Deadlines(self._outlasted, again_s=self.options.parting_s),
            is_stopped=self._is_handler_stopped,
        )

    def _claimer_of(self, session: Session, registry: Registry) -> Claimer:
        return Claimer(
            session,
            self.options.queues,
            self.name,
            lease=timedelta(seconds=self.options.lease_s),
            domain_limit=self.options.domain_limit,
            by_domain=any(kind.domain for kind in registry.kinds),
            knows=lambda kind: registry.find(kind) is not None,
        )

    def stop(self) -> None:
        """Ask the worker to end; `run` returns when everything is settled or handed back."""
        self._stopping.set()
        self._hint.set()
        self._freed.set()

    async def run(self) -> None:
        """Work until told to stop. A part that breaks ends the whole worker, loudly: one that
        claims and cannot settle, or settles and cannot renew, would do harm in silence."""
        _log.info("worker starts", worker=self.name, queues=list(self.options.queues))
        loop = asyncio.get_running_loop()
        loop.set_default_executor(
            Threads(exhausted=lambda: loop.call_soon_threadsafe(self._out_of_threads))
        )
        watchdog = Watchdog(self.options.lease_s, lambda: self._doing(loop))
        if self.options.watchdog:
            watchdog.start()
        background = {
            asyncio.create_task(part)
            for part in (
                self._renewer.run(),
                self._renewer.watch(),
                self._rescuer.run(),
                self._tidy(),
                self._summaries(),
                *([self.notifier.run()] if self.notifier else []),
            )
        }
        completing = asyncio.create_task(self._completer.run())
        for part in (*background, completing):
            part.add_done_callback(self._part_ended)
        self._runners.start()
        try:
            await self._claim_until_stopped()
            await self._wind_down()
        finally:
            await self._end(background, completing)
            watchdog.stop()
        if self._broken is not None:
            raise self._broken
        _log.info("worker stopped", worker=self.name)

    async def _end(
        self, background: set[asyncio.Task[None]], completing: asyncio.Task[None]
    ) -> None:
        """Whatever happened, also to ourselves: nothing is left in our hands and nobody at work."""
        self._hand_back(self._runners.take_back())
        for task in background:
            task.cancel()
        await asyncio.wait(background | self._runners.end(), timeout=self.options.parting_s)
        self._runners.give_up(lambda _: HANDED_BACK)
        if left := self._runners.force():
            _log.error("handlers that do not end were left behind", handlers=len(left))
            await asyncio.wait(left, timeout=self.options.parting_s)
        self._completer.stop()
        try:
            await asyncio.wait_for(completing, self.options.lease_s)
        except TimeoutError:
            _log.error("stopped with jobs unsettled; their leases will run out")
        finally:
            metrics.flush()
            for session in self._sessions:
                await session.close()

    def _part_ended(self, part: asyncio.Task[None]) -> None:
        if part.cancelled() or part.exception() is None:
            return
        self._broken = self._broken or part.exception()
        self.stop()  # before another word: what broke it may break that, too
        _log.error("a part of the worker broke", exc_info=part.exception())

    def _out_of_threads(self) -> None:
        self._broken = self._broken or OutOfThreads()
        self.stop()

    def _doing(self, loop: asyncio.AbstractEventLoop) -> list[tuple[int, str]]:
        at_work = self._runners.doing(asyncio.current_task(loop))
        return [(claim.id, claim.kind) for claim in at_work]

    async def _claim_until_stopped(self) -> None:
        failures = 0
        pace = Pace()
        while not self._stopping.is_set():
            room = self._room(pace.per_s(monotonic(), self._runners.ended))
            if room == 0:
                self._freed.clear()
                await self._freed.wait()
                continue
            self._hint.clear()  # before the claim: a hint that comes meanwhile is kept
            asked_at = monotonic()  # a lease runs from here at the latest, however slow the answer
            pace.claim(asked_at, self._runners.ended)
            try:
                claims = await self._claim(room)
                failures = 0
            except NOT_NOW as error:
                claims = []
                failures += 1
                _log.warning("claiming waits for the database", reason=str(error))
            if claims:
                self._runners.add(self._holdings.add(claims, asked_at))
            else:
                await self._rest(failures)

    async def _claim(self, room: int) -> list[Claimed]:
        self._is_claiming = True
        try:
            return await self._claimer.claim(room)
        finally:
            self._is_claiming = False

    def _room(self, pace_per_s: float) -> int:
        return self._appetite.room(
            unended=self._holdings.unended,
            settling=self._holdings.settling,
            is_one_free=self._runners.is_one_free,
            pace_per_s=pace_per_s,
        )

    async def _rest(self, failures: int) -> None:
        """Nothing to do: until a hint comes, or 1 to `poll_s` seconds, whichever is first."""
        least = min(1.0, self.options.poll_s / 2)
        wait_s = random.uniform(least, self.options.poll_s)  # noqa: S311
        if failures:
            wait_s = min(wait_s, 0.25 * 2 ** min(failures, 10))
        if self._is_quiet():
            self._completer.hurry()
        try:
            async with asyncio.timeout(wait_s):
                await self._hint.wait()
        except TimeoutError:
            pass

    async def _wind_down(self) -> None:
        """Not longer than the grace and two partings: the second word is for handlers that swallowed
        the first."""
        self._hand_back(self._runners.take_back())
        if await self._is_idle_within(self.options.grace_s):
            return
        for _ in range(2):
            self._runners.cancel()
            if await self._is_idle_within(self.options.parting_s):
                return
        self._runners.give_up(lambda _: HANDED_BACK)

    async def _is_idle_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while self._runners.busy:
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            return False
        return True

    async def _tidy(self) -> None:
        """What waits here while every runner is busy could run elsewhere; what was measured is shown."""
        while True:
            await asyncio.sleep(LATE_S / 2)
            metrics.flush()
            if self._runners.busy >= self.options.concurrency:
                self._hand_back(self._runners.take_back(monotonic() - LATE_S))

    def _hand_back(self, unbegun: list[Held]) -> None:
        for held in unbegun:
            self._holdings.end(held)
            self._completer.add_one(held.claim, HANDED_BACK)

    def _stop_handler(self, runner: asyncio.Task[None]) -> None:
        self._runners.stop(runner)

    def _is_handler_stopped(self) -> bool:
        return self._runners.is_stopped()

    def _outlasted(self, runner: asyncio.Task[None]) -> None:
        self._runners.give_up(self._executor.outlasted, runner)

    def _is_quiet(self) -> bool:
        """Nothing runs, nothing waits, and nothing is on its way here."""
        return self._runners.is_idle and not self._is_claiming

    async def _summaries(self) -> None:
        """One line a minute for people who read logs, when there is something to say."""
        while True:
            await asyncio.sleep(SUMMARY_S)
            counts, domains = self._holdings.ledger.counts, self._executor.failing_domains
            if counts:
                _log.info(
                    "worker summary",
                    **dict(counts),
                    held=len(self._holdings),
                    top_failure_domains=domains.most_common(5),
                )
            counts.clear()
            domains.clear()
