"""The job that reads a link's page. Once for everybody who saved it."""

from __future__ import annotations

from time import perf_counter
from uuid import UUID

from mindhit import log
from mindhit.db import Database
from mindhit.fetching import Fetcher, FetchFailed, FetchSettings, Page, fetch_in_slot
from mindhit.fetching.page_reader import PageReader, make_pool
from mindhit.library import store
from mindhit.library.enriching.outcome import Ended, ended
from mindhit.library.enriching.reading import Summariser, read, summariser_of
from mindhit.library.job_types import EnrichLink
from mindhit.library.links import Permission, lock_and_stamp
from mindhit.library.model import LinkState
from mindhit.settings import Settings
from mindhit.work import Cancelled, Discard, Outcome, Snooze, Work

_log = log.get(__name__)


class Enricher:
    """What lasts between jobs: connections, and the processes that read pages."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._permission = Permission.of(settings[FetchSettings])
        self._fetcher: Fetcher | None = None
        self._reader = PageReader(make_pool())
        self._summarise: Summariser | None = None

    async def __call__(self, work: Work[EnrichLink]) -> Outcome | None:
        began = perf_counter()
        outcome: Outcome | None = Discard("it was stopped")
        try:
            outcome = await self._enrich(work)
            return outcome
        finally:
            _log.info(
                "link",
                job_id=work.id,
                domain=work.domain,
                outcome="enriched" if outcome is None else type(outcome).__name__.lower(),
                attempt=work.attempt,
                job_duration_ms=round((perf_counter() - began) * 1000, 1),
            )

    async def close(self) -> None:
        await self._reader.close()
        if self._fetcher is not None:
            await self._fetcher.close()

    async def _enrich(self, work: Work[EnrichLink]) -> Outcome | None:
        link_id = work.args.link_id
        address = await self._address(work.db, link_id)
        if isinstance(address, Cancelled):
            return address
        try:
            fetched = await fetch_in_slot(work, self._open(work.db), address)
            if isinstance(fetched, Snooze):
                return fetched
            assert isinstance(fetched, Page)
            assert self._summarise is not None
            link = await read(
                link_id,
                fetched,
                attempts=work.attempt,
                fetcher=self._open(work.db),
                reader=self._reader,
                summarise=self._summarise,
            )
        except FetchFailed as error:
            failed = ended(error, is_last_attempt=work.is_last_attempt)
            if failed.is_dead:
                await self._bury(work, failed)
            return failed.outcome
        async with work.settling() as tx:
            await lock_and_stamp(tx, link_id)
            await tx.run(store.links.ENRICH, link)
        return None

    async def _address(self, db: Database, link_id: UUID) -> str | Cancelled:
        """Where to read it: the address of somebody for whom it may be read."""
        async with db.read() as tx:
            state = await tx.maybe(store.links.STATE, link_id)
            holders = await tx.all(store.links.HOLDERS, [link_id])
        if state != LinkState.WAITING or not holders:
            return Cancelled("nobody waits for it")
        allowed = [each.address for each in holders if self._permission.allows(each)]
        if allowed:
            return allowed[0]
        async with db.transaction() as tx:
            await lock_and_stamp(tx, link_id)
            await tx.run(store.links.DROP, [link_id])
        return Cancelled("the server may not read it")

    async def _bury(self, work: Work[EnrichLink], failed: Ended) -> None:
        async with work.db.transaction() as tx:
            await lock_and_stamp(tx, work.args.link_id)
            await tx.run(store.links.BURY, work.args.link_id, failed.reason, work.attempt)
            if failed.is_block and work.domain is not None:
                await tx.run(store.links.BLOCK, work.domain, failed.reason)

    def _open(self, db: Database) -> Fetcher:
        """With the first job: only then is the database known."""
        if self._fetcher is None:
            self._fetcher = Fetcher(db, self._settings[FetchSettings])
            self._summarise = summariser_of(db, self._settings)
        return self._fetcher
