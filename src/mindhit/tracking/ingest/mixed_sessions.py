"""A batch whose events name their sessions (`POST /v1/events/batch`), usually one, sometimes several.

It is several where a browser empties its outbox after one session ended and another began. Each part
goes to its session, and the answer covers all of them: what is up to `acked_seq` and not in `missing`
is stored or was rejected permanently, whichever session it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from mindhit.db import Database
from mindhit.tracking import store
from mindhit.tracking.ingest.batch import Receipt, Rejected, Sent, ingest_batch, safe_integer
from mindhit.tracking.ingest.validation import is_valid_seq
from mindhit.tracking.model import (
    BadBatch,
    SessionDeleted,
    SessionId,
    SessionNotFound,
    SessionOver,
)
from mindhit.tracking.protocol import MAX_SEQ
from mindhit.tracking.quotas import NO_QUOTAS, Quotas
from mindhit.tracking.timeline.holes import Range

Events = Sequence[Sent]
HOLDS_NOTHING_BACK: Final = MAX_SEQ + 1  # as the `acked_seq` of one part


async def ingest_mixed_batch(
    db: Database, user_id: UUID, sent: Events, quotas: Quotas = NO_QUOTAS
) -> Receipt:
    """Store a batch of any sessions. Raises what `ingest_batch` raises where every part does.

    Each part has its own transaction: one that locked several sessions and their URLs could deadlock
    with any other batch on the same URLs.
    """
    receipts: list[Receipt] = []
    refusals: list[SessionNotFound | SessionOver | SessionDeleted] = []
    parts = _by_session(sent)
    for session_id, indexes in parts.items():
        events = [sent[index] for index in indexes]
        try:
            async with db.transaction() as tx:
                receipt = await ingest_batch(tx, user_id, session_id, events, quotas)
        except (SessionNotFound, SessionOver) as error:
            refusal = await _why(db, user_id, session_id, error)
            refusals.append(refusal)
            receipt = _refused(events, refusal)
        receipt.rejected = [replace(each, index=indexes[each.index]) for each in receipt.rejected]
        receipts.append(receipt)
    if len(refusals) == len(parts):
        raise refusals[0]
    return _combined(receipts)


async def _why(
    db: Database, user_id: UUID, session_id: SessionId, error: SessionNotFound | SessionOver
) -> SessionNotFound | SessionOver | SessionDeleted:
    if isinstance(error, SessionNotFound):
        async with db.read() as tx:
            if await tx.maybe(store.sessions.IS_DELETED_OWN, session_id, user_id):
                return SessionDeleted()
    return error


def _refused(events: Events, why: SessionNotFound | SessionOver | SessionDeleted) -> Receipt:
    """Events of a session that accepts nothing more are rejected permanently. A session that does not
    exist may not have been started yet: its events are missing."""
    if not isinstance(why, SessionNotFound):
        rejected = [
            Rejected(index, safe_integer(each.seq), str(why)) for index, each in enumerate(events)
        ]
        return Receipt(HOLDS_NOTHING_BACK, rejected=rejected)
    seqs = sorted({each.seq for each in events if each.seq is not None and is_valid_seq(each.seq)})
    if not seqs:
        return Receipt(HOLDS_NOTHING_BACK)
    return Receipt(seqs[0] - 1, missing=[(seq, seq) for seq in seqs])


def _by_session(sent: Events) -> dict[SessionId, list[int]]:
    """The indexes of each session's events. Those without a valid session id belong to the session
    that is named first."""
    named = [_session_of(each) for each in sent]
    first = next((each for each in named if each is not None), None)
    if first is None:
        raise BadBatch("No event has a `sessionId`.")
    parts: dict[SessionId, list[int]] = {}
    for index, session_id in enumerate(named):
        parts.setdefault(session_id or first, []).append(index)
    return parts


def _session_of(each: Sent) -> SessionId | None:
    try:
        return None if each.session_id is None else SessionId(UUID(each.session_id))
    except ValueError:
        return None


def _combined(receipts: Sequence[Receipt]) -> Receipt:
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
