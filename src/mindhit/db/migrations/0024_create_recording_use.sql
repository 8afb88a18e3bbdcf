-- why:   nobody can fill the server: what each person records is counted and limited
-- locks: none that anyone could wait for (new table)
-- takes: milliseconds
-- when:  before the code

-- One row for each person. A count is of the hour or day beside it, and starts again with the next.
create table recording_use (
  user_id     uuid primary key references users on delete cascade,
  hour        timestamptz not null,
  sessions    integer not null default 0,
  day         date not null,
  events      integer not null default 0,
  icons       integer not null default 0,
  -- Counted upwards with what arrives; `tracking:measure` puts in what is stored.
  bytes       bigint not null default 0,
  measured_at timestamptz
);
comment on table recording_use is 'tracking: how much each person records, and has stored';
