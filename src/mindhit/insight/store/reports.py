"""The one report of each session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Nothing, Query, Write

# One per session, ever.
ADD = Write(
    UUID,
    """
insert into session_reports (session_id, user_id, state)
select s.id, s.user_id, $3 from sessions s where s.id = $1 and s.user_id = $2
on conflict (session_id) do nothing
returning session_id""",
)
STATE = Query(str, "select state from session_reports where session_id = $1 and user_id = $2")
SETTLE = Write(
    Nothing,
    """
update session_reports
   set state = $3, error = $4, sent_at = case when $3 = 'sent' then now() end
 where session_id = $1 and user_id = $2 and state = 'due'""",
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report says of a session, and whom it is for."""

    email: str
    language: str
    is_wanted: bool
    title: str | None
    started_at: datetime
    ended_at: datetime | None
    total_duration_ms: int
    page_count: int
    highlight_count: int
    top_keywords: list[str]
    state: str | None
    sent_at: datetime | None


FACTS = Query(
    Facts,
    """
select u.email, p.language, p.email_notification as is_wanted, s.title, s.started_at, s.ended_at,
       s.total_duration_ms, s.page_count, s.highlight_count, s.top_keywords, r.state, r.sent_at
  from sessions s
  join users u on u.id = s.user_id
  join user_settings p on p.user_id = s.user_id
  left join session_reports r on r.session_id = s.id
 where s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True)
class LongRead:
    title: str | None
    duration_ms: int


# The pages with the most time.
LONGEST = Query(
    LongRead,
    """
select (array_agg(v.title order by v.visit_order desc)
          filter (where v.title is not null))[1] as title, sum(v.duration_ms)::bigint as duration_ms
  from sessions s join page_visits v on v.session_id = s.id and v.is_focused
 where s.id = $1 and s.user_id = $2
 group by v.url_id order by sum(v.duration_ms) desc, min(v.visit_order) limit 5""",
)
