"""Where raw events lie, month by month."""

from __future__ import annotations

from datetime import date

from mindhit.db import Query, Write

# True where there was none yet. Cheap where there is one.
MAKE = Write(bool, "select make_raw_events_partition($1)")
# True where nothing needed it any more: no session since $2, and nothing in it where all is kept ($3).
DROP = Write(bool, "select drop_raw_events_partition($1, $2, $3)")
MONTHS = Query(
    date,
    r"""
select to_date(right(c.relname, 7), 'YYYY_MM') as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
 where i.inhparent = 'raw_events'::regclass
 order by 1""",
)
