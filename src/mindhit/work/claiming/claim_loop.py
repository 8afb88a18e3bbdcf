"""Claims for as long as a worker runs: as soon as there is room and something may be ready."""

from __future__ import annotations

import asyncio
from time import monotonic

from mindhit import log
from mindhit.db import NOT_NOW
from mindhit.work.claiming.claim_size import ClaimSizer, Pace
from mindhit.work.claiming.claimer import Claimer
from mindhit.work.claiming.notifier import POLL_S, poll_wait
from mindhit.work.model import Claimed
from mindhit.work.running.completer import Completer
from mindhit.work.running.held_claims import HeldClaims
from mindhit.work.running.runners import Runners

_log = log.get(__name__)
FAILURE_S = 0.25  # doubled with every failure in a row, up to the poll


class ClaimLoop:
    """`hint` is set when there may be something to claim, `room` when there may be room for it."""

    def __init__(
        self,
        claimer: Claimer,
        sizer: ClaimSizer,
        held_claims: HeldClaims,
        runners: Runners,
        completer: Completer,
        *,
        hint: asyncio.Event,
        room: asyncio.Event,
        poll_s: float = POLL_S,
    ) -> None:
        self._claimer = claimer
        self._sizer = sizer
        self._held_claims = held_claims
        self._runners = runners
        self._completer = completer
        self._hint = hint
        self._room = room
        self._poll_s = poll_s
        self._pace = Pace()
        self._is_stopping = False
        self.resting = asyncio.Event()  # it has nothing to claim, and waits for a hint

    def stop(self) -> None:
        self._is_stopping = True
        self._hint.set()
        self._room.set()

    async def run(self) -> None:
        failures = 0
        while not self._is_stopping:
            size = self._next_size()
            if size == 0:
                self._room.clear()
                await self._room.wait()
                continue
            self._hint.clear()  # before the claim: a hint that comes meanwhile is kept
            asked_at = (
                monotonic()
            )  # the lease runs from here at the latest, however slow the answer
            self._pace.claim(asked_at, self._runners.ended)
            try:
                claims = await self._claim(size)
                failures = 0
            except NOT_NOW as error:
                claims = []
                failures += 1
                _log.warning("claiming waits for the database", reason=str(error))
            if claims:
                _log.info("claimed", batch_claimed_count=len(claims))
                self._runners.add(self._held_claims.add(claims, asked_at))
            else:
                await self._rest(failures)

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

    async def _rest(self, failures: int) -> None:
        """Nothing to claim: wait for a hint or the next poll, whichever comes first."""
        wait_s = poll_wait(self._poll_s)
        if failures:
            wait_s = min(wait_s, FAILURE_S * 2 ** min(failures, 10))
        if self._held_claims.is_quiet:
            self._completer.hurry()
        self.resting.set()
        try:
            async with asyncio.timeout(wait_s):
                await self._hint.wait()
        except TimeoutError:
            pass
        finally:
            self.resting.clear()
