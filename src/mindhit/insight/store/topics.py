"""Topics of sessions, and active time by topic."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Query, Write

DROP_TOPICS = Write(
    Nothing,
    """
delete from session_topics t using sessions s
 where s.id = $1 and s.user_id = $2 and t.session_id = s.id""",
)
# $3 is a list of {place, label, url_ids}.
ADD_TOPICS = Write(
    Nothing,
    """
insert into session_topics (session_id, place, label, url_ids)
select s.id, t.place, t.label, t.url_ids
  from sessions s, jsonb_to_recordset($3::jsonb) as t (place int, label text, url_ids uuid[])
 where s.id = $1 and s.user_id = $2""",
)


@dataclass(frozen=True, slots=True)
class TopicSum:
    """One topic; `all_*` are the sums over all topics."""

    topic: str
    focused_ms: int
    visits: int
    pages: int
    all_ms: int
    all_visits: int
    all_pages: int


# A visit that crosses an edge counts up to it; it counts once, for the first topic that has its page.
# Equal labels are one topic, spelled as most recently. Sessions by sessions_by_start.
TOTALS = Query(
    TopicSum,
    """
with
parts as (
  select t.label, lower(t.label) as name, s.started_at, v.url_id,
         least(v.left_at, $3::timestamptz) - greatest(v.entered_at, $2::timestamptz) as stay
    from sessions s
    join page_visits v on v.session_id = s.id and v.is_focused
                      and v.left_at > $2 and v.entered_at < $3
    join lateral (select t.label from session_topics t
                   where t.session_id = s.id and v.url_id = any (t.url_ids)
                   order by t.place limit 1) t on true
   where s.user_id = $1 and s.started_at < $3 + interval '1 day'
     and greatest(s.ended_at, s.last_event_at) > $2),
sums as (
  select (array_agg(label order by started_at desc, label))[1] as topic,
         sum((extract(epoch from stay) * 1000)::bigint)::bigint as focused_ms,
         count(*)::int as visits, count(distinct url_id)::int as pages
    from parts group by name)
select topic, focused_ms, visits, pages, sum(focused_ms) over ()::bigint as all_ms,
       sum(visits) over ()::int as all_visits, sum(pages) over ()::int as all_pages
  from sums order by focused_ms desc, topic limit $4""",
)
