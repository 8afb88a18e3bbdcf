"""The end of a timeline: closed after a stop, folded again when the log has grown, put to rest.

close    a stopped session whose last event came, or was waited for long enough
refold   from nothing, from the raw log: what is stored afterwards is what one fold of it gives
rest     a recording that fell silent: what is open is closed, the recording goes on
give up  a hole that is too old: the fold goes on behind it
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx, Tx
from mindhit.tracking import columns, store
from mindhit.tracking import fold as folding
from mindhit.tracking import state as states
from mindhit.tracking.fold import Folded, RestBroken
from mindhit.tracking.ingest import PATIENCE_S, events_between
from mindhit.tracking.model import (
    EPOCH,
    MILLISECOND,
    Event,
    LogGone,
    Reading,
    SessionId,
    SessionNotFound,
)
from mindhit.tracking.news import TextMissing, TimelineChanged
from mindhit.tracking.sequence import Log, Range
from mindhit.tracking.state import State
from mindhit.work import publish

WAIT: Final = timedelta(minutes=2)  # for the last events of a stopped session
REST: Final = timedelta(minutes=30)  # without a word: what is open is closed
PIECE: Final = 2_000  # events that are held in memory at once

Act = Callable[[Tx, UUID, SessionId], Awaitable[None]]
End = Callable[[State], Folded]


async def close(tx: Tx, user_id: UUID, session_id: SessionId) -> timedelta | None:
    """Close the timeline of a stopped session, or say how long to wait for its last events."""
    session = await _lock(tx, user_id, session_id)
    if session.stopped_at is None:
        return None
    if session.closed_at is not None:  # and to be said so once more
        await tx.run(store.refolding.CLOSE, session_id, user_id)
        return None
    log = Log.stored(session.next_seq, session.parked, session.holes)
    if session.last_seq is not None and log.acked < session.last_seq:
        waited = session.now - session.stopped_at
        if waited < WAIT:
            return WAIT - waited
    run = log.give_up()
    if session.is_stale:
        await _fold_anew(tx, user_id, session, log, _to_the_end(session))
    else:
        await _fold_on(tx, user_id, session, log, run, _to_the_end(session))
    await tx.run(store.refolding.COUNT, session_id, user_id)
    await tx.run(store.refolding.CLOSE, session_id, user_id)
    return None


async def fail(tx: Tx, user_id: UUID, session_id: SessionId, error: Exception) -> None:
    """Say that the timeline could not be closed; `reprocess` tries again."""
    await tx.run(
        store.refolding.FAIL, session_id, user_id, f"{type(error).__name__}: {error}"[:500]
    )


async def refold(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Fold a session again from its raw log. Raises `LogGone` where that is no longer kept."""
    session = await _lock(tx, user_id, session_id)
    log = Log.stored(session.next_seq, session.parked, session.holes)
    if await tx.one(store.refolding.IS_LOG_GONE, session_id, user_id):
        raise LogGone
    end: End = Folded  # which leaves it open
    if session.closed_at is not None:
        log.give_up()
        end = _to_the_end(session)
    elif not session.is_stale and _is_resting(session):
        end = folding.rest
    await _fold_anew(tx, user_id, session, log, end)
    await tx.run(store.refolding.COUNT, session_id, user_id)
    if session.closed_at is not None:
        await tx.run(store.refolding.CLOSE, session_id, user_id)
        await publish(tx, TimelineChanged(session_id, user_id))


