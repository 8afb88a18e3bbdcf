"""The log: events as they were accepted, in one partition per month."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write

_LOCKED: Final = "the same transaction has locked the session as this person's"


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A row of the log."""

    seq: int
    t: int
    type: str
    tab_id: int | None
    window_id: int | None
    url_id: UUID | None
    payload: str | None


# By the primary key of one partition. The payload is read as text and decoded into its own type.
BETWEEN = Query(
    StoredEvent,
    """
select e.seq, e.t, e.type, e.tab_id, e.window_id, e.url_id, e.payload::text
  from raw_events e
 where e.month = $1 and e.session_id = $2 and e.seq between $3 and $4
 order by e.seq""",
    across_users=_LOCKED,
)
# The same in pieces of $5 events.
AFTER = Query(
    StoredEvent,
    """
select e.seq, e.t, e.type, e.tab_id, e.window_id, e.url_id, e.payload::text
  from raw_events e
 where e.month = $1 and e.session_id = $2 and e.seq > $3 and e.seq < $4
 order by e.seq limit $5""",
    across_users=_LOCKED,
)
# Which of these numbers are stored.
STORED_AMONG = Query(
    int,
    """
select seq from raw_events where month = $1 and session_id = $2 and seq = any ($3::int[])""",
    across_users=_LOCKED,
)
DELETE = Write(
    Nothing,
    """
delete from raw_events e using sessions s
 where e.month = $1 and e.session_id = s.id and s.id = $2 and s.user_id = $3""",
)
