-- why:   an export of everything is made once by a job, kept for a day, and downloaded in as many requests as it takes
-- locks: users, against writes, for a moment (the foreign keys of new, empty tables)
-- takes: milliseconds
-- when:  before the code

-- One row for each person: a new one takes the place of the last.
create table exports (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null unique references users on delete cascade,
  status      text not null default 'queued',
  -- Files of the archive, and how many of them are written.
  files       integer not null default 0,
  files_done  integer not null default 0,
  size_bytes  bigint,
  digest      text,
  reason      text,
  created_at  timestamptz not null default now(),
  started_at  timestamptz,
  finished_at timestamptz,
  expires_at  timestamptz,

  constraint exports_status check (status in ('queued', 'running', 'ready', 'failed')),
  constraint exports_files check (files_done between 0 and files),
  constraint exports_ready
    check ((size_bytes is not null and digest is not null) = (status = 'ready')),
  constraint exports_reason check ((reason is not null) = (status = 'failed')),
  constraint exports_finished
    check ((finished_at is not null and expires_at is not null) = (status in ('ready', 'failed')))
);
comment on table exports is 'accounts: exports of everything about a person, being made or kept for a day';
create index exports_by_expiry on exports (expires_at);

create table export_parts (
  export_id uuid not null references exports on delete cascade,
  number    integer not null,
  bytes     bytea not null,

  primary key (export_id, number)
);
comment on table export_parts is 'accounts: the archive of an export, in parts of 1 MiB';
-- It is compressed already.
alter table export_parts alter bytes set storage external;
