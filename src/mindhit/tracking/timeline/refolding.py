"""Fold stored events into the timeline: from the current state onwards, or again from the first event.

    refold         everything again from the raw events; the result equals one fold of the whole log
    give_up_holes  the fold continues behind holes that are too old
    fold_on        the common part: continue from the current state, then apply an ending

Every function locks the session, so batches of it wait.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import date
from functools import partial
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx, Tx
from mindhit.tracking import missing_texts, store
from mindhit.tracking.model import (
    EPOCH,
    MILLISECOND,
    LogGone,
    SessionId,
    SessionNotFound,
    TextRead,
)
from mindhit.tracking.protocol import Event
from mindhit.tracking.published import TimelineClosed
from mindhit.tracking.store.refolding import (
    FoldSession,
    StateWrite,
    TextReadWrite,
    TimelineWrite,
)
from mindhit.tracking.timeline import rows
from mindhit.tracking.timeline import state as states
from mindhit.tracking.timeline.fold import Folded, NotAtRest, finish, fold, rest
from mindhit.tracking.timeline.holes import PATIENCE_S, Log, Range
from mindhit.tracking.timeline.state import State
from mindhit.work import publish

AT_ONCE: Final = 2_000  # events held in memory

# What to do with the interval that is open after the last event: `Folded` leaves it open.
Ending = Callable[[State], Folded]


async def refold(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Fold a session again from its raw events. Raises `LogGone` where they are no longer kept."""
    session = await lock(tx, user_id, session_id)
    log = Log.of(session)
    if await tx.one(store.refolding.IS_LOG_GONE, session_id, user_id):
        raise LogGone
    ending: Ending = Folded
    if session.closed_at is not None:
        log.give_up()
        ending = at_end_of(session)
    elif not session.is_stale and _is_resting(session):
        ending = rest
    is_closed = session.closed_at is not None
    await fold_again(tx, user_id, session, log, ending, is_last=is_closed)
    await tx.run(store.refolding.COUNT, session_id, user_id)
    if is_closed:
        await publish_closed(tx, user_id, session_id, is_first=False)


async def publish_closed(tx: Tx, user_id: UUID, session_id: SessionId, *, is_first: bool) -> None:
    """The timeline is closed now (`is_first`), or was changed afterwards, which leaves the status.
    Where nobody makes anything of it, processing is over."""
    version = await tx.one(store.refolding.CLOSE, session_id, user_id, is_first)
    if not await publish(tx, TimelineClosed(session_id, user_id, version)):
        await tx.run(store.refolding.COMPLETE, session_id, user_id)


