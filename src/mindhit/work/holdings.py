"""The claims this worker holds, from the claim's commit until they are settled or lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mindhit.work.ledger import Ledger
from mindhit.work.model import Claimed, JobId

Runner = asyncio.Task[None]


@dataclass(slots=True, eq=False)
class Held:
    claim: Claimed
    added_at: float
    renewed_at: float
    runner: Runner | None = None
    is_ended: bool = False
    is_lost: bool = False
    is_settled: bool = False


class Holdings:
    """Who runs what. A job is in here exactly as long as the worker answers for it.

    `dropped` is called whenever there is room again, whoever made it: a claimer that waits for
    room must hear of it from the completer and the renewer as well as from the runners. `stop` is
    called with the runner of a handler that has lost its lease.
    """

    def __init__(
        self,
        dropped: Callable[[], None] = lambda: None,
        ledger: Ledger | None = None,
        *,
        stop: Callable[[Runner], object] = Runner.cancel,
    ) -> None:
        self._held: dict[JobId, Held] = {}
        self._dropped = dropped
        self._stop = stop
        self.released: list[Claimed] = []  # lost with a place in a domain, and their handlers ended
        self.ledger = ledger or Ledger()
        self.settling = 0  # of these, how many have ended and wait for their settlement

    def __len__(self) -> int:
        return len(self._held)

    @property
    def unended(self) -> int:
        """How many wait for a runner or have one."""
        return len(self._held) - self.settling

    def add(self, claims: Iterable[Claimed], now: float) -> list[Held]:
        added = [Held(claim, now, now) for claim in claims]
        for held in added:
            # Taken again by the same worker after its old lease ran out: the new one counts, and
            # a handler that still works under the old one is stopped before both are at it.
            if (old := self._held.get(held.claim.id)) is not None:
                self.leave(old)
            self._held[held.claim.id] = held
        return added

    def drop(self, claims: Iterable[Claimed]) -> None:
        """Let go of claims; a newer claim of the same job stays."""
        before = len(self._held)
        for claim in claims:
            held = self.find(claim)
            if held is not None:
                del self._held[claim.id]
                self.settling -= held.is_ended
        if len(self._held) < before:
            self._dropped()

    def end(self, held: Held) -> None:
        """Its handler is done with it; only the settlement is still to be written."""
        if not held.is_ended and self.find(held.claim) is held:
            held.is_ended = True
            self.settling += 1

    def settled(self, claim: Claimed, is_settled: bool) -> None:
        """Its handler has settled it in a transaction of its own, or the commit failed after all.
        From the commit on, the lease is gone and the job may be claimed anew, while the handler
        still has things to do after it."""
        held = self.find(claim)
        if held is not None:
            held.is_settled = is_settled

    def find(self, claim: Claimed) -> Held | None:
        held = self._held.get(claim.id)
        if held is None or (held.claim is not claim and held.claim.lease_id != claim.lease_id):
            return None
        return held

    def all(self) -> Iterable[Held]:
        return self._held.values()

    def renewed_before(self, moment: float) -> list[Held]:
        return [held for held in self._held.values() if held.renewed_at < moment]

    def leave(self, held: Held) -> None:
        """The lease is gone, given up by the handler's own commit or taken away: forget the job.
        A handler that did not give it up is stopped. Counts once, whoever notices, and how often.
        """
        if self.find(held.claim) is not held:
            return
        self.drop([held.claim])
        if held.is_settled:
            self.ledger.succeeded([held.claim])
            return
        held.is_lost = True
        self.ledger.lost(held.claim)
        if held.runner is not None:
            self._stop(held.runner)
        else:
            self.release(held)

    def release(self, held: Held) -> None:
        """Nobody runs what was lost, or not any more: its domain's place needs to be kept no longer."""
        if held.is_lost and held.claim.domain is not None:
            self.released.append(held.claim)
