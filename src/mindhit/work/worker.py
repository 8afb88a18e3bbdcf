"""A worker: the parts, put together.

    notifier ─ wake ─▶ claimer ─ claims ─▶ runners (N) ─ outcomes ─▶ completer ─▶ database
                                              │ renewer keeps their leases
                          rescuer puts back what dead workers held

Claim size and concurrency are different things: small handlers are claimed by the hundred and run
ten at a time; long ones are claimed as slots free up. Told to stop, a worker claims no more, hands
back what it has not begun, lets handlers finish within their grace, and hands back the rest.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

from mindhit import log
from mindhit.db import Contended, Database, DatabaseAway, StatementTimedOut
from mindhit.work.claimer import Claimer
from mindhit.work.completer import Completer
from mindhit.work.executor import Executor
from mindhit.work.holdings import Holdings
from mindhit.work.kinds import Registry
from mindhit.work.model import Claimed
from mindhit.work.notifier import Notifier
from mindhit.work.policy import HANDED_BACK
from mindhit.work.renewer import Renewer
from mindhit.work.rescuer import Rescuer

_log = log.get(__name__)
SUMMARY_S = 60.0
TURN_S = 0.001  # handlers that never wait must not hold up claims and settles for longer


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
    notify: bool = True


class Worker:
    def __init__(self, db: Database, registry: Registry, options: Options | None = None) -> None:
        self.options = options or Options()
        # Unique to this start of this process: a reused name would hide orphans.
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._registry = registry
        self._buffer: asyncio.Queue[list[Claimed]] = asyncio.Queue()
        self._busy = 0
        self._yielded_at = 0.0
        self._hint = asyncio.Event()  # there may be something to claim
        self._freed = asyncio.Event()  # there may be room to claim it
        self._stopping = asyncio.Event()
        self._is_over = False
        self._broken: BaseException | None = None
        self._holdings = Holdings(dropped=self._freed.set)
        self._executor = Executor(
            db, registry, requeued=self._hint.set, settled=self._holdings.settled
        )
        self._claimer = Claimer(
            db,
            self.options.queues,
            self.name,
            lease=timedelta(seconds=self.options.lease_s),
            domain_limit=self.options.domain_limit,
            by_domain=any(kind.domain for kind in registry.kinds),
        )
        self._completer = Completer(
            db, self._holdings, is_quiet=self._is_quiet, requeued=self._hint.set
        )
        self._renewer = Renewer(db, self._holdings, lease_s=self.options.lease_s)
        self._rescuer = Rescuer(db, every_s=self.options.rescue_s)
        self.notifier = Notifier(db, self._hint.set) if self.options.notify else None

    def stop(self) -> None:
        """Ask the worker to end; `run` returns when everything is settled or handed back."""
        self._stopping.set()
        self._hint.set()
        self._freed.set()

    async def run(self) -> None:
        """Work until told to stop. A part that breaks ends the whole worker, loudly: one that
        claims and cannot settle, or settles and cannot renew, would do harm in silence."""
        _log.info("worker starts", worker=self.name, queues=list(self.options.queues))
        background = [
            asyncio.create_task(part)
            for part in (
                self._renewer.run(),
                self._rescuer.run(),
                self._summaries(),
                *([self.notifier.run()] if self.notifier else []),
            )
        ]
        runners = [asyncio.create_task(self._run_jobs()) for _ in range(self.options.concurrency)]
        completing = asyncio.create_task(self._completer.run())
        for part in [*background, *runners, completing]:
            part.add_done_callback(self._part_ended)
        try:
            await self._claim_until_stopped()
            await self._wind_down()
        finally:
            self._is_over = True
            for task in [*background, *runners]:
                task.cancel()
            await asyncio.gather(*background, *runners, return_exceptions=True)
            self._completer.stop()
            try:
                await asyncio.wait_for(completing, self.options.lease_s)
            except TimeoutError:
                _log.error("stopped with jobs unsettled; their leases will run out")
        if self._broken is not None:
            raise self._broken
        _log.info("worker stopped", worker=self.name)

    def _part_ended(self, part: asyncio.Task[None]) -> None:
        if part.cancelled() or part.exception() is None:
            return
        self._broken = self._broken or part.exception()
        _log.error("a part of the worker broke", exc_info=part.exception())
        self.stop()

    async def _claim_until_stopped(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            room = self._room()
            if room == 0:
                self._freed.clear()
                await self._freed.wait()
                continue
            self._hint.clear()  # before the claim: a hint that comes meanwhile is kept
            claims: list[Claimed] = []
            asked_at = monotonic()  # a lease runs from here at the latest, however slow the answer
            try:
                claims = await self._claimer.claim(room)
                failures = 0
            except (DatabaseAway, Contended, StatementTimedOut) as error:
                failures += 1
                _log.warning("claiming waits for the database", reason=str(error))
            if claims:
                self._take(claims, asked_at)
            else:
                await self._rest(failures)

    def _take(self, claims: list[Claimed], asked_at: float) -> None:
        self._holdings.add(claims, asked_at)
        for batch in self._batches(claims):
            self._buffer.put_nowait(batch)

    def _room(self) -> int:
        """How many jobs to claim now: enough for idle runners, or a new load for the buffer.

        Jobs that have ended take no room while they are settled, up to a load of them: the next
        claim goes on at the same time as the last settle.
        """
        size = max(self.options.claim_size, self.options.concurrency)
        free = size - len(self._holdings) + min(self._holdings.settling, size)
        if self._buffer.empty() and self._busy < self.options.concurrency:
            return max(min(free, self.options.claim_size), 0)
        return min(free, self.options.claim_size) if free >= size // 2 else 0

    async def _rest(self, failures: int) -> None:
        """Nothing to do: until a hint comes, or 1 to `poll_s` seconds, whichever is first."""
        least = min(1.0, self.options.poll_s / 2)
        wait_s = random.uniform(least, self.options.poll_s)  # noqa: S311
        if failures:
            wait_s = min(wait_s, 0.25 * 2**failures)
        try:
            async with asyncio.timeout(wait_s):
                await self._hint.wait()
        except TimeoutError:
            pass

    def _batches(self, claims: list[Claimed]) -> Iterator[list[Claimed]]:
        """Claims of a batch kind go to its handler together, all others one by one."""
        together: dict[str, list[Claimed]] = {}
        for claim in claims:
            known = self._registry.find(claim.kind)
            size = known[0].batch if known else 1
            if size <= 1:
                yield [claim]
                continue
            waiting = together.setdefault(claim.kind, [])
            waiting.append(claim)
            if len(waiting) == size:
                yield together.pop(claim.kind)
        yield from together.values()

    async def _run_jobs(self) -> None:
        me = asyncio.current_task()
        assert me is not None
        while not self._is_over:
            claims = await self._buffer.get()
            held = [h for h in map(self._holdings.find, claims) if h is not None]
            if not held:
                continue
            self._busy += 1
            for each in held:
                each.runner = me
            claims = [each.claim for each in held]
            try:
                ended = await self._executor.run(claims)
            except asyncio.CancelledError:
                # Lost leases and the end of the grace both cancel the handler, not the runner;
                # a batch that lost several was cancelled as often.
                ended = [(each.claim, HANDED_BACK) for each in held if not each.is_lost]
                while me.cancelling():
                    me.uncancel()
            finally:
                self._busy -= 1
                for each in held:
                    each.runner = None
                self._freed.set()
            settling = {claim.id for claim, _ in ended}
            for each in held:
                if each.claim.id in settling:
                    self._holdings.end(each)
                else:
                    self._holdings.drop(each.claim)  # settled by its handler, or lost
            self._completer.add(ended)
            if monotonic() - self._yielded_at > TURN_S:
                await asyncio.sleep(0)
                self._yielded_at = monotonic()

    async def _wind_down(self) -> None:
        while not self._buffer.empty():
            claims = self._buffer.get_nowait()
            self._completer.add([(claim, HANDED_BACK) for claim in claims])
        try:
            async with asyncio.timeout(self.options.grace_s):
                while self._holdings.running():
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            for each in self._holdings.running():
                if each.runner is not None:
                    each.runner.cancel()
            while self._holdings.running():
                self._freed.clear()
                await self._freed.wait()

    def _is_quiet(self) -> bool:
        return self._busy == 0 and self._buffer.empty()

    async def _summaries(self) -> None:
        """One line a minute for people who read logs, when there is something to say."""
        while True:
            await asyncio.sleep(SUMMARY_S)
            counts, domains = self._executor.counts, self._executor.failing_domains
            if counts:
                _log.info(
                    "worker summary",
                    **dict(counts),
                    held=len(self._holdings),
                    top_failure_domains=domains.most_common(5),
                )
            counts.clear()
            domains.clear()
