-- why:   a claim whose answer never arrived may have been committed. The worker takes such jobs over by their
--        lease; one that was rescued before that is not to count as a worker that died
-- locks: jobs, exclusively, while the index is built (over no rows) and not rewritten
-- takes: one scan of jobs, under a second for a million rows
-- when:  before the code

alter table jobs add column rescued_lease uuid;
comment on column jobs.rescued_lease is 'the lease under which it was rescued last; null once it was claimed again';
create index jobs_rescued on jobs (rescued_lease) where rescued_lease is not null;
