"""What a handler gets: its arguments, and a way to settle the job together with its effect."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from mindhit.db import Contended, Database, StatementTimedOut, Tx
from mindhit.work import store
from mindhit.work.claiming.claimer import DOMAIN_LIMIT
from mindhit.work.model import Claimed, JobId, LeaseLost

Args = TypeVar("Args")


class Work(Generic[Args]):
    """One claimed job, as its handler sees it.

    async def enrich_link(work: Work[EnrichLink]) -> Outcome | None:
        page = await fetch(work.args.url)
        async with work.settling() as tx:       # effect and completion commit together, or neither
            await save(tx, page)
    """

    def __init__(
        self,
        db: Database,
        claimed: Claimed,
        args: Args,
        settled: Callable[[Claimed, bool], None] = lambda _, __: None,
        domain_limit: int = DOMAIN_LIMIT,
    ) -> None:
        self.db = db
        self.args = args
        self.id: JobId = claimed.id
        self.domain = claimed.domain  # where it holds a slot
        self.attempt = claimed.attempts
        self.is_last_attempt = claimed.attempts >= claimed.max_attempts
        self.settled_as: str | None = None
        self._claimed = claimed
        self._settled = settled
        self._domain_limit = domain_limit

    @asynccontextmanager
    async def settling(self) -> AsyncIterator[Tx]:
        """A transaction at whose end the job is done. A lost lease rolls all of it back."""
        is_ending = False
        try:
            async with self.db.transaction() as tx:
                yield tx
                is_ending = True
                status = await self._succeed(tx)
                # Before the commit: right after it, others may claim the job.
                self._settled(self._claimed, True)
        except BaseException as error:
            # Unless an earlier transaction settled it: what was committed stays.
            self._settled(self._claimed, self.settled_as is not None)
            if is_ending and type(error) is StatementTimedOut:
                # Somebody else has locked the job's own row: not the handler's fault.
                raise Contended(reason="the job's success could not be written in time") from error
            raise
        self.settled_as = status

    async def keep_lease(self, tx: Tx) -> None:
        """For a step that does not end the job: until `tx` ends nobody else can take the job over.
        Raises `LeaseLost` where somebody has, or may have: this process was frozen, or out of touch."""
        if await tx.maybe(store.LOCK_HELD, self.id, self._claimed.lease_id) is None:
            raise LeaseLost(job_id=self.id)

    async def take_slot(self, domain: str) -> int | None:
        """One more slot, in any domain, for a job that needs several sites at once; None while none
        is free. It lasts until it is given back, or until the job ends."""
        taken = await self.db.alone(
            store.TAKE_SLOT, self.id, self._claimed.lease_id, domain, self._domain_limit
        )
        return taken[0] if taken else None

    async def give_slot_back(self, domain: str, slot: int) -> None:
        await self.db.alone(store.GIVE_SLOT_BACK, domain, slot, self.id)

    async def _succeed(self, tx: Tx) -> str:
        done = await tx.maybe(store.SUCCEED_ONE, self.id, self._claimed.lease_id)
        if done is None:
            raise LeaseLost(job_id=self.id)
        return done.status
