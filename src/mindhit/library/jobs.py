"""What the jobs of this slice do, and when they run. Their arguments are in `job_types.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from mindhit.errors import NotFound
from mindhit.fetching import FetchSettings
from mindhit.library import links, pruning
from mindhit.library.importing.progress import end_import
from mindhit.library.importing.running import read_file
from mindhit.library.importing.storing import NotRunning
from mindhit.library.job_types import (
    BACKFILL_DOMAIN,
    BackFill,
    EnrichLink,
    ImportFile,
    Index,
    Indexed,
    Prune,
    QueueLinks,
)
from mindhit.library.links import Permission
from mindhit.library.model import BadImport, ImportId, ImportStatus
from mindhit.library.search import backfill, indexing
from mindhit.library.search.pace import AT_FULL_PACE
from mindhit.settings import Settings
from mindhit.slices import Jobs, Product
from mindhit.work import Cancelled, Discard, Outcome, Schedule, Snooze, Work

if TYPE_CHECKING:
    from mindhit.library.enriching.enrich import Enricher


class _Enriching:
    """The HTTP library and the language engine are loaded by the first link that is read: most commands
    run no job."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._enricher: Enricher | None = None

    async def __call__(self, work: Work[EnrichLink]) -> Outcome | None:
        if self._enricher is None:
            from mindhit.library.enriching.enrich import Enricher  # noqa: PLC0415

            self._enricher = Enricher(self._settings)
        return await self._enricher(work)

    async def close(self) -> None:
        """Its connections and processes; called when the worker ends."""
        if self._enricher is not None:
            await self._enricher.close()
            self._enricher = None


class _Queuer:
    def __init__(self, permission: Permission) -> None:
        self._permission = permission

    async def __call__(self, work: Work[QueueLinks]) -> Snooze | None:
        if await links.queue(work.db, work.args.user_id, self._permission):
            return Snooze(0, "there are more links")
        return None


async def import_file(work: Work[ImportFile]) -> Cancelled | Discard | None:
    which = work.args.user_id, ImportId(work.args.import_id)
    try:
        await read_file(work.db, *which)
    except (NotFound, NotRunning):
        return Cancelled("the import was canceled")
    except BadImport as bad:
        async with work.db.transaction() as tx:
            await end_import(tx, *which, ImportStatus.FAILED, bad.message)
        return Discard(bad.message)
    except Exception as error:
        if work.is_last_attempt:
            async with work.db.transaction() as tx:
                await end_import(
                    tx, *which, ImportStatus.FAILED, f"{type(error).__name__}: {error}"
                )
        raise
    async with work.settling() as tx:
        await end_import(tx, *which, ImportStatus.SUCCEEDED)
    return None


async def prune(work: Work[Prune]) -> None:
    await pruning.prune(work.db)


async def index(work: Work[Index]) -> Snooze | None:
    pace = backfill.PACE if work.args.domain == BACKFILL_DOMAIN else AT_FULL_PACE
    match work.args:
        case Index(Indexed.SESSION, session_id, UUID() as user_id):
            await indexing.index_session(work.db, user_id, session_id, pace)
        case Index(Indexed.DESCRIPTION, session_id, UUID() as user_id):
            await indexing.index_description(work.db, user_id, session_id)
        case Index(Indexed.HIGHLIGHTS, session_id, UUID() as user_id):
            await indexing.index_highlights(work.db, user_id, session_id)
        case Index(Indexed.TEXT, content_id, UUID() as user_id):
            await indexing.index_text(work.db, user_id, content_id)
        case Index(Indexed.TEXT, content_id):
            await indexing.index_public_text(work.db, content_id)
        case Index(Indexed.BOOKMARKS, user_id):
            async with pace.portion():
                has_more = await indexing.index_bookmarks(work.db, user_id)
            if has_more:
                return Snooze(0, "there are more bookmarks")
    return None


async def back_fill(work: Work[BackFill]) -> None:
    await backfill.fill(work.db)


def jobs(product: Product) -> Jobs:
    return {
        QueueLinks: _Queuer(Permission.of(product.settings[FetchSettings])),
        EnrichLink: _Enriching(product.settings),
        ImportFile: import_file,
        Prune: prune,
        Index: index,
        BackFill: back_fill,
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (
        Schedule("library:prune", Prune(), every_s=pruning.PRUNE_EVERY_S),
        Schedule("library:backfill", BackFill(), every_s=backfill.EVERY_S),
    )
