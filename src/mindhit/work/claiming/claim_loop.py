"""Claims for as long as a worker runs: as soon as there is room and something may be ready."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

from mindhit import log
from mindhit.db import NOT_NOW
from mindhit.work.claiming.claim_size import ClaimSizer, Pace
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.claiming.notifier import POLL_S, poll_wait
from mindhit.work.claiming.unanswered import ASK_EVERY_S
from mindhit.work.leases.duration import LEASE_S
from mindhit.work.model import Claimed
from mindhit.work.running.completer import Completer
from mindhit.work.running.held_claims import HeldClaim, HeldClaims
from mindhit.work.running.runners import Runners
from mindhit.work.signals import Signals

_log = log.get(__name__)
FAILURE_S = 0.25  # doubled with every failure in a row, up to the poll


class ClaimLoop:
    """Claims when it is told that there may be work, or room for it, and every now and then."""

    def __init__(
        self,
        claimer: Claimer,
        sizer: ClaimSizer,
        held_claims: HeldClaims,
        runners: Runners,
        completer: Completer,
        *,
        signals: Signals,
        poll_s: float = POLL_S,
        lease_s: float = LEASE_S,
    ) -> None:
        self._claimer = claimer
        self._unanswered = claimer.unanswered
        self._sizer = sizer
        self._held_claims = held_claims
        self._runners = runners
        self._completer = completer
        self._signals = signals
        self._poll_s = poll_s
        self._lease_s = lease_s
        self._pace = Pace()
        self._is_stopping = False
        self.resting = asyncio.Event()  # it has nothing to claim, and waits for a signal

    def stop(self) -> None:
        self._is_stopping = True
        self._signals.work.set()
        self._signals.room.set()

    async def run(self) -> None:
        failures = 0
        while not self._is_stopping:
            size = self._next_size()
            if size == 0:
                await self._wait_for_room()
                continue
            self._signals.work.clear()  # before the claim: a signal that comes meanwhile is kept
            # The lease runs from here at the latest, however slow the answer.
            asked_at = monotonic()
            self._pace.claim(asked_at, self._runners.ended)
            try:
                claims = await self._claim(size)
                failures = 0
            except NOT_NOW as error:
                claims = []
                failures += 1
                _log.warning("claiming waits for the database", reason=str(error))
            await self._recover()
            if claims:
                _log.info("claimed", batch_claimed_count=len(claims))
                self._runners.add(self._held_claims.add(claims, asked_at))
            else:
                await self._rest(failures)
        await self._recover(at_once=True)

    def _next_size(self) -> int:
        return self._sizer.next_size(
            unended=self._held_claims.unended,
            settling=self._held_claims.settling,
            is_one_free=self._runners.is_one_free,
            pace_per_s=self._pace.per_s(monotonic(), self._runners.ended),
        )

    async def _claim(self, size: int) -> list[Claimed]:
        self._held_claims.is_claiming = True
        try:
            return await self._claimer.claim(size)
        finally:
            self._held_claims.is_claiming = False

    async def _recover(self, *, at_once: bool = False) -> None:
        """Look for what was claimed without an answer. What still has half of its lease is run; for
        the rest the renewal might come too late."""
        if not (self._unanswered.is_due() or (at_once and len(self._unanswered))):
            return
        try:
            self._take_over(await self._unanswered.find())
            await self._unanswered.uncount_rescues()
        except NOT_NOW as error:
            _log.warning("unanswered claims wait for the database", reason=str(error))

    def _take_over(self, found: list[tuple[Claimed, float]]) -> None:
        to_run: list[HeldClaim] = []
        for claim, asked_at in found:
            [held] = self._held_claims.add([claim], asked_at)
            if monotonic() - asked_at < self._lease_s / 2 and not self._is_stopping:
                to_run.append(held)
            else:
                self._completer.hand_back(held)
        self._runners.add(to_run)
        if found:
            _log.warning("took over claims without an answer", jobs=len(found), run=len(to_run))

    async def _wait_for_room(self) -> None:
        self._signals.room.clear()
        if not len(self._unanswered):
            await self._signals.room.wait()
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_EVERY_S):
                await self._signals.room.wait()
        await self._recover()

    async def _rest(self, failures: int) -> None:
        """Nothing to claim: wait for a signal or the next poll, whichever comes first."""
        wait_s = poll_wait(self._poll_s)
        if failures:
            wait_s = min(wait_s, FAILURE_S * 2 ** min(failures, 10))
        if self._held_claims.is_quiet:
            self._completer.hurry()
        self.resting.set()
        try:
            async with asyncio.timeout(wait_s):
                await self._signals.work.wait()
        except TimeoutError:
            pass
        finally:
            self.resting.clear()
