"""Verbs: what would be forgotten, forget it, and how far that is.

Small things are forgotten in the request, in one transaction with the texts and URLs that nothing else
refers to. Where many sessions or a long log are concerned, the request records the range and takes the
visits and highlights out of the timelines, so nothing of it is shown any more; the job `tracking:redact`
redacts the logs, a session at a time. Either way a job looks a second time at sessions that were just
recording: a batch that waited for this transaction has read the ranges before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID, uuid4

from mindhit.accounts import UserId, revoke_exports
from mindhit.db import Database, ReadTx, Tx
from mindhit.language import forget_answers
from mindhit.tracking import store
from mindhit.tracking.forgetting import redacting
from mindhit.tracking.forgetting.model import ForgettingNotFound, What
from mindhit.tracking.forgetting.preview import select
from mindhit.tracking.forgetting.ranges import Forgotten, Range, milliseconds
from mindhit.tracking.job_types import Forget, Redact
from mindhit.tracking.maintenance import cleanup
from mindhit.tracking.model import SessionId, SessionNotFound
from mindhit.tracking.store.forgetting import Concerned, OwnUrl, Selected, StoredRange
from mindhit.work import enqueue

# What is forgotten in the request: 20,000 events are redacted and folded again in about a second.
MOST_SESSIONS: Final = 20
MOST_EVENTS: Final = 20_000
# A longer log is not searched for a page in the request, nor for texts that nothing refers to.
LONGEST_LOG: Final = 200_000
SECOND_LOOK_S: Final = 10.0
BEFORE_S: Final = 60.0  # how long a batch may have waited
STEP_S: Final = 20.0  # then the job makes room for others
URLS_AT_ONCE: Final = 5_000
_FIRST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """How far it is; `sessions` are those that have to be looked at."""

    id: UUID
    is_done: bool
    sessions: int
    sessions_done: int


async def forget(db: Database, user_id: UUID, what: What) -> Forgetting:
    """Forget it, here or by a job."""
    async with db.read() as tx:
        selected = await select(tx, user_id, what)
        events = await tx.one(store.forgetting.EVENT_COUNT, user_id)
        is_short = events <= LONGEST_LOG
        concerned = await _concerned(tx, user_id, what, selected, is_short=is_short)
    if concerned is not None and is_small(concerned):
        ids = [each.id for each in concerned]
        return await _forget_now(db, user_id, what, selected, ids, is_short=is_short)
    return await _forget_later(db, user_id, what, selected)


def is_small(concerned: Sequence[Concerned]) -> bool:
    return (
        len(concerned) <= MOST_SESSIONS
        and sum(each.event_count for each in concerned) <= MOST_EVENTS
    )


async def show_forgetting(tx: ReadTx, user_id: UUID, id_: UUID) -> Forgetting:
    found = await tx.maybe(store.forgetting.BY_ID, user_id, id_)
    if found is None:
        raise ForgettingNotFound
    done = min(found.sessions_done, found.sessions)
    return Forgetting(found.id, found.done_at is not None, found.sessions, done)


async def proceed(db: Database, user_id: UUID, id_: UUID) -> bool:
    """A part of the work, a session at a time: killed anywhere, it goes on with the next one. False
    where more is left."""
    async with db.read() as tx:
        row = await tx.maybe(store.forgetting.BY_ID, user_id, id_)
    if row is None:
        return True
    ranges = [_range_of(row)]
    selected = await _selected_again(db, user_id, row)
    if row.done_at is not None:
        await _look_again(db, user_id, row, ranges, selected)
        return True
    deadline = monotonic() + STEP_S
    after = row.last_session_id or _FIRST
    while found := await db.alone(store.forgetting.AFTER, user_id, row.from_at, row.to_at, after):
        for session_id in found:
            async with db.transaction() as tx:
                await _redact(tx, user_id, SessionId(session_id), ranges, selected)
                await tx.run(store.forgetting.ADVANCE, user_id, id_, session_id)
            after = session_id
            if monotonic() > deadline:
                return False
    await cleanup.forget(db, user_id)
    async with db.transaction() as tx:
        await tx.run(store.forgetting.FINISH, user_id, id_)
        await revoke_exports(tx, UserId(user_id))
        await enqueue(tx, Redact(id_, user_id), after_s=SECOND_LOOK_S)
    return True


async def _forget_now(
    db: Database,
    user_id: UUID,
    what: What,
    selected: Selected,
    session_ids: list[UUID],
    *,
    is_short: bool,
) -> Forgetting:
    id_, ranges, dropped = uuid4(), [what.range_of(user_id)], list[UUID]()
    async with db.transaction() as tx:
        # Before any session: a batch holds this one while it waits for its session.
        await tx.run(store.cleanup.LOCK_READER, user_id)
        found = await tx.all(store.forgetting.LOCK_SESSIONS, user_id, session_ids)
        new = what.new_range(id_, user_id, sessions=len(found), is_done=True)
        await tx.run(store.forgetting.ADD, new)
        for session_id in found:
            await _redact(tx, user_id, SessionId(session_id), ranges, selected)
        await _cut_pointers(tx, user_id, what)
        await forget_answers(tx, user_id)
        await revoke_exports(tx, UserId(user_id))
        if is_short:
            dropped = await cleanup.drop_unreferenced(tx, user_id)
        else:
            await enqueue(tx, Forget(user_id))
        await enqueue(tx, Redact(id_, user_id), after_s=SECOND_LOOK_S)
    await cleanup.delete_if_unvisited(db, dropped)
    await db.alone(store.cleanup.DELETE_PUBLIC_TEXTS)
    return Forgetting(id_, True, len(found), len(found))


async def _forget_later(db: Database, user_id: UUID, what: What, selected: Selected) -> Forgetting:
    id_ = uuid4()
    async with db.transaction() as tx:
        await tx.run(store.cleanup.LOCK_READER, user_id)
        count = await tx.one(
            store.forgetting.COUNT_IN_TIME, user_id, selected.from_at, selected.to_at
        )
        await tx.run(
            store.forgetting.ADD, what.new_range(id_, user_id, sessions=count, is_done=False)
        )
        shown = await tx.all(store.forgetting.SHOWING, selected)
        found = await tx.all(store.forgetting.LOCK_SESSIONS, user_id, shown)
        await redacting.hide(tx, replace(selected, session_ids=found))
        await _cut_pointers(tx, user_id, what)
        await forget_answers(tx, user_id)
        await revoke_exports(tx, UserId(user_id))
        await enqueue(tx, Redact(id_, user_id))
    return Forgetting(id_, False, count, 0)


async def _redact(
    tx: Tx, user_id: UUID, session_id: SessionId, ranges: list[Range], selected: Selected
) -> None:
    if selected.url_ids is not None and not await tx.maybe(
        store.forgetting.IS_NAMING, user_id, selected.url_ids, session_id
    ):
        return
    with suppress(SessionNotFound):  # deleted in the meantime
        await redacting.redact(tx, user_id, session_id, ranges, selected)


async def _look_again(
    db: Database, user_id: UUID, row: StoredRange, ranges: list[Range], selected: Selected
) -> None:
    since = row.created_at - timedelta(seconds=BEFORE_S)
    for session_id in await db.alone(store.forgetting.HEARD_SINCE, user_id, since):
        async with db.transaction() as tx:
            await _redact(tx, user_id, SessionId(session_id), ranges, selected)
    await cleanup.forget(db, user_id)


async def _cut_pointers(tx: Tx, user_id: UUID, what: What) -> None:
    if what.domain is not None:
        host = what.domain.replace(".", r"\.")
        pattern = rf"^https?://([^/?#]*[.@])?{host}([:/?#]|$)"
        await tx.run(store.forgetting.CUT_POINTERS, user_id, pattern)


async def _selected_again(db: Database, user_id: UUID, row: StoredRange) -> Selected:
    """The same from the range alone, which knows its site or page only by a hash."""
    url_ids: list[UUID] | None = None
    if row.domain_hash is not None or row.url_hash is not None:
        url_ids, after = [], _FIRST
        forgotten = Forgotten(user_id, row.session_id or _FIRST, [_range_of(row)])
        while own := await db.alone(store.forgetting.OWN_URLS, user_id, after, URLS_AT_ONCE):
            url_ids += await asyncio.to_thread(_matching, forgotten, own)
            after = own[-1].id
    return Selected(
        user_id=user_id,
        from_at=row.from_at,
        to_at=row.to_at,
        url_ids=url_ids,
        session_ids=None if row.session_id is None else [row.session_id],
    )


def _matching(forgotten: Forgotten, own: Sequence[OwnUrl]) -> list[UUID]:
    return [each.id for each in own if forgotten.has_page(each.id, each.domain)]


def _range_of(row: StoredRange) -> Range:
    return Range(
        milliseconds(row.from_at),
        milliseconds(row.to_at),
        row.session_id,
        row.domain_hash,
        row.url_hash,
    )


async def _concerned(
    tx: ReadTx, user_id: UUID, what: What, selected: Selected, *, is_short: bool
) -> list[Concerned] | None:
    """The sessions that have to be redacted; None where it takes long to find them."""
    if what.session_id is not None:
        return await tx.all(store.forgetting.ONE, user_id, what.session_id)
    if selected.url_ids is None:
        return await tx.all(store.forgetting.IN_TIME, user_id, what.from_at, what.to_at)
    if not is_short:
        return None
    return await tx.all(store.forgetting.NAMING, user_id, selected.url_ids)
