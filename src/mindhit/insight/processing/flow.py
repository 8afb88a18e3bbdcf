"""The steps from a closed timeline to a completed session.

    take stock ─▶ summaries ─▶ crawls pending? wait ─▶ theirs too ─▶ map, title, keywords ─▶ report, complete
       each stored when it is there                                   one transaction          one transaction

Killed anywhere, the next run finds what is there and goes on with the first thing that is missing: a
summary is its text's, a model's answer is stored with its tokens, and a map is kept while `made_of` is
the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Final
from uuid import UUID

from mindhit import tracking
from mindhit.db import Database, Tx
from mindhit.insight import showing, store
from mindhit.insight.job_types import MailReport, ProcessSession
from mindhit.insight.processing import mapping
from mindhit.insight.processing.pages import read_pages
from mindhit.insight.processing.summarising import AT_ONCE, summarise_all
from mindhit.insight.store.processing import Stock
from mindhit.language import Language, Reader
from mindhit.tracking import SessionId, Status
from mindhit.work import Cancelled, Snooze, Work, enqueue

RUN_S: Final = 300.0  # of one run; then it comes back, without an attempt
QUIET_S: Final = 60.0  # after a refold: more late events may follow
CRAWL_S: Final = 120.0  # how long pages that are being fetched are waited for
LOOK_AGAIN_S: Final = 5.0
NOTE_EVERY_S: Final = 1.0
SUMMARIES, MAP, MAIL = "summaries", "map", "mail"
AGAIN: Final = frozenset({SUMMARIES, MAP})
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Progress:
    """Who watches the session sees how far it is, at most once a second."""

    db: Database
    user_id: UUID
    session_id: SessionId
    _noted_at: float = field(default=float("-inf"))

    async def note(self, step: str, done: int, total: int) -> None:
        if monotonic() - self._noted_at < NOTE_EVERY_S:
            return
        self._noted_at = monotonic()
        async with self.db.transaction() as tx:
            await tracking.note_progress(tx, self.user_id, self.session_id, step, done, total)


async def process(work: Work[ProcessSession], language: Language) -> Snooze | Cancelled | None:
    user_id, session_id = work.args.user_id, SessionId(work.args.session_id)
    until = monotonic() + RUN_S
    stock = await take_stock(work.db, user_id, session_id)
    if stock is None:
        return Cancelled("the session was deleted")
    if wait := _refolding(stock):
        return wait
    reader = Reader(user_id, session_id)
    progress = _Progress(work.db, user_id, session_id)
    at_once = AT_ONCE if work.args.domain is None else 1  # of back-filled sessions
    if not await _summarise(work.db, language, reader, stock, progress, until, at_once):
        return Snooze(0, "more pages are to be summarised")
    if wait := await _crawling(work.db, user_id, session_id, stock):
        return wait
    # What was fetched while the others were summarised.
    if not await _summarise(work.db, language, reader, stock, progress, until, at_once):
        return Snooze(0, "more pages are to be summarised")
    await progress.note(MAP, 0, 1)
    await _map(work.db, language, reader, stock)
    await progress.note(MAIL, 0, 1)
    await finish(work, stock)
    return None


async def take_stock(db: Database, user_id: UUID, session_id: SessionId) -> Stock | None:
    async with db.read() as tx:
        return await tx.maybe(store.processing.STOCK, session_id, user_id)


def _refolding(stock: Stock) -> Snooze | None:
    """A completed session's timeline changed: wait until it has been quiet."""
    if stock.status != Status.COMPLETED or stock.quiet_s is None or stock.quiet_s >= QUIET_S:
        return None
    return Snooze(QUIET_S - stock.quiet_s, "waiting for the timeline to be quiet")


