"""Notes on highlights: the reader's own, apart from the timeline that is folded from the log."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.tracking import store
from mindhit.tracking.model import HighlightNotFound
from mindhit.tracking.published import HighlightNoted
from mindhit.work import publish

LONGEST_NOTE: Final = 10_000  # characters


async def write_note(tx: Tx, user_id: UUID, highlight_id: UUID, note: str | None) -> None:
    """Write or change the note on a highlight; None deletes it. Raises `HighlightNotFound`."""
    session_id = await tx.maybe(store.highlights.LOCK_SESSION, user_id, highlight_id)
    if session_id is None:
        raise HighlightNotFound
    if note is None:
        await tx.run(store.highlights.DELETE_NOTE, user_id, highlight_id)
    elif await tx.maybe(store.highlights.PUT_NOTE, user_id, highlight_id, note) is None:
        raise HighlightNotFound  # forgotten while this waited for the lock
    await publish(tx, HighlightNoted(session_id, user_id))
