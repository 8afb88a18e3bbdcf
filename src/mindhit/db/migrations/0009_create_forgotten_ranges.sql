-- why:   what a person wants forgotten stays forgotten when a browser sends events of it later
-- locks: none that anyone could wait for (new table)
-- takes: milliseconds
-- when:  before the code

create table forgotten_ranges (
  id              uuid primary key,
  user_id         uuid not null references users on delete cascade,
  -- [from, to) by the browsers' clocks; null: from the beginning.
  from_at         timestamptz,
  to_at           timestamptz not null,
  -- Only this session; null: all of the person's.
  session_id      uuid,
  -- Only pages of this site, or this page: hashes, so that the list of what was forgotten names nothing.
  domain_hash     uuid,
  url_hash        uuid,
  -- How far the person's sessions are done, in the order of their ids.
  sessions        integer not null default 0,
  sessions_done   integer not null default 0,
  last_session_id uuid,
  done_at         timestamptz,
  created_at      timestamptz not null default now(),

  constraint forgotten_ranges_time check (from_at < to_at),
  constraint forgotten_ranges_pages check (domain_hash is null or url_hash is null)
);
comment on table forgotten_ranges is 'tracking: what a person wants forgotten, for events that arrive late';
create index forgotten_ranges_by_user on forgotten_ranges (user_id);
