"""Active time by domain, and by day."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Query


@dataclass(frozen=True, slots=True)
class DomainSum:
    """One domain in one period; `all_*` are the period's sums over all domains."""

    period: int
    domain: str
    focused_ms: int
    visits: int
    pages: int
    all_ms: int
    all_visits: int
    all_pages: int


# $2 are the edges of periods that follow each other: the first lies between edges 1 and 2. A visit
# that crosses an edge counts on both sides, up to it. Sessions by sessions_by_start; a browser's
# events may lie a little before the start that it sent.
DOMAINS = Query(
    DomainSum,
    """
with
edges as (select $2::timestamptz[] as at, cardinality($2) as count),
parts as (
  select period, u.domain, v.url_id,
         least(v.left_at, at[period + 1]) - greatest(v.entered_at, at[period]) as stay
    from edges
    join sessions s on s.user_id = $1 and s.started_at < at[count] + interval '1 day'
                   and greatest(s.ended_at, s.last_event_at) > at[1]
    join page_visits v on v.session_id = s.id and v.is_focused
                      and v.left_at > at[1] and v.entered_at < at[count]
    join urls u on u.id = v.url_id
   cross join generate_series(
           greatest(width_bucket(v.entered_at, at), 1),
           least(width_bucket(v.left_at - interval '1 microsecond', at), count - 1)) as period),
sums as (
  select period, domain, sum((extract(epoch from stay) * 1000)::bigint)::bigint as focused_ms,
         count(*)::int as visits, count(distinct url_id)::int as pages
    from parts group by period, domain),
ranked as (
  select *, sum(focused_ms) over whole::bigint as all_ms, sum(visits) over whole::int as all_visits,
         sum(pages) over whole::int as all_pages,
         row_number() over (partition by period order by focused_ms desc, domain) as rank
    from sums window whole as (partition by period))
select period, domain, focused_ms, visits, pages, all_ms, all_visits, all_pages
  from ranked where rank <= $3 order by period, rank""",
)


@dataclass(frozen=True, slots=True)
class PeriodSum:
    """One period in which something was read."""

    period: int
    focused_ms: int
    visits: int


# The same periods without their domains: a year of days needs neither urls nor ranks. Sessions by
# sessions_by_start, their visits by page_visits_pkey.
PERIODS = Query(
    PeriodSum,
    """
with
edges as (select $2::timestamptz[] as at, cardinality($2) as count),
parts as (
  select period, least(v.left_at, at[period + 1]) - greatest(v.entered_at, at[period]) as stay
    from edges
    join sessions s on s.user_id = $1 and s.started_at < at[count] + interval '1 day'
                   and greatest(s.ended_at, s.last_event_at) > at[1]
    join page_visits v on v.session_id = s.id and v.is_focused
                      and v.left_at > at[1] and v.entered_at < at[count]
   cross join generate_series(
           greatest(width_bucket(v.entered_at, at), 1),
           least(width_bucket(v.left_at - interval '1 microsecond', at), count - 1)) as period)
select period, sum((extract(epoch from stay) * 1000)::bigint)::bigint as focused_ms,
       count(*)::int as visits
  from parts group by period order by period""",
)
