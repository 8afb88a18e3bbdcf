"""Redact one session: its log, then its timeline, which is folded again from that log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

import msgspec

from mindhit.db import ReadTx, Tx
from mindhit.tracking import store
from mindhit.tracking.forgetting.ranges import Forgotten, Range
from mindhit.tracking.forgetting.redaction import Plan, Reading, plan
from mindhit.tracking.model import EPOCH, MILLISECOND, Highlight, SessionId, Visit
from mindhit.tracking.protocol import MAX_SEQ, NO_PAYLOAD, Event
from mindhit.tracking.store.array_literals import ints
from mindhit.tracking.store.forgetting import Redacted, Selected
from mindhit.tracking.store.refolding import FoldSession
from mindhit.tracking.timeline import refolding, rows
from mindhit.tracking.timeline.fold import finish, fold
from mindhit.tracking.timeline.state import State

_encode = msgspec.json.Encoder().encode


async def redact(
    tx: Tx, user_id: UUID, session_id: SessionId, ranges: Iterable[Range], selected: Selected | None
) -> bool:
    """Forget these ranges in one session, which stays locked. Again, it changes nothing.

    Where the log is no longer kept, `selected` says what goes from the timeline. True where something
    changed.
    """
    session = await refolding.lock(tx, user_id, session_id)
    forgotten = Forgotten(user_id, session_id, ranges)
    if not forgotten:
        return False
    urls = set[UUID | None]()
    is_changed = False
    # Until nothing is left to do: without a page that was forgotten, the one before it may have stayed
    # longer, into a forgotten stretch (one log in some thousands that are made up at random).
    while found := await _redact_log(tx, session, forgotten):
        is_changed = True
        urls |= found
    if await tx.one(store.refolding.IS_LOG_GONE, session_id, user_id):
        return await _redact_timeline(tx, session, user_id, selected)
    if not is_changed:
        return False
    changed = [each for each in urls if each is not None]
    await tx.run(store.forgetting.UNLINK_TEXTS, user_id, session_id, changed)
    await tx.run(store.forgetting.CLEAR_GENERATED, user_id, session_id)
    await refolding.refold(tx, user_id, session_id)
    await tx.run(store.highlights.DELETE_FORGOTTEN, user_id, [session_id])
    await tx.run(store.forgetting.RESTORE_ADDRESSES, user_id, changed)
    return True


async def _redact_timeline(
    tx: Tx, session: FoldSession, user_id: UUID, selected: Selected | None
) -> bool:
    """The same without a log: what was selected goes from the timeline."""
    if selected is None:
        return False
    session_id = SessionId(session.id)
    urls = await hide(tx, replace(selected, session_ids=[session_id]))
    await tx.run(store.forgetting.UNLINK_TEXTS, user_id, session_id, urls)
    await _settle_timeline(tx, user_id, session_id)
    await tx.run(store.forgetting.RESTORE_ADDRESSES, user_id, urls)
    if urls and session.closed_at is not None:
        await refolding.publish_closed(tx, user_id, session_id, is_first=False)
    return True


async def redact_late(tx: Tx, user_id: UUID, session_id: SessionId) -> bool:
    """Before a session is folded again: what arrived for it may reach into what was forgotten."""
    told = await tx.maybe(store.forgetting.OF_PERSON, session_id, user_id)
    if not told:
        return False
    return await redact(tx, user_id, session_id, msgspec.convert(told, list[Range]), None)


async def hide(tx: Tx, selected: Selected) -> list[UUID]:
    """Take visits and highlights with their notes out of timelines, whatever their logs say. The caller has locked the
    sessions. Returns the pages of those visits."""
    assert selected.session_ids is not None
    who, sessions = selected.user_id, selected.session_ids
    await tx.run(store.forgetting.DELETE_HIGHLIGHTS, selected)
    await tx.run(store.highlights.DELETE_FORGOTTEN, who, sessions)
    urls = await tx.all(store.forgetting.PAUSE_VISITS, selected)
    await tx.run(store.forgetting.DELETE_ORIGINS, who, sessions)
    await tx.run(store.forgetting.HIDE_DOMAINS, who, sessions)
    return urls


async def _settle_timeline(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    await tx.run(store.forgetting.RENUMBER, user_id, session_id)
    await tx.run(store.forgetting.DROP_STATE, user_id, session_id)
    await tx.run(store.forgetting.CLEAR_GENERATED, user_id, session_id)
    await tx.run(store.refolding.COUNT, session_id, user_id)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a session loses."""

    visits: int
    pages: int
    highlights: int


