-- why:   the queue, the slots that hold a domain's limit, and when recurring work is due next
-- locks: none that anyone could wait for (new tables)
-- takes: milliseconds
-- when:  before the code

create table jobs (
  id           bigint generated always as identity primary key,
  queue        text not null,
  kind         text not null,
  key          text,
  lane         text not null,
  domain       text,
  args         jsonb not null,
  status       text not null default 'queued',
  again        boolean not null default false,
  attempts     integer not null default 0,
  max_attempts integer not null,
  rescues      integer not null default 0,
  run_after    timestamptz not null default now(),
  locked_at    timestamptz,
  locked_by    text,
  lease_id     uuid,
  lease_until  timestamptz,
  last_error   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  finished_at  timestamptz,

  constraint jobs_status check (status in ('queued', 'running', 'succeeded', 'dead', 'canceled')),
  constraint jobs_lane check (lane in ('critical', 'default', 'low')),
  constraint jobs_attempts check (attempts between 0 and max_attempts and rescues >= 0),
  constraint jobs_names check (queue <> '' and kind <> '' and key <> '' and domain <> ''),
  -- A lease is whole or absent, and exactly running jobs have one.
  constraint jobs_lease check (
    num_nonnulls(locked_at, locked_by, lease_id, lease_until)
      = case when status = 'running' then 4 else 0 end),
  constraint jobs_finished check (
    (finished_at is not null) = (status in ('succeeded', 'dead', 'canceled'))),
  -- Only a running job can be asked to run once more.
  constraint jobs_again check (not again or status = 'running')
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);
comment on table jobs is 'work: one row for every durable step, waiting, running or done';

-- The claim's own predicates: history and running rows are not in these two.
create index jobs_ready on jobs (queue, lane, run_after, id)
  where status = 'queued' and domain is null;
create index jobs_ready_by_domain on jobs (queue, lane, domain, run_after, id)
  where status = 'queued' and domain is not null;
-- Leases are renewed often: lease_until stays out of every index, so that a renewal is HOT.
create index jobs_running on jobs (id) where status = 'running';
create index jobs_dead on jobs (id) where status = 'dead';
create unique index jobs_once on jobs (kind, key)
  where key is not null and status in ('queued', 'running');

create table job_slots (
  domain text not null,
  slot   smallint not null,
  job_id bigint not null,
  primary key (domain, slot)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table job_slots is 'work: which of a domain''s places are taken; a row lives as long as its job runs';
create index job_slots_job on job_slots (job_id);

create table job_schedules (
  name         text primary key,
  next_run_at  timestamptz not null,
  last_run_at  timestamptz,
  last_job_id  bigint
);
comment on table job_schedules is 'work: when each recurring job is due next';
