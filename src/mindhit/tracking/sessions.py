"""Recordings: started, stopped, named, deleted.

The browser makes a session's id, so that a recording can begin while the server is away; starting
and stopping twice is the same as once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx, Tx
from mindhit.tracking import store
from mindhit.tracking.kinds import Close, Forget, Refold
from mindhit.tracking.model import (
    EARLIEST,
    BadSession,
    Begun,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionTaken,
    Status,
    StillRecording,
    TitleChanged,
)
from mindhit.tracking.news import SessionStopped
from mindhit.tracking.sequence import Log, Range
from mindhit.work import enqueue, publish

AHEAD: Final = timedelta(days=1)
# One sweep for all the sessions that somebody deletes one after the other.
FORGET_AFTER_S: Final = 900.0


async def start(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    started_at: datetime,
    now: datetime,
    *,
    title: str | None = None,
    device_id: UUID | None = None,
) -> Begun:
    """A new session, or the one with this id that is there already.

    Raises `SessionDeleted`, and `SessionTaken` where the id is or was somebody else's.
    """
    known = await tx.maybe(store.sessions.OF, session_id, user_id)
    if known is not None:
        return known
    if not EARLIEST <= started_at <= now + AHEAD:
        raise BadSession("A session starts after 2009, and not in the future.")
    month = started_at.date().replace(day=1)
    title = _as_searched(title)
    await tx.run(store.partitions.MAKE, month)
    made = await tx.maybe(
        store.sessions.ADD, session_id, user_id, device_id, title, started_at, month
    )
    if made is None:  # another start was faster, or it is somebody else's
        made = await tx.maybe(store.sessions.OF, session_id, user_id)
    if made is None:
        raise SessionTaken
    # Asked last: one that is being deleted was waited for by the line that adds.
    is_theirs = await tx.maybe(store.sessions.DELETED_THEIRS, session_id, user_id)
    if is_theirs is not None:
        raise SessionDeleted if is_theirs else SessionTaken
    return made


async def stop(
    tx: Tx,
    user_id: UUID,
    session_id: SessionId,
    ended_at: datetime,
    last_seq: int | None,
    *,
    is_end_known: bool = True,
) -> Begun:
    """Stop a recording; its timeline is closed as soon as its last event has come.

    One that was stopped before, by its own browser or for its silence, is told what that stop did
    not know: its last event, and when it ended, where that had to be guessed. `is_end_known`: the
    browser said when.
    """
    session = await tx.maybe(store.sessions.LOCKED, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.status != Status.RECORDING:
        return await _amend(tx, user_id, session, ended_at if is_end_known else None, last_seq)
    stopped = await tx.one(
        store.sessions.STOP, session_id, user_id, ended_at, last_seq, not is_end_known
    )
    await enqueue(tx, Close(session_id, user_id))
    await publish(tx, SessionStopped(session_id, user_id))
    return stopped


async def _amend(
    tx: Tx, user_id: UUID, session: Begun, ended_at: datetime | None, last_seq: int | None
) -> Begun:
    if not session.is_end_guessed:
        ended_at = None
    is_more = last_seq is not None and last_seq > (session.last_seq or 0)
    if ended_at is None and not is_more:
        return session
    if ended_at is not None:
        await enqueue(tx, Refold(session.id, user_id))
    return await tx.one(store.sessions.AMEND, session.id, user_id, last_seq, ended_at)


def missing_of(session: Begun) -> list[Range]:
    """What has not come of its log, as a batch's receipt says it."""
    log = Log.stored(session.next_seq, session.parked, session.holes)
    return log.missing(session.last_seq)


async def rename(tx: Tx, user_id: UUID, session_id: SessionId, title: str | None) -> None:
    if await tx.maybe(store.sessions.RENAME, session_id, user_id, _as_searched(title)) is None:
        raise SessionNotFound


async def rename_from(
    tx: Tx, user_id: UUID, session_id: SessionId, was: str | None, title: str | None
) -> None:
    """Rename what is called so still, or is called `title` already. Raises `TitleChanged`."""
    session = await tx.maybe(store.sessions.LOCKED, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.title not in {_as_searched(was), _as_searched(title)}:
        raise TitleChanged
    await rename(tx, user_id, session_id, title)


def _as_searched(title: str | None) -> str | None:
    """In the composed form in which searches are made."""
    return None if title is None else unicodedata.normalize("NFC", title)


async def reprocess(tx: Tx, user_id: UUID, session_id: SessionId) -> Begun:
    """Everything that is made of a stopped session is made again, from the first missing step."""
    session = await tx.maybe(store.sessions.LOCKED, session_id, user_id)
    if session is None:
        raise SessionNotFound
    if session.status == Status.RECORDING:
        raise StillRecording
    await tx.run(store.sessions.REPROCESS, session_id, user_id)
    await enqueue(tx, Close(session_id, user_id))
    await publish(tx, SessionStopped(session_id, user_id))
    return await tx.one(store.sessions.LOCKED, session_id, user_id)


async def there_of(tx: ReadTx, user_id: UUID, ids: Sequence[UUID]) -> list[SessionId]:
    """Of these ids, those that are this person's sessions."""
    return [SessionId(each) for each in await tx.all(store.sessions.THERE, user_id, ids)]


async def gone_of(tx: ReadTx, user_id: UUID, ids: Sequence[UUID]) -> list[SessionId]:
    """Of these ids, those whose sessions this person deleted."""
    return [SessionId(each) for each in await tx.all(store.sessions.GONE, user_id, ids)]


async def delete(tx: Tx, user_id: UUID, session_id: SessionId) -> None:
    """Gone with its log, its timeline and what was read in it; pages and texts that no other
    session of the reader has met or read follow."""
    session = await tx.maybe(store.sessions.LOCKED, session_id, user_id)
    if session is None:
        raise SessionNotFound
    await tx.run(store.sessions.DELETE_READINGS, session_id, user_id)
    await tx.run(store.sessions.DELETE_EVENTS, session.month, session_id, user_id)
    await tx.run(store.sessions.DELETE, session_id, user_id)
    await enqueue(tx, Forget(user_id), after_s=FORGET_AFTER_S)
