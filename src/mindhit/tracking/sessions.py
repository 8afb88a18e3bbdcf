"""Sessions: started, stopped, renamed, deleted.

The browser creates a session's id, so that a recording can begin while the server is unreachable;
starting or stopping twice is the same as once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from mindhit import billing
from mindhit.db import ReadTx, Tx
from mindhit.tracking import at_once, missing_texts, store
from mindhit.tracking.job_types import Close, Forget, Refold
from mindhit.tracking.maintenance.cleanup import FORGET_AFTER_S
from mindhit.tracking.model import (
    EARLIEST,
    BadSession,
    Session,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionTaken,
    Status,
    StillRecording,
    TitleChanged,
)
from mindhit.tracking.protocol import MAX_AHEAD_MS
from mindhit.tracking.published import SessionDescribed
from mindhit.tracking.quotas import NO_QUOTAS, Quotas, count_session
from mindhit.tracking.timeline.holes import Log, Range
from mindhit.work import enqueue, publish

MAX_AHEAD: Final = timedelta(milliseconds=MAX_AHEAD_MS)


async def start(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    started_at: datetime,
    now: datetime,
    *,
    title: str | None = None,
    device_id: UUID | None = None,
    quotas: Quotas = NO_QUOTAS,
) -> Session:
    """A new session, or the one that already has this id.

    Raises `SessionDeleted`, `SessionTaken` where the id is or was another person's, and `SessionLimit`
    where it starts now and the plan allows no more at once, and `HourlyLimit` over a quota.
    """
    known = await tx.maybe(store.sessions.BY_ID, session_id, user_id)
    if known is not None:
        return known
    if not EARLIEST <= started_at <= now + MAX_AHEAD:
        raise BadSession("A session starts after 2009, and not in the future.")
    is_over = await at_once.find_or_count(tx, user_id, session_id, started_at, now)
    if not isinstance(is_over, bool):
        return is_over
    month = started_at.date().replace(day=1)
    title = _normalised(title)
    await tx.run(store.partitions.CREATE, month)
    created = await tx.maybe(
        store.sessions.ADD, session_id, user_id, device_id, title, started_at, month, is_over
    )
    if created is None:  # another start was faster, or the id is another person's
        created = await tx.maybe(store.sessions.BY_ID, session_id, user_id)
    if created is None:
        raise SessionTaken
    # Last: the insert has waited for a delete of the same id that was under way.
    is_own = await tx.maybe(store.sessions.IS_DELETED_OWN, session_id, user_id)
    if is_own is not None:
        raise SessionDeleted if is_own else SessionTaken
    await count_session(tx, user_id, quotas)
    return created


async def stop(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    ended_at: datetime,
    last_seq: int | None,
    *,
    is_end_known: bool = True,
) -> Session:
    """Stop a recording; its timeline is closed as soon as its last event has arrived.

    A second stop adds what the first one did not know (it may have been the sweep, after a long
    silence): the last event, and when the session ended. `is_end_known`: the browser said when.
    """
    session = await tx.maybe(store.sessions.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.status != Status.RECORDING:
        return await _amend(tx, user_id, session, ended_at if is_end_known else None, last_seq)
    stopped = await tx.one(
        store.sessions.STOP, session_id, user_id, ended_at, last_seq, not is_end_known
    )
    await enqueue(tx, Close(session_id, user_id))
    return stopped


async def _amend(
    tx: Tx, user_id: UUID, session: Session, ended_at: datetime | None, last_seq: int | None
) -> Session:
    if not session.is_end_guessed:
        ended_at = None
    is_more = last_seq is not None and last_seq > (session.last_seq or 0)
    if ended_at is None and not is_more:
        return session
    if ended_at is not None:
        await enqueue(tx, Refold(session.id, user_id))
    return await tx.one(store.sessions.AMEND, session.id, user_id, last_seq, ended_at)


def missing_events(session: Session) -> list[Range]:
    """The numbers of events that have not arrived, as the receipt of a batch lists them."""
    return Log.of(session).missing(session.last_seq)


async def rename(tx: Tx, user_id: UUID, session_id: SessionId, title: str | None) -> None:
    if await tx.maybe(store.sessions.RENAME, session_id, user_id, _normalised(title)) is None:
        raise SessionNotFound
    await publish(tx, SessionDescribed(session_id, user_id))


async def rename_from(
    tx: Tx, user_id: UUID, session_id: SessionId, was: str | None, title: str | None
) -> None:
    """Rename a session that has the title `was`, or already `title`. Raises `TitleChanged`."""
    session = await tx.maybe(store.sessions.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.title not in {_normalised(was), _normalised(title)}:
        raise TitleChanged
    await rename(tx, user_id, session_id, title)


def _normalised(title: str | None) -> str | None:
    """In composed form (NFC), as search terms are."""
    return None if title is None else unicodedata.normalize("NFC", title)


async def reprocess(tx: Tx, user_id: UUID, session_id: SessionId) -> Session:
    """Run the processing of a stopped session again, from the first step that is missing."""
    session = await tx.maybe(store.sessions.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.status == Status.RECORDING:
        raise StillRecording
    await tx.run(store.sessions.REPROCESS, session_id, user_id)
    await enqueue(tx, Close(session_id, user_id))
    return await tx.one(store.sessions.LOCK, session_id, user_id)


async def existing_sessions(tx: ReadTx, user_id: UUID, ids: Sequence[UUID]) -> list[SessionId]:
    """Those of these ids that are this person's sessions."""
    return [SessionId(each) for each in await tx.all(store.sessions.EXISTING, user_id, ids)]


async def deleted_sessions(tx: ReadTx, user_id: UUID, ids: Sequence[UUID]) -> list[SessionId]:
    """Those of these ids that are sessions this person deleted."""
    return [SessionId(each) for each in await tx.all(store.sessions.DELETED, user_id, ids)]


async def delete(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Delete a session with its events, its timeline and the texts read in it. Where other sessions of
    the person read one too, that is the current one again. URLs and texts that none refers to follow
    (`maintenance/cleanup.py`)."""
    session = await tx.maybe(store.sessions.LOCK, session_id, user_id)
    if session is None:
        raise SessionNotFound
    textless = await tx.all(store.sessions.DELETE_TEXTS_READ, session_id, user_id)
    await tx.run(store.raw_events.DELETE, session.month, session_id, user_id)
    await billing.forget_session(tx, user_id, session_id)
    await tx.run(store.sessions.DELETE, session_id, user_id)
    if textless:
        pending = await tx.all(store.cleanup.RESTORE_TEXTS_OF, user_id, textless)
        await missing_texts.announce(tx, user_id, pending)
    await enqueue(tx, Forget(user_id), after_s=FORGET_AFTER_S)