async def estimate(
    tx: ReadTx, user_id: UUID, session: FoldSession, ranges: Iterable[Range]
) -> Loss:
    """What redacting a session would take from its timeline. Reads its log twice."""
    log = await _read(tx, session)
    found = await _plan(tx, log, Forgotten(user_id, session.id, ranges))
    after = await _read(tx, session, found)
    left = {each.opened_by_seq for each in after.visits}
    lost = [each for each in log.visits if each.opened_by_seq not in left]
    return Loss(
        len(lost),
        len({each.url_id for each in lost}),
        len(log.highlights) - len(after.highlights),
    )


@dataclass(slots=True)
class _Log:
    """A session's log with its stays, and the timeline that it gives."""

    reading: Reading
    visits: list[Visit]
    highlights: list[Highlight]


async def _read(tx: ReadTx, session: FoldSession, redacted: Plan | None = None) -> _Log:
    log = _Log(Reading(), [], [])
    state = State()
    async for piece in _pieces(tx, session):
        events = piece if redacted is None else [redacted.redact(each) for each in piece]
        for each in events:
            log.reading.take(each)
        folded = fold(state, [each for each in events if each.seq < session.next_seq])
        state = folded.state
        log.visits += folded.visits
        log.highlights += folded.highlights
    ending = refolding.at_end_of(session)
    if session.closed_at is None:  # what is open may last until now
        ending = partial(finish, at=(session.now - EPOCH) // MILLISECOND)
    log.visits += ending(state).visits
    return log


async def _plan(tx: ReadTx, log: _Log, forgotten: Forgotten) -> Plan:
    ids = {each.url_id for each in log.reading.noted if each.url_id is not None}
    known = await tx.all(store.forgetting.DOMAINS, list(ids))
    return plan(log.reading, log.visits, forgotten, {each.id: each.domain for each in known})


async def _redact_log(tx: Tx, session: FoldSession, forgotten: Forgotten) -> set[UUID | None]:
    """The URLs of the events that were changed: None for those without one. Empty where none was."""
    found = await _plan(tx, await _read(tx, session), forgotten)
    if not found.stripped and not found.marked:
        return set()
    urls = set[UUID | None]()
    async for events in _pieces(tx, session):
        redacted = [(event, found.redact(event)) for event in events]
        changed = [after for before, after in redacted if after != before]
        if changed:
            urls |= {before.url_id for before, after in redacted if after != before}
            await tx.run(store.forgetting.REDACT, _rows(session, changed))
    return urls


def _rows(session: FoldSession, events: list[Event]) -> Redacted:
    return Redacted(
        month=session.month,
        session_id=session.id,
        seqs=ints([each.seq for each in events]),
        url_ids=[each.url_id for each in events],
        payloads=[None if each.payload == NO_PAYLOAD else _encode(each.payload) for each in events],
    )


async def _pieces(tx: ReadTx, session: FoldSession) -> AsyncIterator[list[Event]]:
    """All that is stored, also what lies behind a hole."""
    after = 0
    while stored := await tx.all(
        store.raw_events.AFTER, session.month, session.id, after, MAX_SEQ + 1, refolding.AT_ONCE
    ):
        yield [rows.event_of(each) for each in stored]
        after = stored[-1].seq
