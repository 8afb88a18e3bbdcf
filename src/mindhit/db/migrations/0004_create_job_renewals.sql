-- why:   a running job whose row somebody has locked keeps its lease all the same
-- locks: none that anyone could wait for (a new table)
-- takes: milliseconds
-- when:  before the code

create table job_renewals (
  job_id      bigint primary key,
  lease_id    uuid not null,
  lease_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table job_renewals is 'work: leases prolonged while their job''s row was locked; a row lives as long as its lease';