async def rest(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Close what is open in a recording from which nothing came for long. One that spoke while it
    was waited for is let be."""
    session = await _lock(tx, user_id, session_id)
    is_silent = session.now - session.heard_at >= REST
    if not is_silent or session.stopped_at is not None or session.is_stale:
        return
    await _fold_on(
        tx,
        user_id,
        session,
        Log.stored(session.next_seq, session.parked, session.holes),
        None,
        folding.rest,
    )
    await tx.run(store.refolding.COUNT, session_id, user_id)


async def give_up_holes(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Let the fold go on behind holes that were waited for long enough."""
    session = await _lock(tx, user_id, session_id)
    if session.closed_at is not None:
        return
    log = Log.stored(session.next_seq, session.parked, session.holes)
    run = log.give_up_before(session.now.timestamp() - PATIENCE_S)
    if run is None:
        return
    if session.is_stale:
        await _fold_anew(tx, user_id, session, log, Folded)
    else:
        await _fold_on(tx, user_id, session, log, run, Folded)
    await tx.run(store.refolding.COUNT, session_id, user_id)


async def _lock(tx: Tx, user_id: UUID, session_id: SessionId) -> store.refolding.Whole:
    session = await tx.maybe(store.refolding.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    return session


def _is_resting(session: store.refolding.Whole) -> bool:
    state = states.read(session.fold_state)
    return state is not None and state.is_resting


def _to_the_end(session: store.refolding.Whole) -> End:
    ended = session.ended_at or session.now
    return partial(folding.finish, at=(ended - EPOCH) // MILLISECOND)


async def _fold_on(
    tx: Tx,
    user_id: UUID,
    session: store.refolding.Whole,
    log: Log,
    run: Range | None,
    end: End,
) -> None:
    """From the present state over a run of what was parked; from nothing, where the state cannot
    be read."""
    session_id = SessionId(session.id)
    state = states.read(session.fold_state)
    if state is None:
        await _fold_anew(tx, user_id, session, log, end)
        return
    events = [] if run is None else await events_between(tx, session_id, session.month, *run)
    try:
        folded = folding.fold(state, events)
        last = end(folded.state)
    except RestBroken:
        await _fold_anew(tx, user_id, session, log, end)
        return
    await _put(tx, session_id, folded)
    await _put(tx, session_id, last)
    await _put_readings(tx, user_id, session_id, folded.readings)
    await _keep(tx, user_id, session_id, log, last.state, last_event=folded.state.clock)


async def _fold_anew(
    tx: Tx, user_id: UUID, session: store.refolding.Whole, log: Log, end: End
) -> None:
    session_id = SessionId(session.id)
    visits: list[int] = []
    readings: list[Reading] = []
    state = State()
    await tx.run(store.refolding.DROP_PAUSES, session_id, user_id)
    await tx.run(store.refolding.DROP_HIGHLIGHTS, session_id, user_id)
    async for events in _pieces(tx, session, log.next_seq):
        folded = folding.fold(state, events)
        state = folded.state
        visits += [visit.opened_by_seq for visit in folded.visits]
        readings += folded.readings
        await _put(tx, session_id, folded)
    last = end(state)
    visits += [visit.opened_by_seq for visit in last.visits]
    await _put(tx, session_id, last)
    await tx.run(store.refolding.DROP_VISITS, session_id, visits, user_id)
    await _put_readings(tx, user_id, session_id, readings)
    await _keep(tx, user_id, session_id, log, last.state, last_event=state.clock)


async def _pieces(
    tx: ReadTx, session: store.refolding.Whole, next_seq: int
) -> AsyncIterator[list[Event]]:
    """The log up to `next_seq`. By what is there: a hole may have a thousand million places."""
    after = 0
    while stored := await tx.all(
        store.refolding.EVENTS, session.month, session.id, after, next_seq, PIECE
    ):
        yield [columns.event_of(each) for each in stored]
        after = stored[-1].seq


async def _put(tx: Tx, session_id: SessionId, folded: Folded) -> None:
    await tx.run(store.refolding.PUT, session_id, *columns.of_timeline(session_id, folded))


async def _put_readings(
    tx: Tx, user_id: UUID, session_id: SessionId, readings: Sequence[Reading]
) -> None:
    """Once in a transaction: two that meet on the same pages take them in the same order."""
    if not readings:
        return
    pending = await tx.all(
        store.refolding.PUT_READINGS, user_id, session_id, *columns.of_readings((), readings)
    )
    for page in pending:
        await publish(tx, TextMissing(user_id, page.id, page.url, page.domain))


async def _keep(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    log: Log,
    state: State,
    *,
    last_event: int | None = None,
) -> None:
    await tx.run(
        store.refolding.KEEP_STATE,
        session_id,
        user_id,
        log.next_seq,
        log.max_seq,
        log.parked,
        log.holes,
        log.hole_since,
        states.pack(state),
        state.is_resting,
        state.clock if last_event is None else last_event,
        states.start_of(state),
    )
