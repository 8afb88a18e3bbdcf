"""The claims this worker holds, from the claim's commit until they are settled or lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mindhit.work.model import Claimed, JobId


@dataclass(slots=True)
class Held:
    claim: Claimed
    renewed_at: float
    runner: asyncio.Task[None] | None = None
    is_ended: bool = False
    is_lost: bool = False
    is_settled: bool = False


class Holdings:
    """Who runs what. A job is in here exactly as long as the worker answers for it.

    `dropped` is called whenever there is room again, whoever made it: a claimer that waits for
    room must hear of it from the completer and the renewer as well as from the runners.
    """

    def __init__(self, dropped: Callable[[], None] = lambda: None) -> None:
        self._held: dict[JobId, Held] = {}
        self._dropped = dropped
        self.settling = 0  # of these, how many have ended and wait for their settlement

    def __len__(self) -> int:
        return len(self._held)

    def add(self, claims: Iterable[Claimed], now: float) -> None:
        for claim in claims:
            # Taken again by the same worker after its old lease ran out: the new one counts, and
            # a handler that still works under the old one is stopped before both are at it.
            if (old := self._held.get(claim.id)) is not None:
                self.lose(old)
            self._held[claim.id] = Held(claim, now)

    def drop(self, claim: Claimed) -> None:
        """Let go of a claim; a newer claim of the same job stays."""
        held = self.find(claim)
        if held is not None:
            del self._held[claim.id]
            self.settling -= held.is_ended
            self._dropped()

    def end(self, held: Held) -> None:
        """Its handler is done with it; only the settlement is still to be written."""
        if self.find(held.claim) is held and not held.is_ended:
            held.is_ended = True
            self.settling += 1

    def settled(self, claim: Claimed) -> None:
        """Its handler has settled it in a transaction of its own. From the commit on, the lease is
        gone and the job may be claimed anew, while the handler still has things to do after it."""
        held = self.find(claim)
        if held is not None:
            held.is_settled = True

    def find(self, claim: Claimed) -> Held | None:
        held = self._held.get(claim.id)
        return held if held is not None and _is_same(held.claim, claim) else None

    def renewed_before(self, moment: float) -> list[Held]:
        return [held for held in self._held.values() if held.renewed_at < moment]

    def running(self) -> list[Held]:
        return [held for held in self._held.values() if held.runner is not None]

    def lose(self, held: Held) -> None:
        """The lease is gone: forget the job, and stop the handler, unless it gave the lease up."""
        held.is_lost = True
        self.drop(held.claim)
        if held.runner is not None and not held.is_settled:
            held.runner.cancel()


def _is_same(one: Claimed, other: Claimed) -> bool:
    return one is other or one.lease_id == other.lease_id
