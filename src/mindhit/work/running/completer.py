"""Writes settlements, many at a time, each under its own lease.

Nothing is dropped: what the database could not take is kept and tried again until it is written or
the lease is gone (then another worker has the job, and our settlement no longer counts).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from mindhit import log
from mindhit.db import NOT_NOW, Database, Session
from mindhit.work import store
from mindhit.work.model import Claimed
from mindhit.work.running.held_claims import HeldClaim, HeldClaims
from mindhit.work.settlement import HANDED_BACK, SUCCEEDED, Ended, Settlement
from mindhit.work.signals import Signals

_log = log.get(__name__)
FLUSH_AT = 100  # or a whole claim, where claims are larger
FLUSH_AFTER_S = 0.02
LOCKED_S = 0.05  # before rows that an open transaction has locked are tried again


class Completer:
    """Collects settlements and flushes them when there are enough, after 20 ms, or at once when the
    worker is quiet."""

    def __init__(
        self,
        db: Database | Session,
        held_claims: HeldClaims,
        *,
        signals: Signals | None = None,
        flush_at: int = FLUSH_AT,
    ) -> None:
        self._db = db
        self._flush_at = flush_at
        self._held_claims = held_claims
        self._counts = held_claims.counts
        self._signals = signals or Signals()
        self._pending: list[Ended] = []
        self._some = asyncio.Event()
        self._enough = asyncio.Event()
        self._stopping = False

    def add(self, claim: Claimed, settlement: Settlement) -> None:
        self._pending.append((claim, settlement))
        pending = len(self._pending)
        if pending == 1:
            self._some.set()
        if pending >= self._flush_at or self._held_claims.is_quiet:
            self._enough.set()

    def hand_back(self, held: HeldClaim) -> None:
        """It was not run here; whoever is free may."""
        self._held_claims.mark_ended(held)
        self.add(held.claim, HANDED_BACK)

    def hurry(self) -> None:
        """The worker is quiet: flush what there is without waiting for more."""
        if self._pending:
            self._enough.set()

    def stop(self) -> None:
        """Flush what there is, then end."""
        self._stopping = True
        self._some.set()
        self._enough.set()

    async def run(self) -> None:
        failures = 0
        while self._pending or not self._stopping:
            await self._collect()
            # One lease per job: a claim that was lost and claimed again is in here under its new one.
            batch, self._pending = self._still_ours(self._pending), []
            try:
                locked = await self.write(batch)
                self._pending = locked + self._pending
                failures = 0
                if locked:
                    await asyncio.sleep(LOCKED_S)
            except NOT_NOW as error:
                self._pending = self._still_ours(batch) + self._pending
                failures += 1
                _log.warning("settling waits for the database", jobs=len(batch), reason=str(error))
                await asyncio.sleep(min(2.0, 0.1 * 2 ** min(failures, 10)) * random.uniform(0.5, 1))  # noqa: S311

    async def _collect(self) -> None:
        if not self._pending:
            await self._some.wait()
        if not self._held_claims.is_quiet and not self._stopping:
            try:
                async with asyncio.timeout(FLUSH_AFTER_S):
                    await self._enough.wait()
            except TimeoutError:
                pass
        self._some.clear()
        self._enough.clear()

    async def write(self, batch: list[Ended]) -> list[Ended]:
        """Settle a batch; returns what is still ours but was locked by another transaction."""
        batch = sorted(batch, key=_id)  # the statements find leases by binary search
        done = [ended for ended in batch if ended[1] is SUCCEEDED]
        other = [ended for ended in batch if ended[1] is not SUCCEEDED]
        return (await self._succeed(done) if done else []) + (
            await self._settle(other) if other else []
        )

    async def _succeed(self, batch: list[Ended]) -> list[Ended]:
        ids, leases = _claims(batch)
        [written] = await self._db.alone(store.SUCCEED, ids, leases, timeout_s=store.TIMEOUT_S)
        if written.is_some_queued:
            self._signals.work.set()
        return await self._check(batch, written.ids)

    async def _settle(self, batch: list[Ended]) -> list[Ended]:
        ids, leases = _claims(batch)
        settlements = [settlement for _, settlement in batch]
        [written] = await self._db.alone(
            store.SETTLE,
            ids,
            leases,
            [each.status.value for each in settlements],
            [each.after_s for each in settlements],
            [each.error for each in settlements],
            [int(each.refund) for each in settlements],
            [each.setbacks for each in settlements],
            [each.domain for each in settlements],
            timeout_s=store.TIMEOUT_S,
        )
        if written.queued:
            self._signals.work.set()
        return await self._check(batch, written.ids, written.queued)

    async def _check(
        self, batch: list[Ended], written: list[int], queued: Sequence[int] = ()
    ) -> list[Ended]:
        """Record what was written; check the rest."""
        if any(claim.domain for claim, _ in batch):
            self._signals.work.set()
        if len(written) == len(batch):
            self._record(batch, set(queued))
            return []
        ids = set(written)
        self._record([ended for ended in batch if ended[0].id in ids], set(queued))
        return await self._check_missing([ended for ended in batch if ended[0].id not in ids])

    def _record(self, written: list[Ended], queued: set[int]) -> None:
        """Count and forget. A batch is all successes or has none (`write`)."""
        if written and written[0][1] is SUCCEEDED:
            self._counts.succeeded(claim for claim, _ in written)
        else:
            for claim, settlement in written:
                self._counts.settled(claim, settlement, is_queued=claim.id in queued)
        self._held_claims.forget(claim for claim, _ in written)

    async def _check_missing(self, missing: list[Ended]) -> list[Ended]:
        """Of what was not written, what is still ours; the rest is lost."""
        names = _claims(missing)
        held = set(await self._db.alone(store.HELD, *names, timeout_s=store.TIMEOUT_S))
        for claim, _ in missing:
            if claim.id not in held and (lost := self._held_claims.find(claim)) is not None:
                self._held_claims.lease_gone(lost)
        return [ended for ended in missing if ended[0].id in held]

    def _still_ours(self, batch: list[Ended]) -> list[Ended]:
        """What the renewer has not given up in the meantime."""
        return [ended for ended in batch if self._held_claims.find(ended[0]) is not None]


def _id(ended: Ended) -> int:
    return ended[0].id


def _claims(batch: list[Ended]) -> tuple[list[int], list[object]]:
    return [claim.id for claim, _ in batch], [claim.lease_id for claim, _ in batch]
