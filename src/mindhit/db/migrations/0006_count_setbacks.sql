-- why:   a job that the database fails again and again has to count as tried at some time
-- locks: jobs, exclusively, for a moment (the table is not rewritten)
-- takes: milliseconds
-- when:  before the code

alter table jobs add column setbacks smallint not null default 0;
comment on column jobs.setbacks is 'how often in a row the database failed its handler, without an attempt being counted';
