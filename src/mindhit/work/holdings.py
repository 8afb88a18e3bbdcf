"""The claims this worker holds, from the claim's commit until they are settled or lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from mindhit.work.model import Claimed, JobId


@dataclass(slots=True)
class Held:
    claim: Claimed
    renewed_at: float
    runner: asyncio.Task[None] | None = None
    is_lost: bool = False


class Holdings:
    """Who runs what. A job is in here exactly as long as the worker answers for it."""

    def __init__(self) -> None:
        self._held: dict[JobId, Held] = {}

    def __len__(self) -> int:
        return len(self._held)

    def add(self, claims: Iterable[Claimed], now: float) -> None:
        for claim in claims:
            self._held[claim.id] = Held(claim, now)

    def drop(self, claim: Claimed) -> None:
        """Let go of a claim; a newer claim of the same job stays."""
        held = self._held.get(claim.id)
        if held is not None and held.claim.lease_id == claim.lease_id:
            del self._held[claim.id]

    def find(self, claim: Claimed) -> Held | None:
        held = self._held.get(claim.id)
        return held if held is not None and held.claim.lease_id == claim.lease_id else None

    def renewed_before(self, moment: float) -> list[Held]:
        return [held for held in self._held.values() if held.renewed_at < moment]

    def running(self) -> list[Held]:
        return [held for held in self._held.values() if held.runner is not None]

    def lose(self, held: Held) -> None:
        """The lease is gone: forget the job, and stop the handler that works on it."""
        held.is_lost = True
        self.drop(held.claim)
        if held.runner is not None:
            held.runner.cancel()
