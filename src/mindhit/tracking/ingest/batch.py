"""Store a batch of events, and fold those that are in order into the timeline.

One transaction: lock the session, read what is parked where the batch fills a hole, decide
everything in memory, write everything with one statement. Events for a session whose timeline is
closed, or that fill a hole that was given up, are stored immediately and folded by `tracking:refold`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import missing_texts, store
from mindhit.tracking.forgetting.late import forgotten_of, reaches_into, redact_batch
from mindhit.tracking.ingest.decoding import UnreadableEvent
from mindhit.tracking.ingest.validation import Unnumbered, Validator, is_valid_seq
from mindhit.tracking.job_types import Refold
from mindhit.tracking.model import SessionId, SessionNotFound, SessionOver
from mindhit.tracking.protocol import Event, SentEvent
from mindhit.tracking.quotas import NO_QUOTAS, Quotas, count_batch
from mindhit.tracking.store import array_literals as literals
from mindhit.tracking.store.columns import ContentColumns, UrlColumns
from mindhit.tracking.store.ingesting import BatchSession, BatchWrite
from mindhit.tracking.timeline import rows
from mindhit.tracking.timeline import state as states
from mindhit.tracking.timeline.fold import Folded, NotAtRest, fold
from mindhit.tracking.timeline.holes import PATIENCE_S, Log, Range
from mindhit.tracking.timeline.refolding import events_between
from mindhit.tracking.timeline.state import State, open_page
from mindhit.work import enqueue

LATE_EVENTS: Final = timedelta(days=30)  # after its stop, a session still accepts events
MAX_SAFE_INTEGER: Final = 2**53 - 1
# After so long, a batch lets other requests go first. 200 events take 2 ms; hostile ones (every character of
# a long URL has to be escaped) took the event loop 4 s.
AT_ONCE_S: Final = 0.02
REFOLD_AFTER_S: Final = 5.0  # one refold for the many batches of a browser that is back online

Sent = SentEvent | UnreadableEvent


@dataclass(frozen=True, slots=True)
class Rejected:
    index: int
    seq: int | None
    reason: str


@dataclass(slots=True)
class Receipt:
    """What became of the events of a batch."""

    acked_seq: int
    accepted: int = 0
    duplicates: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    missing: list[Range] = field(default_factory=list)
    page_count: int | None = None  # of the whole session; None where nothing changed


async def ingest_batch(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    sent: Sequence[Sent],
    quotas: Quotas = NO_QUOTAS,
) -> Receipt:
    """Store a batch. Raises `SessionNotFound`, `SessionOver`, and `DailyLimit` and `StorageLimit` over a quota.

    When the transaction commits, everything up to `acked_seq` is stored permanently, or is in a hole
    that was given up and is listed in `missing`.
    """
    session = await tx.maybe(store.ingesting.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.stopped_at is not None and session.now - session.stopped_at > LATE_EVENTS:
        raise SessionOver
    batch = _Batch(user_id, session_id, session)
    await batch.validate(sent)
    await batch.fold(tx)
    await batch.write(tx)
    await batch.count(tx, quotas)
    return batch.receipt


class _Batch:
    """One batch: what it brings, and what that changes."""

    def __init__(self, user_id: UUID, session_id: SessionId, session: BatchSession) -> None:
        self.session = session
        self.user_id = user_id
        self.session_id = session_id
        self.now_s = session.now.timestamp()
        self.validator = Validator(
            session_id, user_id, int(self.now_s * 1000), session.excluded_domains
        )
        self.log = Log.of(session)
        self.forgotten = forgotten_of(user_id, session_id, session.forgotten)
        self.fresh: dict[int, Event] = {}
        self.receipt = Receipt(0)
        state = states.try_unpack(session.fold_state)
        self.folded = Folded(State() if state is None else state)
        self.is_stale = session.is_stale or session.closed_at is not None or state is None
        self.is_refold_due = False
        self.is_hole_filled = False
        self.payload_size = 0

    async def validate(self, sent: Sequence[Sent]) -> None:
        is_in_order = self._is_in_order(sent)
        began = monotonic()
        for index, each in enumerate(sent):
            if monotonic() - began > AT_ONCE_S:
                await asyncio.sleep(0)
                began = monotonic()
            if not is_in_order and self._is_duplicate(each):
                self.receipt.duplicates += 1
                continue
            try:
                event = self.validator.validate(each)
            except Unnumbered as unnumbered:
                self._reject(index, each, str(unnumbered))
                continue
            self.fresh[event.seq] = event
            if event.payload.rejected is not None:
                self._reject(index, each, event.payload.rejected)
        self.receipt.accepted = len(sent) - self.receipt.duplicates - len(self.receipt.rejected)
        if self.forgotten is not None:
            redact_batch(self.forgotten, self.fresh, self.validator)

    def _reject(self, index: int, each: Sent, reason: str) -> None:
        self.receipt.rejected.append(Rejected(index, safe_integer(each.seq), reason))

    def _is_in_order(self, sent: Sequence[Sent]) -> bool:
        """As a healthy browser sends them: every event after the last one, and none twice."""
        before = self.log.max_seq
        for each in sent:
            if each.seq is None or each.seq <= before:
                return False
            before = each.seq
        return True

    def _is_duplicate(self, each: Sent) -> bool:
        if each.seq is None or not is_valid_seq(each.seq):
            return False
        if not self.validator.is_own(each.session_id):
            return False
        return each.seq in self.fresh or self.log.has(each.seq)

    async def fold(self, tx: Tx) -> None:
        """Fold what is in order now, or leave it to a refold where the timeline is already behind."""
        log = self.log
        late = [seq for seq in self.fresh if log.is_given_up(seq)] if log.holes else []
        arrived = sorted(self.fresh)
        if late:
            await self._drop_stored(tx, late)
        run = log.add(arrived, self.now_s)
        given_up = log.give_up_before(self.now_s - PATIENCE_S)
        if given_up is not None:
            run = (run[0] if run else given_up[0], given_up[1])
        self.receipt.acked_seq = log.acked
        self.receipt.missing = log.missing(self.session.last_seq)
        if self.is_stale or any(seq in self.fresh for seq in late):
            self.is_refold_due = bool(self.fresh) or run is not None
            return
        if run is None:
            return
        try:
            self.folded = fold(self.folded.state, await self._events(tx, run))
        except NotAtRest:
            self.is_refold_due = True
        if self.forgotten is not None and reaches_into(
            self.forgotten, self.folded.visits, self.validator
        ):
            self.is_refold_due = True

    async def _drop_stored(self, tx: Tx, late: Sequence[int]) -> None:
        """Drop duplicates: a hole that was merged from several may have stored events in it."""
        found = await tx.all(
            store.raw_events.STORED_AMONG, self.session.month, self.session_id, late
        )
        for seq in found:
            del self.fresh[seq]
        self.log.is_stored(found)
        rejected = [each for each in self.receipt.rejected if each.seq not in found]
        self.receipt.accepted -= len(found) - (len(self.receipt.rejected) - len(rejected))
        self.receipt.duplicates += len(found)
        self.receipt.rejected = rejected
        self.is_hole_filled = True

    async def _events(self, tx: Tx, run: Range) -> list[Event]:
        """The events of a range: those that just arrived, and those that were parked."""
        events = [event for seq, event in sorted(self.fresh.items()) if run[0] <= seq <= run[1]]
        if len(events) == run[1] - run[0] + 1:
            return events
        parked = await events_between(tx, self.session_id, self.session.month, *run)
        return sorted([*events, *parked], key=lambda event: event.seq)

    async def write(self, tx: Tx) -> None:
        is_moved = self.log.next_seq != self.session.next_seq or self.is_hole_filled
        if not self.fresh and not is_moved and not self.is_refold_due:
            return
        await self._add_icons(tx)
        read = {each.url_id: each.address for each in self.folded.texts_read}
        seen = {**read, **self.validator.addresses}
        events = rows.of_events(self.fresh.values())
        self.payload_size = len(events.event_payloads)
        written = await tx.one(
            store.ingesting.WRITE,
            BatchWrite(
                session_id=self.session_id,
                user_id=self.user_id,
                month=self.session.month,
                urls=self._urls(),
                contents=self._contents(),
                events=events,
                texts_read=rows.of_texts_read(seen, self.folded.texts_read),
                seen=rows.of_seen(seen, self.validator.no_fetch),
                timeline=rows.of_timeline(self.session_id, self.folded),
                progress=rows.of_progress(self.log, self.folded.state, self.folded.state.clock),
                is_stale=self.session.is_stale or self.is_refold_due,
                event_count=len(self.fresh),
                rejected_count=len(self.receipt.rejected),
                open_url_id=open_page(self.folded.state),
            ),
        )
        self.receipt.page_count = written.page_count
        await missing_texts.announce(tx, self.user_id, written.pending)
        if self.is_refold_due:
            await enqueue(tx, Refold(self.session_id, self.user_id), after_s=REFOLD_AFTER_S)

    async def count(self, tx: Tx, quotas: Quotas) -> None:
        if not self.fresh:
            return
        contents = self.validator.contents.values()
        await count_batch(
            tx,
            self.user_id,
            quotas,
            events=len(self.fresh),
            icons=sum(each.has_icon for each in contents),
            size=self.payload_size + sum(len(each.text) for each in contents),
        )

    async def _add_icons(self, tx: Tx) -> None:
        """A separate statement, since most batches need none."""
        contents = self.validator.contents
        ids = [id_ for id_ in rows.in_order(contents) if contents[id_].has_icon]
        if ids:
            icons = [contents[id_].favicon for id_ in ids]
            await tx.run(store.ingesting.ADD_ICONS, self.user_id, ids, icons)

    def _urls(self) -> UrlColumns:
        ids = rows.in_order(self.validator.urls)
        found = [self.validator.urls[id_] for id_ in ids]
        return UrlColumns(
            url_ids=literals.uuids(ids),
            url_hrefs=literals.texts([url.href for url in found]),
            url_domains=literals.texts([url.domain for url in found]),
        )

    def _contents(self) -> ContentColumns:
        contents = self.validator.contents
        found = [contents[id_] for id_ in rows.in_order(contents)]
        return ContentColumns(
            content_ids=[content.id for content in found],
            content_titles=[content.title for content in found],
            content_texts=[content.text for content in found],
            content_metas=[content.meta for content in found],
            content_favicons=[content.favicon for content in found],
        )


def safe_integer(seq: int | None) -> int | None:
    """None for a number that JavaScript could not represent exactly."""
    return seq if seq is not None and abs(seq) <= MAX_SAFE_INTEGER else None
