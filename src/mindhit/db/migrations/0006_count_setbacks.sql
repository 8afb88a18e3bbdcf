-- why:   a job that the database fails again and again has to count as tried at some time; a place that
--        a canceled or erased job's handler still has says itself how long
-- locks: jobs and job_slots, exclusively, for a moment (the tables are not rewritten)
-- takes: milliseconds
-- when:  before the code

alter table jobs add column setbacks smallint not null default 0;
comment on column jobs.setbacks is 'how often in a row the database failed its handler, without an attempt being counted';

alter table job_slots
  add column lease_id    uuid,
  add column lease_until timestamptz,
  add constraint job_slots_outlived check ((lease_id is null) = (lease_until is null));
comment on column job_slots.lease_id is 'the lease under which a handler may still be at it whose job was taken from it; null while the job runs';
comment on column job_slots.lease_until is 'when that lease ends, unless it was prolonged in job_renewals';
