"""Putting jobs into the queue, and notifying the workers."""

from __future__ import annotations

from dataclasses import dataclass

from mindhit.db import Nothing, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJobs:
    """Jobs to add, as columns."""

    queues: list[str]
    kinds: list[str]
    keys: list[str | None]
    lanes: list[str]
    domains: list[str | None]
    args: list[bytes]
    max_attempts: list[int]
    after_s: list[float]
    notify: bool


CHANNEL = "mindhit_jobs"  # the same in the statements below

# Add jobs in the order given, and return their ids in that order. One whose key is already queued or
# running takes on the new values, and is marked `again` if it runs. It is brought forward if it only
# waits for the time it was enqueued for; a time that its handler set stays (a backoff has counted an
# attempt, a snooze has left an error). A running job keeps in run_after when it is wanted again. There
# is always one attempt left, however few its kind has by now: a claim counts one, and must not find
# them used up. Notifies the workers where `notify`. Rides jobs_once.
ENQUEUE = Write(
    int,
    """
with added as (
  insert into jobs (queue, kind, key, lane, domain, args, max_attempts, run_after)
  select queue, kind, key, lane, domain, args, max_attempts, now() + make_interval(secs => after_s)
    from unnest($queues::text[], $kinds::text[], $keys::text[], $lanes::text[], $domains::text[],
                $args::jsonb[], $max_attempts::int[], $after_s::float8[])
           with ordinality as j(queue, kind, key, lane, domain, args, max_attempts, after_s, nth)
   order by nth
  on conflict (kind, key) where key is not null and status in ('queued', 'running')
  do update set again = jobs.again or jobs.status = 'running',
                queue = excluded.queue, lane = excluded.lane, domain = excluded.domain,
                args = excluded.args,
                max_attempts = greatest(excluded.max_attempts, jobs.attempts + 1),
                run_after = case
                  when jobs.status = 'running' and not jobs.again then excluded.run_after
                  when jobs.status = 'running' or jobs.attempts = 0 and jobs.last_error is null
                    then least(jobs.run_after, excluded.run_after)
                  else jobs.run_after end,
                updated_at = now()
  returning id
), notified as materialized (
  select case when $notify::bool then pg_notify('mindhit_jobs', '') end
)
select id from added where (select count(*) from notified) = 1""",
    params=NewJobs,
)

NOTIFY = Write(Nothing, "select pg_notify('mindhit_jobs', '')")
