"""The claims this worker holds, from the claim's commit until they are settled or lost.

    claimed ─▶ WAITING ─ a runner takes it ─▶ RUNNING ─ its handler ends ─▶ ENDED ─ written ─▶ forgotten
                  │                            │   ▲                          │
                  └─ handed back ─▶ ENDED      │   └ the commit failed        │
                                               ▼   │                          │
                       its own transaction ─▶ SETTLED ◀── a handler that was ─┘
                                               │          given up commits
                                               └─ its handler ends ─▶ forgotten, as succeeded

    WAITING, RUNNING, ENDED ─ the lease is gone ─▶ LOST: forgotten at once; a handler is stopped

ENDED has its settlement still to be written. LOST ends everything: whatever the handler does then is
rejected, and its slot in the domain is freed once it has ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from mindhit.work.model import Claimed, JobId
from mindhit.work.running.outcome_counts import OutcomeCounts
from mindhit.work.signals import Signals


class HeldState(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    SETTLED = "settled"
    ENDED = "ended"
    LOST = "lost"


WAITING, RUNNING, SETTLED, ENDED, LOST = HeldState


class Stoppable(Protocol):
    """What runs a claim's handler."""

    def stop(self) -> None: ...


@dataclass(slots=True, eq=False)
class HeldClaim:
    claim: Claimed
    added_at: float
    renewed_at: float
    runner: Stoppable | None = None  # who runs it, also while a lost one is being stopped
    state: HeldState = WAITING

    @property
    def is_lost(self) -> bool:
        return self.state is LOST

    @property
    def is_settled(self) -> bool:
        return self.state is SETTLED

    def start(self, runner: Stoppable) -> None:
        self.runner = runner
        self.state = RUNNING


class HeldClaims:
    """Who runs what. A job is in here exactly as long as the worker is responsible for it.

    Signals whenever there is room for more, whoever made it: the completer and the renewer free room
    as well as the runners.
    """

    def __init__(
        self,
        signals: Signals | None = None,
        counts: OutcomeCounts | None = None,
    ) -> None:
        self._held: dict[JobId, HeldClaim] = {}
        self._signals = signals or Signals()
        self.counts = counts or OutcomeCounts()
        self.settling = 0  # how many have ended and wait for their settlement to be written
        self.is_claiming = False  # more may be on their way here
        # Lost claims with a slot in a domain whose handlers have ended: the renewer frees the slots.
        self.slots_to_free: list[Claimed] = []

    def __len__(self) -> int:
        return len(self._held)

    @property
    def unended(self) -> int:
        """How many wait for a runner or have one."""
        return len(self._held) - self.settling

    @property
    def is_quiet(self) -> bool:
        """Nothing runs, nothing waits, and nothing is on its way here."""
        return len(self._held) == self.settling and not self.is_claiming

    def add(self, claims: Iterable[Claimed], now: float) -> list[HeldClaim]:
        added = [HeldClaim(claim, now, now) for claim in claims]
        for held in added:
            # Claimed again by the same worker after the old lease ran out: the new one counts, and
            # a handler that still runs under the old one is stopped.
            if (old := self._held.get(held.claim.id)) is not None:
                self.lease_gone(old)
            self._held[held.claim.id] = held
        return added

    def forget(self, claims: Iterable[Claimed]) -> None:
        """Remove claims; a newer claim of the same job stays."""
        before = len(self._held)
        for claim in claims:
            held = self.find(claim)
            if held is not None:
                del self._held[claim.id]
                self.settling -= held.state is ENDED
        if len(self._held) < before:
            self._signals.room.set()

    def mark_ended(self, held: HeldClaim) -> None:
        """Its handler is done; only the settlement is still to be written."""
        if held.state is not ENDED and self.find(held.claim) is held:
            held.state = ENDED
            self.settling += 1

    def mark_settled(self, claim: Claimed, is_settled: bool) -> None:
        """Its handler has settled it in its own transaction, or the commit failed after all. From the
        commit on, the lease is gone and the job may be claimed again while the handler still runs."""
        held = self.find(claim)
        if held is None or is_settled is held.is_settled:
            return
        if not is_settled:
            held.state = RUNNING
            if held.runner is None:  # given up before, and its settlement is on its way
                self.mark_ended(held)
            return
        self.settling -= held.state is ENDED
        held.state = SETTLED

    def find(self, claim: Claimed) -> HeldClaim | None:
        held = self._held.get(claim.id)
        if held is None or (held.claim is not claim and held.claim.lease_id != claim.lease_id):
            return None
        return held

    def all(self) -> Iterable[HeldClaim]:
        return self._held.values()

    def renewed_before(self, moment: float) -> list[HeldClaim]:
        return [held for held in self._held.values() if held.renewed_at < moment]

    def lease_gone(self, held: HeldClaim) -> None:
        """The lease is gone, given up by the handler's own commit or taken away: forget the job, and
        stop a handler that did not give it up. Counts once, whoever notices and however often."""
        if self.find(held.claim) is not held:
            return
        self.forget([held.claim])
        if held.state is SETTLED:
            self.counts.succeeded([held.claim])
            return
        held.state = LOST
        self.counts.lost(held.claim)
        if held.runner is not None:
            held.runner.stop()
        else:
            self.free_slot(held)

    def free_slot(self, held: HeldClaim) -> None:
        """No handler runs a lost claim any more: its slot in the domain can be freed."""
        if held.state is LOST and held.claim.domain is not None:
            self.slots_to_free.append(held.claim)
