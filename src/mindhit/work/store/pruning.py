"""Deleting old jobs."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Write


@dataclass(frozen=True, slots=True)
class Pruned:
    seen: int
    deleted: int
    last_id: int


# Look at the next $3 jobs with ids above $1 that were created before $2, and delete those that
# succeeded or were canceled before it. Ids grow with time, so the primary key serves, and no settle
# has to maintain an index on finished_at.
PRUNE = Write(
    Pruned,
    """
with old as materialized (
  select id, status, finished_at from jobs
   where id > $1::bigint and created_at < $2 order by id limit $3::int
), gone as (
  delete from jobs
   where id = any(array(select id from old
                         where status in ('succeeded', 'canceled') and finished_at < $2))
  returning id
)
select (select count(*) from old)::int as seen, (select count(*) from gone)::int as deleted,
       (select coalesce(max(id), 0) from old) as last_id""",
)