async def give_up_holes(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Continue the fold behind holes that are older than `PATIENCE_S`."""
    session = await lock(tx, user_id, session_id)
    if session.closed_at is not None:
        return
    log = Log.of(session)
    run = log.give_up_before(session.now.timestamp() - PATIENCE_S)
    if run is None:
        return
    if session.is_stale:
        await fold_again(tx, user_id, session, log, Folded)
    else:
        await fold_on(tx, user_id, session, log, run, Folded)
    await tx.run(store.refolding.COUNT, session_id, user_id)


async def lock(tx: Tx, user_id: UUID, session_id: SessionId) -> FoldSession:
    session = await tx.maybe(store.refolding.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    return session


def at_end_of(session: FoldSession) -> Ending:
    """Close what is open when the session ended."""
    ended = session.ended_at or session.now
    return partial(finish, at=(ended - EPOCH) // MILLISECOND)


async def fold_on(
    tx: Tx,
    user_id: UUID,
    session: FoldSession,
    log: Log,
    run: Range | None,
    ending: Ending,
    *,
    is_last: bool = False,
) -> None:
    """Continue from the current state over a range of stored events. Folds everything again where
    the state cannot be decoded. `is_last`: the timeline is closed with it."""
    session_id = SessionId(session.id)
    state = states.try_unpack(session.fold_state)
    if state is None:
        await fold_again(tx, user_id, session, log, ending, is_last=is_last)
        return
    events = [] if run is None else await events_between(tx, session_id, session.month, *run)
    try:
        folded = fold(state, events)
        last = ending(folded.state)
    except NotAtRest:
        await fold_again(tx, user_id, session, log, ending, is_last=is_last)
        return
    await _write_timeline(tx, session_id, folded)
    await _write_timeline(tx, session_id, last)
    textless = await _textless(tx, user_id, session) if is_last else ()
    await _write_texts(tx, user_id, session_id, folded.texts_read, textless)
    await _write_state(tx, user_id, session_id, log, last.state, folded.state.clock)


async def fold_again(
    tx: Tx,
    user_id: UUID,
    session: FoldSession,
    log: Log,
    ending: Ending,
    *,
    is_last: bool = False,
) -> None:
    """Fold the whole log from its first event."""
    session_id = SessionId(session.id)
    visits: list[int] = []
    stored: list[int] = []
    texts_read: list[TextRead] = []
    state = State()
    await tx.run(store.refolding.DELETE_PAUSES, session_id, user_id)
    await tx.run(store.refolding.DELETE_HIGHLIGHTS, session_id, user_id)
    async for events in _events_before(tx, session, log.next_seq):
        folded = fold(state, events)
        state = folded.state
        stored += [event.seq for event in events]
        visits += [visit.opened_by_seq for visit in folded.visits]
        texts_read += folded.texts_read
        await _write_timeline(tx, session_id, folded)
    last = ending(state)
    visits += [visit.opened_by_seq for visit in last.visits]
    await _write_timeline(tx, session_id, last)
    await tx.run(store.refolding.DELETE_OTHER_VISITS, session_id, user_id, visits)
    if log.holes:
        log.find_holes(stored)
    textless = await _textless(tx, user_id, session) if is_last else ()
    await _write_texts(tx, user_id, session_id, texts_read, textless)
    await _write_state(tx, user_id, session_id, log, last.state, state.clock)


async def events_between(
    tx: ReadTx, session_id: SessionId, month: date, first: int, last: int
) -> list[Event]:
    stored = await tx.all(store.raw_events.BETWEEN, month, session_id, first, last)
    return [rows.event_of(each) for each in stored]


async def _events_before(
    tx: ReadTx, session: FoldSession, next_seq: int
) -> AsyncIterator[list[Event]]:
    """The log up to `next_seq`, in pieces. By the events that exist, not by number: a hole may have
    a billion numbers."""
    after = 0
    while stored := await tx.all(
        store.raw_events.AFTER, session.month, session.id, after, next_seq, AT_ONCE
    ):
        yield [rows.event_of(each) for each in stored]
        after = stored[-1].seq


def _is_resting(session: FoldSession) -> bool:
    state = states.try_unpack(session.fold_state)
    return state is not None and state.is_resting


async def _write_timeline(tx: Tx, session_id: SessionId, folded: Folded) -> None:
    timeline = rows.of_timeline(session_id, folded)
    await tx.run(store.refolding.PUT, TimelineWrite(session_id=session_id, timeline=timeline))


async def _textless(tx: ReadTx, user_id: UUID, session: FoldSession) -> Sequence[UUID]:
    """Pages that were read in the session; those that have a text keep it."""
    return await tx.all(store.refolding.READ_FOR, session.id, user_id, missing_texts.READ_MS)


async def _write_texts(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    texts_read: Sequence[TextRead],
    textless: Sequence[UUID],
) -> None:
    """Once per transaction: two that touch the same URLs lock them in the same order."""
    if not texts_read and not textless:
        return
    pending = await tx.all(
        store.refolding.PUT_TEXTS_READ,
        TextReadWrite(
            user_id=user_id,
            session_id=session_id,
            texts_read=rows.of_texts_read((), texts_read, textless),
        ),
    )
    await missing_texts.announce(tx, user_id, pending)


async def _write_state(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    log: Log,
    state: State,
    last_event: int | None,
) -> None:
    await tx.run(
        store.refolding.KEEP_STATE,
        StateWrite(
            session_id=session_id,
            user_id=user_id,
            progress=rows.of_progress(
                log, state, state.clock if last_event is None else last_event
            ),
            is_resting=state.is_resting,
        ),
    )
