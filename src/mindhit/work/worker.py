"""A worker: its parts, put together.

    notifier ─ work ─▶ claim loop ─ claims ─▶ runners (N) ─ outcomes ─▶ completer ─▶ database
                                                 │ renewer keeps their leases
                             rescuer puts back what dead workers held

Claim size and concurrency are different things: small handlers are claimed by the hundred and run
ten at a time; long ones are claimed as slots free up (claiming/claim_size.py). Told to stop, a worker
claims no more, hands back what it has not started, lets handlers finish within their grace, cancels
the rest and hands their jobs back. Handlers that ignore that are left behind, also those that wait
for a thread (`asyncio.to_thread`): the worker stops in any case, and the process can exit.
"""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from mindhit import log
from mindhit.db import Database
from mindhit.work.claiming.claim_loop import ClaimLoop
from mindhit.work.claiming.claim_size import CLAIM_SIZE, LATE_S, ClaimSizer
from mindhit.work.claiming.claimer import DOMAIN_LIMIT, Claimer
from mindhit.work.claiming.notifier import POLL_S, Notifier
from mindhit.work.job_types import DEFAULT_QUEUE, Registry
from mindhit.work.leases.duration import LEASE_S
from mindhit.work.leases.renewer import Renewer
from mindhit.work.leases.rescuer import RESCUE_EVERY_S, Rescuer
from mindhit.work.running.completer import FLUSH_AT, Completer
from mindhit.work.running.deadlines import CANCEL_AGAIN_S
from mindhit.work.running.executor import Executor
from mindhit.work.running.held_claims import HeldClaim, HeldClaims
from mindhit.work.running.outcome_counts import log_summaries
from mindhit.work.running.runners import CONCURRENCY, Runners
from mindhit.work.running.threads import OutOfThreads, Threads
from mindhit.work.running.watchdog import Watchdog
from mindhit.work.settlement import HANDED_BACK
from mindhit.work.signals import Signals

_log = log.get(__name__)
GRACE_S = 20.0  # for handlers to finish when the worker is told to stop


@dataclass(frozen=True, slots=True)
class Options:
    queues: Sequence[str] = (DEFAULT_QUEUE,)
    concurrency: int = CONCURRENCY
    claim_size: int = CLAIM_SIZE
    domain_limit: int = DOMAIN_LIMIT
    lease_s: float = LEASE_S
    poll_s: float = POLL_S
    rescue_s: float = RESCUE_EVERY_S
    grace_s: float = GRACE_S
    cancel_again_s: float = CANCEL_AGAIN_S  # before a cancelled handler is cancelled again
    notify: bool = True
    watchdog: bool = False  # where the process is the worker's own: it is ended if its loop blocks


