"""One page in all of a person's sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class SeenRow:
    first_at: datetime | None
    last_at: datetime | None
    visits: int
    focused_ms: int
    highlights: int


# One lookup in each of the person's sessions. Rides page_visits_seen and highlights_by_session.
SEEN = Query(
    SeenRow,
    """
select min(v.first_at) as first_at, max(v.last_at) as last_at,
       coalesce(sum(v.visits), 0)::bigint as visits,
       coalesce(sum(v.focused_ms), 0)::bigint as focused_ms,
       coalesce(sum((select count(*) from highlights h
                      where h.session_id = s.id and h.url_id = $2)), 0)::bigint as highlights
  from sessions s
  join lateral (
    select min(p.entered_at) as first_at, max(p.left_at) as last_at, count(*) as visits,
           sum(p.duration_ms) as focused_ms
      from page_visits p
     where p.session_id = s.id and p.url_id = $2 and p.is_focused) v on v.visits > 0
 where s.user_id = $1""",
)
