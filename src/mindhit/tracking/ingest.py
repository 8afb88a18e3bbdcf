"""A batch of events goes into the log, and what is in order goes on into the timeline.

One transaction: lock the session, read what is parked where the batch fills a hole, decide
everything in memory, write everything with one statement. What comes for a session whose timeline
is closed, or fills a hole that was given up, is stored at once and folded by `tracking:refold`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from mindhit import urls
from mindhit.db import ReadTx, Tx
from mindhit.tracking import arrays, columns, store, wire
from mindhit.tracking import fold as folding
from mindhit.tracking import state as states
from mindhit.tracking.admit import Door, Unplaced, is_place
from mindhit.tracking.fold import Folded, RestBroken
from mindhit.tracking.kinds import Refold
from mindhit.tracking.model import Event, SessionId, SessionNotFound, SessionOver
from mindhit.tracking.news import TextMissing
from mindhit.tracking.sequence import Log, Range
from mindhit.tracking.state import State
from mindhit.work import enqueue, publish

LATE: Final = timedelta(days=30)
PATIENCE_S: Final = 300.0  # with a hole
MAX_SAFE: Final = 2**53 - 1
REFOLD_AFTER_S: Final = 5.0  # one refold for the many batches of a browser that came back


@dataclass(frozen=True, slots=True)
class Rejected:
    index: int
    seq: int | None
    reason: str


@dataclass(slots=True)
class Receipt:
    """What became of a batch."""

    acked_seq: int
    accepted: int = 0
    duplicates: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    missing: list[Range] = field(default_factory=list)


async def ingest(
    tx: Tx, user_id: UUID, session_id: SessionId, sent: Sequence[wire.Sent | wire.Unread]
) -> Receipt:
    """Take a batch. Raises `SessionNotFound`, `SessionOver`.

    When the transaction commits, everything up to `acked_seq` is stored for good, or lies in a
    hole that was given up and is listed in `missing`.
    """
    session = await tx.maybe(store.ingesting.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.stopped_at is not None and session.now - session.stopped_at > LATE:
        raise SessionOver
    batch = _Batch(user_id, session_id, session)
    batch.admit(sent)
    await batch.fold(tx)
    await batch.write(tx)
    return batch.receipt


async def events_between(
    tx: ReadTx, session_id: SessionId, month: date, first: int, last: int
) -> list[Event]:
    stored = await tx.all(store.ingesting.EVENTS, month, session_id, first, last)
    return [columns.event_of(each) for each in stored]


class _Batch:
    """One batch on its way: what came, what it changes."""

    def __init__(
        self, user_id: UUID, session_id: SessionId, session: store.ingesting.Locked
    ) -> None:
        self.session = session
        self.user_id = user_id
        self.session_id = session_id
        self.now_s = session.now.timestamp()
        self.door = Door(session_id, user_id, int(self.now_s * 1000), session.excluded_domains)
        self.log = Log.stored(session.next_seq, session.parked, session.holes)
        self.fresh: dict[int, Event] = {}
        self.receipt = Receipt(0)
        state = states.read(session.fold_state)
        self.folded = Folded(State() if state is None else state)
        self.is_stale = session.is_stale or session.closed_at is not None or state is None
        self.is_refold_due = False
        self.is_hole_mended = False

    def admit(self, sent: Sequence[wire.Sent | wire.Unread]) -> None:
        is_plain = self._is_plain(sent)
        for index, each in enumerate(sent):
            if not is_plain and self._is_known(each):
                self.receipt.duplicates += 1
                continue
            try:
                event = self.door.admit(each)
            except Unplaced as unplaced:
                self._reject(index, each, str(unplaced))
                continue
            self.fresh[event.seq] = event
            if event.payload.rejected is not None:
                self._reject(index, each, event.payload.rejected)
        self.receipt.accepted = len(sent) - self.receipt.duplicates - len(self.receipt.rejected)

    def _reject(self, index: int, each: wire.Sent | wire.Unread, reason: str) -> None:
        self.receipt.rejected.append(Rejected(index, told(each.seq), reason))

    def _is_plain(self, sent: Sequence[wire.Sent | wire.Unread]) -> bool:
        """What a healthy browser sends: every event after the last one, and none twice."""
        before = self.log.max_seq
        for each in sent:
            if each.seq is None or each.seq <= before:
                return False
            before = each.seq
        return True

    def _is_known(self, each: wire.Sent | wire.Unread) -> bool:
        if each.seq is None or not is_place(each.seq) or not self.door.is_ours(each.session_id):
            return False
        return each.seq in self.fresh or self.log.has(each.seq)

    async def fold(self, tx: Tx) -> None:
        """Fold what is in order now; or leave it to the refold, where order was lost before."""
        log = self.log
        late = [seq for seq in self.fresh if log.is_given_up(seq)] if log.holes else []
        come = sorted(self.fresh)
        if late:
            await self._drop_known(tx, late)
        run = log.add(come, self.now_s)
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
            self.folded = folding.fold(self.folded.state, await self._events(tx, run))
        except RestBroken:
            self.is_refold_due = True

    async def _drop_known(self, tx: Tx, late: Sequence[int]) -> None:
        """Holes that became one for their number have events in them that did come."""
        found = await tx.all(store.ingesting.STORED, self.session.month, self.session_id, late)
        for seq in found:
            del self.fresh[seq]
        rejected = [each for each in self.receipt.rejected if each.seq not in found]
        self.receipt.accepted -= len(found) - (len(self.receipt.rejected) - len(rejected))
        self.receipt.duplicates += len(found)
        self.receipt.rejected = rejected
        self.is_hole_mended = True

    async def _events(self, tx: Tx, run: Range) -> list[Event]:
        """The events of a run: those that just came, and those that waited for them."""
        events = [event for seq, event in sorted(self.fresh.items()) if run[0] <= seq <= run[1]]
        if len(events) == run[1] - run[0] + 1:
            return events
        waiting = await events_between(tx, self.session_id, self.session.month, *run)
        return sorted([*events, *waiting], key=lambda event: event.seq)

    async def write(self, tx: Tx) -> None:
        is_moved = self.log.next_seq != self.session.next_seq or self.is_hole_mended
        if not self.fresh and not is_moved and not self.is_refold_due:
            return
        await self._add_icons(tx)
        pending = await tx.all(
            store.ingesting.WRITE,
            self.session_id,
            self.user_id,
            self.session.month,
            *self._pages(),
            *self._texts(),
            *columns.of_events(self.fresh.values()),
            *columns.of_readings(self.door.pages, self.folded.readings),
            *columns.of_timeline(self.session_id, self.folded),
            *self._session_columns(),
        )
        if pending:
            await self._tell_missing(tx, pending)
        if self.is_refold_due:
            await enqueue(tx, Refold(self.session_id, self.user_id), after_s=REFOLD_AFTER_S)

    async def _add_icons(self, tx: Tx) -> None:
        """A statement of its own, which most batches go without."""
        ids = [id_ for id_ in columns.in_order(self.door.texts) if self.door.texts[id_].has_icon]
        if ids:
            found = [self.door.texts[id_].favicon for id_ in ids]
            await tx.run(store.ingesting.ADD_ICONS, self.user_id, ids, found)

    async def _tell_missing(self, tx: Tx, url_ids: Sequence[UUID]) -> None:
        """Of what was parked only the page's name is left, not the address it was seen under."""
        for page in await tx.all(store.ingesting.PAGES, url_ids):
            address = urls.address(self.door.addresses.get(page.id, page.url))
            await publish(tx, TextMissing(self.user_id, page.id, address, page.domain))

    def _pages(self) -> tuple[str, str, str]:
        ids = columns.in_order(self.door.pages)
        pages = [self.door.pages[id_] for id_ in ids]
        return (
            arrays.uuids(ids),
            arrays.texts([page.href for page in pages]),
            arrays.texts([page.domain for page in pages]),
        )

    def _texts(self) -> tuple[list[object], ...]:
        texts = [self.door.texts[id_] for id_ in columns.in_order(self.door.texts)]
        return (
            [text.id for text in texts],
            [text.title for text in texts],
            [text.text for text in texts],
            [text.meta for text in texts],
            [text.favicon for text in texts],
        )

    def _session_columns(self) -> tuple[object, ...]:
        log, state = self.log, self.folded.state
        return (
            log.next_seq,
            log.max_seq,
            log.parked,
            log.holes,
            log.hole_since,
            states.pack(state),
            self.session.is_stale or self.is_refold_due,
            state.clock,
            len(self.receipt.rejected),
            len(self.fresh),
            states.start_of(state),
        )


def told(seq: int | None) -> int | None:
    """A number that JSON's readers could not take is not said back."""
    return seq if seq is not None and abs(seq) <= MAX_SAFE else None
