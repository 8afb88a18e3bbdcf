"""A batch whose events say themselves which session they are of: the seed's way.

Mostly that is one session. Where a browser empties its outbox after a session has ended and another
begun, it is two; each part goes to its own, and the answer holds for all of them: what is up to
`acked_seq` and not in `missing` is stored, whichever session it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from mindhit.db import Tx
from mindhit.errors import Conflict, NotFound
from mindhit.tracking import wire
from mindhit.tracking.ingest import Receipt, Rejected, ingest
from mindhit.tracking.model import BadBatch, SessionId
from mindhit.tracking.sequence import Range

Events = list[wire.Sent | wire.Unread]


async def ingest_named(tx: Tx, user_id: UUID, sent: Sequence[wire.Sent | wire.Unread]) -> Receipt:
    """Take a batch of any sessions. Raises what `ingest` raises where there is but one; of several,
    those that take nothing have their events named in `rejected`."""
    parts = _by_session(sent)
    receipts: list[Receipt] = []
    refused: list[Rejected] = []
    # In one order, so that no two batches of the same sessions wait for each other crosswise.
    for session_id in sorted(parts):
        places = parts[session_id]
        try:
            receipt = await ingest(tx, user_id, session_id, [sent[at] for at in places])
        except (NotFound, Conflict) as why:
            if len(parts) == 1:
                raise
            refused += [Rejected(at, sent[at].seq, str(why)) for at in places]
        else:
            receipt.rejected = [
                replace(each, index=places[each.index]) for each in receipt.rejected
            ]
            receipts.append(receipt)
    return _together(receipts, refused)


def _by_session(sent: Sequence[wire.Sent | wire.Unread]) -> dict[SessionId, list[int]]:
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


def _together(receipts: Sequence[Receipt], refused: Sequence[Rejected]) -> Receipt:
    if len(receipts) == 1 and not refused:
        return receipts[0]
    return Receipt(
        min((each.acked_seq for each in receipts), default=0),
        sum(each.accepted for each in receipts),
        sum(each.duplicates for each in receipts),
        sorted(
            [*refused, *(reason for each in receipts for reason in each.rejected)],
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