class Worker:
    def __init__(self, db: Database, registry: Registry, options: Options | None = None) -> None:
        self.options = options or Options()
        self._registry = registry
        # Unique to this start of this process: a reused name would hide orphaned jobs.
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._signals = Signals(broken=self._break)
        self._broken: BaseException | None = None
        # Each part has a connection of its own and never waits behind handlers for one of the pool's:
        # whatever handlers do with those, leases are renewed.
        self._sessions = [db.session() for _ in range(4)]
        claims, settles, renewals, rescues = self._sessions
        self._held_claims = HeldClaims(self._signals)
        self._executor = Executor(
            db,
            registry,
            signals=self._signals,
            settled=self._held_claims.mark_settled,
            cancel_again_s=self.options.cancel_again_s,
            domain_limit=self.options.domain_limit,
        )
        flush_at = max(FLUSH_AT, self.options.claim_size)
        self._completer = Completer(
            settles, self._held_claims, signals=self._signals, flush_at=flush_at
        )
        self._runners = Runners(
            registry,
            self._executor,
            self._held_claims,
            self._completer,
            concurrency=self.options.concurrency,
            signals=self._signals,
            cancel_again_s=self.options.cancel_again_s,
        )
        self._claimer = Claimer(
            claims,
            self.options.queues,
            self.name,
            lease_s=self.options.lease_s,
            domain_limit=self.options.domain_limit,
            by_domain=any(kind.domain for kind in registry.kinds),
            kinds=[kind.name for kind in registry.kinds],
        )
        self._claim_loop = ClaimLoop(
            self._claimer,
            ClaimSizer(self.options.claim_size, self.options.concurrency, flush_at),
            self._held_claims,
            self._runners,
            self._completer,
            signals=self._signals,
            poll_s=self.options.poll_s,
            lease_s=self.options.lease_s,
        )
        self._renewer = Renewer(renewals, self._held_claims, lease_s=self.options.lease_s)
        self._rescuer = Rescuer(
            rescues,
            every_s=self.options.rescue_s,
            notify=self.options.notify,
            signals=self._signals,
            counts=self._held_claims.counts,
        )
        self.notifier = Notifier(db, self._signals) if self.options.notify else None

    def stop(self) -> None:
        """Ask the worker to end; `run` returns when everything is settled or handed back."""
        self._claim_loop.stop()

    async def run(self) -> None:
        """Work until told to stop. A part that breaks ends the whole worker with an error: one that
        claims and cannot settle, or settles and cannot renew, would do damage silently."""
        _log.info("worker starts", worker=self.name, queues=list(self.options.queues))
        loop = asyncio.get_running_loop()
        loop.set_default_executor(
            Threads(exhausted=lambda: loop.call_soon_threadsafe(self._break, OutOfThreads()))
        )
        watchdog = Watchdog(self.options.lease_s, lambda: self._running_jobs(loop))
        if self.options.watchdog:
            watchdog.start()
        background = {
            asyncio.create_task(part)
            for part in (
                self._renewer.run(),
                self._renewer.watch(),
                self._rescuer.run(),
                self._hand_back_late(),
                log_summaries(
                    self._held_claims.counts, self._executor.failing_domains, self._held_claims
                ),
                *([self.notifier.run()] if self.notifier else []),
            )
        }
        completing = asyncio.create_task(self._completer.run())
        for part in (*background, completing):
            part.add_done_callback(self._signals.part_ended)
        self._runners.start()
        try:
            await self._claim_loop.run()
            await self._wind_down()
        finally:
            await self._end(background, completing)
            watchdog.stop()
            await self._registry.close()
        if self._broken is not None:
            raise self._broken
        _log.info("worker stopped", worker=self.name)

    async def _wind_down(self) -> None:
        """Takes at most the grace and two cancellations; the second is for handlers that swallowed
        the first."""
        self._hand_back(self._runners.take_back())
        if await self._is_idle_within(self.options.grace_s):
            return
        for _ in range(2):
            self._runners.stop_all()
            if await self._is_idle_within(self.options.cancel_again_s):
                return
        self._runners.give_up(lambda _: HANDED_BACK)

    async def _is_idle_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                while self._runners.busy:
                    self._signals.room.clear()
                    await self._signals.room.wait()
        except TimeoutError:
            return False
        return True

    async def _end(
        self, background: set[asyncio.Task[None]], completing: asyncio.Task[None]
    ) -> None:
        """Whatever happened, even if our own task was cancelled: hold no job and leave no task."""
        self._hand_back(self._runners.take_back())
        for task in background:
            task.cancel()
        await asyncio.wait(background | self._runners.end(), timeout=self.options.cancel_again_s)
        self._runners.give_up(lambda _: HANDED_BACK)
        if left := self._runners.close_given_up():
            _log.error(
                "handlers that ignore their cancellation were left behind", handlers=len(left)
            )
            await asyncio.wait(left, timeout=self.options.cancel_again_s)
        self._completer.stop()
        try:
            await asyncio.wait_for(completing, self.options.lease_s)
        except TimeoutError:
            _log.error("stopped with jobs unsettled; their leases will run out")
        finally:
            for session in self._sessions:
                await session.close()

    def _break(self, error: BaseException) -> None:
        self._broken = self._broken or error
        self.stop()  # before logging, which the same cause may break
        _log.error("a part of the worker broke", exc_info=error)

    def _running_jobs(self, loop: asyncio.AbstractEventLoop) -> list[tuple[int, str]]:
        running = self._runners.running(asyncio.current_task(loop))
        return [(claim.id, claim.kind) for claim in running]

    async def _hand_back_late(self) -> None:
        """Hand back what waits here while every runner is busy: it could run elsewhere."""
        while True:
            await asyncio.sleep(LATE_S / 2)
            if self._runners.busy >= self.options.concurrency:
                self._hand_back(self._runners.take_back(monotonic() - LATE_S))

    def _hand_back(self, not_started: list[HeldClaim]) -> None:
        for held in not_started:
            self._completer.hand_back(held)