async def _summarise(
    db: Database,
    language: Language,
    reader: Reader,
    stock: Stock,
    progress: _Progress,
    until: float,
    at_once: int,
) -> bool:
    before = stock.asked_at if SUMMARIES in (stock.again or ()) else None
    reader = _asking(reader, stock, SUMMARIES)
    async with db.read() as tx:
        missing = await tx.all(
            store.processing.UNSUMMARISED, reader.session_id, reader.user_id, before or _LONG_AGO
        )

    async def noted(done: int, total: int) -> None:
        await progress.note(SUMMARIES, done, total)

    if missing:
        await noted(0, len(missing))
    return await summarise_all(db, language, reader, missing, noted, until=until, at_once=at_once)


async def _crawling(
    db: Database, user_id: UUID, session_id: SessionId, stock: Stock
) -> Snooze | None:
    """The server is still fetching pages of the session: wait for them, but not for long."""
    if stock.quiet_s is None or stock.quiet_s >= CRAWL_S or stock.status != Status.PROCESSING:
        return None
    async with db.read() as tx:
        pending = await tx.one(store.processing.PENDING, session_id, user_id)
    return Snooze(LOOK_AGAIN_S, f"{pending} pages are being fetched") if pending else None


async def _map(db: Database, language: Language, reader: Reader, stock: Stock) -> None:
    """Kept where nothing it was made of has changed."""
    assert reader.user_id is not None
    assert reader.session_id is not None
    user_id, session_id = reader.user_id, SessionId(reader.session_id)
    async with db.read() as tx:
        pages = await read_pages(tx, user_id, session_id)
    facts = mapping.made_of(pages, stock.title if stock.title_by == "reader" else None)
    is_again = MAP in (stock.again or ())
    if facts == stock.made_of and not is_again:
        async with db.transaction() as tx:
            await tx.run(store.maps.STILL_TRUE, session_id, user_id, stock.timeline_version)
            await showing.refresh_shown(tx, user_id, session_id)
        return
    made = await mapping.make(language, _asking(reader, stock, MAP), pages, stock)
    async with db.transaction() as tx:
        await mapping.keep(tx, user_id, session_id, made, facts, stock.timeline_version)
        known = {visit for page in pages for visit in page.visit_ids}
        await showing.forget_labels(tx, user_id, session_id, known)


def _asking(reader: Reader, stock: Stock, part: str) -> Reader:
    """What a reader wants made again, a model is asked again: its stored answer would make the same."""
    if part not in (stock.again or ()) or stock.asked_at is None:
        return reader
    return replace(reader, again=stock.asked_at.isoformat())


async def finish(work: Work[ProcessSession], stock: Stock) -> None:
    """Completed, with its one report, and the job done, together. Where the timeline has moved on,
    nothing is: the next `TimelineClosed` is on its way."""
    user_id, session_id = work.args.user_id, SessionId(work.args.session_id)
    async with work.settling() as tx:
        if await tracking.complete(tx, user_id, session_id, stock.timeline_version):
            await _report(tx, user_id, session_id, stock)
            if stock.asked_at is not None:
                await tx.run(store.processing.REQUEST_MET, session_id, user_id, stock.asked_at)


async def _report(tx: Tx, user_id: UUID, session_id: SessionId, stock: Stock) -> None:
    """One per session, ever; of one that was completed before it came here, none is sent."""
    is_due = stock.status != Status.COMPLETED
    state = "due" if is_due else "off"
    added = await tx.maybe(store.reports.ADD, session_id, user_id, state)
    if added is not None and is_due:
        await enqueue(tx, MailReport(session_id, user_id))


async def fail(work: Work[ProcessSession], error: Exception) -> None:
    """The last attempt failed: say so, so that the reader can try again."""
    user_id, session_id = work.args.user_id, SessionId(work.args.session_id)
    stock = await take_stock(work.db, user_id, session_id)
    if stock is None:
        return
    reason = f"{type(error).__name__}: {error}"
    async with work.db.transaction() as tx:
        await tracking.fail(tx, user_id, session_id, stock.timeline_version, reason)
