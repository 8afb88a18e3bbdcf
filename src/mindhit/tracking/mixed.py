"""A batch whose events say themselves which session they are of: the seed's way.

Mostly that is one session. Where a browser empties its outbox after a session has ended and another
begun, it is two; each part goes to its own, and the answer holds for all of them: what is up to
`acked_seq` and not in `missing` is stored, or was refused for good, whichever session it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from mindhit.db import Database
from mindhit.tracking import store, wire
from mindhit.tracking.admit import is_place
from mindhit.tracking.ingest import Receipt, Rejected, ingest, told
from mindhit.tracking.model import (
    MAX_SEQ,
    BadBatch,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionOver,
)
from mindhit.tracking.sequence import Range

Events = Sequence[wire.Sent | wire.Unread]
NEVER_MIND = MAX_SEQ  # as `acked_seq`: this part holds nothing back


async def ingest_named(db: Database, user_id: UUID, sent: Events) -> Receipt:
    """Take a batch of any sessions. Raises what `ingest` raises where all of them do.

    Each part has a transaction of its own: one that held several sessions and their pages would
    stand crosswise to any other batch on the same pages.
    """
    receipts: list[Receipt] = []
    refusals: list[SessionNotFound | SessionOver | SessionDeleted] = []
    parts = _by_session(sent)
    for session_id, places in parts.items():
        events = [sent[at] for at in places]
        try:
            async with db.transaction() as tx:
                receipt = await ingest(tx, user_id, session_id, events)
        except (SessionNotFound, SessionOver) as error:
            refusal = await _why(db, user_id, session_id, error)
            refusals.append(refusal)
            receipt = _refused(events, refusal)
        receipt.rejected = [replace(each, index=places[each.index]) for each in receipt.rejected]
        receipts.append(receipt)
    if len(refusals) == len(parts):
        raise refusals[0]
    return _together(receipts)


async def _why(
    db: Database, user_id: UUID, session_id: SessionId, error: SessionNotFound | SessionOver
) -> SessionNotFound | SessionOver | SessionDeleted:
    if isinstance(error, SessionNotFound):
        async with db.read() as tx:
            if await tx.maybe(store.sessions.DELETED_THEIRS, session_id, user_id):
                return SessionDeleted()
    return error


def _refused(events: Events, why: SessionNotFound | SessionOver | SessionDeleted) -> Receipt:
    """Of a session that takes nothing more, the events are refused for good. One that is not there
    may only not have been started yet: its events have not come."""
    if not isinstance(why, SessionNotFound):
        rejected = [Rejected(at, told(each.seq), str(why)) for at, each in enumerate(events)]
        return Receipt(NEVER_MIND, rejected=rejected)
    places = sorted({each.seq for each in events if each.seq is not None and is_place(each.seq)})
    if not places:
        return Receipt(NEVER_MIND)
    return Receipt(places[0] - 1, missing=[(seq, seq) for seq in places])


def _by_session(sent: Events) -> dict[SessionId, list[int]]:
    """Where the events of each session stand. What names none, or none that can be, is taken for
    one of the first that is named."""
    named = [_session_of(each) for each in sent]
    first = next((each for each in named if each is not None), None)
    if first is None:
        raise BadBatch("No event says in `sessionId` which session it belongs to.")
    parts: dict[SessionId, list[int]] = {}
    for at, session_id in enumerate(named):
        parts.setdefault(session_id or first, []).append(at)
    return parts


def _session_of(each: wire.Sent | wire.Unread) -> SessionId | None:
    try:
        return None if each.session_id is None else SessionId(UUID(each.session_id))
    except ValueError:
        return None


def _together(receipts: Sequence[Receipt]) -> Receipt:
    if len(receipts) == 1:
        return receipts[0]
    return Receipt(
        min(each.acked_seq for each in receipts),
        sum(each.accepted for each in receipts),
        sum(each.duplicates for each in receipts),
        sorted(
            (reason for each in receipts for reason in each.rejected),
            key=lambda reason: reason.index,
        ),
        _union([each for receipt in receipts for each in receipt.missing]),
    )


def _union(ranges: Sequence[Range]) -> list[Range]:
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
