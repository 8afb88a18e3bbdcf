"""Where raw events lie, month by month."""

from __future__ import annotations

from datetime import date

from mindhit.db import Query, Write

# True where there was none yet. Cheap where there is one.
MAKE = Write(bool, "select make_raw_events_partition($1)")
DROP = Write(bool, "select drop_raw_events_partition($1)")
MONTHS = Query(
    date,
    r"""
select to_date(right(c.relname, 7), 'YYYY_MM') as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
 where i.inhparent = 'raw_events'::regclass
 order by 1""",
)
# Is there a session of this month that goes on, stopped after a moment, or is still to be folded?
# It need not have a log yet: what comes for it needs a place to go.
IS_AWAITED = Query(
    bool,
    """
select exists (select from sessions
                where month = $1 and (stopped_at is null or stopped_at >= $2
                                      or closed_at is null or is_stale)) as is_awaited""",
    across_users="retention looks at everyone's",
)
IS_USED = Query(bool, "select exists (select from raw_events where month = $1) as is_used")
