"""The monthly partitions of the raw events, and what retention deletes from them."""

from __future__ import annotations

from datetime import date

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.store.sweeping import Owned

# True where it did not exist. Cheap where it does.
CREATE = Write(bool, "select make_raw_events_partition($1)")
# True where it was dropped: no session since $2, or nothing in it where everything is kept ($3).
DROP = Write(bool, "select drop_raw_events_partition($1, $2, $3)")
MONTHS = Query(
    date,
    r"""
select to_date(right(c.relname, 7), 'YYYY_MM') as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
 where i.inhparent = 'raw_events'::regclass
 order by 1""",
)
# Sessions of a month that stopped before $2 and still have raw events. Their timeline has to be complete.
OLD_LOGS = Query(
    Owned,
    """
select s.id, s.user_id from sessions s
 where s.month = $1 and s.stopped_at < $2 and s.closed_at is not null and not s.is_stale
   and exists (select from raw_events e where e.month = s.month and e.session_id = s.id)
 order by s.id limit 500""",
    across_users="retention applies to everybody",
)
# Ids of sessions deleted before $1.
PRUNE_DELETED_SESSIONS = Write(
    Nothing,
    "delete from deleted_sessions where deleted_at < $1",
    across_users="retention applies to everybody",
)
