"""The sync counter: every transaction that writes a person's library raises it first.

The row's lock makes the order of counters the order of commits. A client that has seen counter n has
seen everything with a counter of at most n: nothing commits later with a smaller one. Search reads what
changed in the same way, so its job is enqueued here and no writer can forget it.
"""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Tx
from mindhit.library import store
from mindhit.library.job_types import Index, Indexed
from mindhit.work import enqueue


async def raise_counter(tx: Tx, user_id: UUID) -> int:
    """The number that this transaction's rows are stamped with. Other writers of this person's library
    wait until it ends."""
    number = await tx.one(store.syncing.RAISE, user_id)
    await enqueue(tx, Index(Indexed.BOOKMARKS, user_id, user_id))
    return number
