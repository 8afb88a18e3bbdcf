"""What was recorded of one page, in all of a person's sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.tracking import store


@dataclass(frozen=True, slots=True)
class Seen:
    first_at: datetime
    last_at: datetime
    visits: int
    focused_ms: int
    highlights: int


async def seen(tx: ReadTx, user_id: UUID, url_id: UUID) -> Seen | None:
    """None for a page that was never in the foreground."""
    found = await tx.one(store.seen.SEEN, user_id, url_id)
    if found.first_at is None or found.last_at is None:
        return None
    return Seen(found.first_at, found.last_at, found.visits, found.focused_ms, found.highlights)
