"""Putting jobs into the queue, and telling the workers."""

from __future__ import annotations

from mindhit.db import Nothing, Write

CHANNEL = "mindhit_jobs"

# Add jobs, or mark the one of the same key that runs now. The newest arguments count.
# Keys are sorted, so that two callers lock rows in the same order. Rides jobs_once.
ENQUEUE = Write(
    int,
    f"""
with added as (
  insert into jobs (queue, kind, key, lane, domain, args, max_attempts, run_after)
  select queue, kind, key, lane, domain, args, max_attempts, now() + make_interval(secs => after_s)
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[],
                $7::int[], $8::float8[])
           as j(queue, kind, key, lane, domain, args, max_attempts, after_s)
   order by kind, key
  on conflict (kind, key) where key is not null and status in ('queued', 'running')
  do update set again = jobs.again or jobs.status = 'running',
                args = excluded.args,
                run_after = case when jobs.status = 'queued' and jobs.attempts = 0
                                 then least(jobs.run_after, excluded.run_after)
                                 else jobs.run_after end,
                updated_at = now()
  returning id
), told as materialized (
  select case when $9::bool then pg_notify('{CHANNEL}', '') end
)
select id from added where (select count(*) from told) = 1""",
)

NOTIFY = Write(Nothing, f"select pg_notify('{CHANNEL}', '')")
