-- why:   recording sessions, the log of their events, and the timeline that is folded from it
-- locks: none that anyone could wait for (new tables)
-- takes: milliseconds
-- when:  before the code

create table sessions (
  id                uuid primary key,
  user_id           uuid not null references users on delete cascade,
  -- What recorded it; a device that is gone leaves its sessions.
  device_id         uuid references devices on delete set null,
  title             text,
  status            text not null default 'recording',
  -- started, ended, last event: the browser's clock. stopped, closed, heard: ours.
  started_at        timestamptz not null,
  ended_at          timestamptz,
  -- Nobody said when it ended: it fell silent. The browser may still say so.
  is_end_guessed    boolean not null default false,
  stopped_at        timestamptz,
  closed_at         timestamptz,
  last_event_at     timestamptz,
  heard_at          timestamptz not null default now(),
  -- Of the start: where the session's raw events lie.
  month             date not null,
  -- The log: everything below next_seq is folded or given up, max_seq is the highest that came,
  -- last_seq what the browser said was the last. parked: [first, last, noticed at (epoch s)] of
  -- what lies behind a hole; holes: [first, last] of what was given up.
  next_seq          integer not null default 1,
  max_seq           integer not null default 0,
  last_seq          integer,
  parked            jsonb not null default '[]',
  holes             jsonb not null default '[]',
  hole_since        timestamptz,
  fold_state        bytea,
  is_resting        boolean not null default false,
  -- The log has grown where it was taken for complete: it is to be folded again from nothing.
  is_stale          boolean not null default false,
  -- Kept by every write, so that reading a list adds nothing up.
  page_count        integer not null default 0,
  total_duration_ms bigint not null default 0,
  event_count       integer not null default 0,
  rejected_count    integer not null default 0,
  highlight_count   integer not null default 0,
  top_keywords      text[] not null default '{}',
  top_domains       text[] not null default '{}',
  error             text,
  -- Grows with every change; whoever watches a session asks whether it has.
  version           bigint not null default 1,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),

  constraint sessions_status check (status in ('recording', 'processing', 'completed', 'failed')),
  constraint sessions_stopped check ((status = 'recording') = (stopped_at is null)),
  constraint sessions_month check (extract(day from month) = 1),
  constraint sessions_log check (next_seq >= 1 and max_seq >= next_seq - 1)
) with (fillfactor = 80); -- each batch changes the row; none of it is indexed, so it stays in place
comment on table sessions is 'tracking: one recording, from start to stop';
-- Compressing it anew with each batch would cost more than its bytes.
alter table sessions alter fold_state set storage external;
create index sessions_by_start on sessions (user_id, started_at desc, id desc);
create index sessions_recording on sessions (id) where status in ('recording', 'processing');
create index sessions_stale on sessions (id) where is_stale;
create index sessions_with_holes on sessions (id) where hole_since is not null;

create table deleted_sessions (
  session_id uuid primary key,
  user_id    uuid not null references users on delete cascade,
  deleted_at timestamptz not null default now()
);
comment on table deleted_sessions is 'tracking: ids that a browser may still send events for';

create table urls (
  -- The first 16 bytes of the SHA-256 of url: nothing has to be looked up to refer to a page.
  id         uuid primary key,
  url        text not null,
  domain     text not null,
  created_at timestamptz not null default now()
);
comment on table urls is 'tracking: the identity of pages, of everybody and of nobody';

create table page_contents (
  -- Hash of user_id, title, text and meta.
  id            uuid primary key,
  -- Whose browser sent it; null: fetched by the server without cookies, for anybody.
  user_id       uuid,
  title         text,
  content       text not null,
  meta          jsonb not null default '{}',
  favicon       text,
  status        text not null default 'extracted',
  summary       text,
  keywords      text[],
  summarised_at timestamptz,
  created_at    timestamptz not null default now(),

  constraint page_contents_status check (status in ('extracted', 'crawled')),
  constraint page_contents_length check (octet_length(content) <= 40000)
);
comment on table page_contents is 'tracking: what a reader saw';
create index page_contents_by_reader on page_contents (user_id);

create table reader_urls (
  user_id        uuid not null,
  url_id         uuid not null,
  content_id     uuid,
  -- Null while nobody tried to read the page.
  content_status text,
  -- Where and when the text was read, by the browser's clock: of two texts the later one counts,
  -- whichever came first, and it goes with its session.
  session_id     uuid,
  read_at        timestamptz,
  updated_at     timestamptz not null default now(),

  primary key (user_id, url_id),
  constraint reader_urls_status
    check (content_status in ('pending', 'extracted', 'crawled', 'failed')),
  constraint reader_urls_content
    check (coalesce(content_status in ('extracted', 'crawled'), false) = (content_id is not null))
);
comment on table reader_urls is 'tracking: pages a reader has met, and the newest text of each';
create index reader_urls_by_url on reader_urls (url_id);

-- No foreign keys here and on what follows: rows come under the lock of their session, which is
-- also what deletes them, and checking each cost about 8 % of the server's time for a batch.
create table page_visits (
  session_id    uuid not null,
  opened_by_seq integer not null,
  visit_order   integer not null,
  url_id        uuid not null,
  tab_id        integer not null,
  entered_at    timestamptz not null,
  left_at       timestamptz not null,
  duration_ms   bigint not null,
  is_focused    boolean not null,
  title         text,
  content_id    uuid,
  transition    text,
  from_url_id   uuid,

  primary key (session_id, opened_by_seq),
  constraint page_visits_time check (left_at > entered_at and duration_ms > 0)
);
comment on table page_visits is 'tracking: stays of a page in the foreground';
create index page_visits_seen on page_visits (session_id, url_id) where is_focused;

create table session_pauses (
  session_id uuid not null,
  entered_at timestamptz not null,
  left_at    timestamptz not null,
  kind       text not null,

  primary key (session_id, entered_at),
  constraint session_pauses_kind check (kind in ('idle', 'asleep', 'no_page')),
  constraint session_pauses_time check (left_at > entered_at)
);
comment on table session_pauses is 'tracking: stretches of a session that belong to no visit';

create table highlights (
  -- Hash of session_id, url_id and text: the same text on the same page is marked once.
  id         uuid primary key,
  session_id uuid not null,
  seq        integer not null,
  url_id     uuid not null,
  visit_seq  integer,
  text       text not null,
  created_at timestamptz not null
);
comment on table highlights is 'tracking: texts that were marked';
create index highlights_by_session on highlights (session_id, seq);

create table raw_events (
  month      date not null,
  session_id uuid not null,
  seq        integer not null,
  t          bigint not null,
  type       text not null,
  tab_id     integer,
  window_id  integer,
  url_id     uuid,
  payload    jsonb,

  primary key (month, session_id, seq)
) partition by range (month);
comment on table raw_events is 'tracking: the log, as it came; partitioned by the month of the session''s start';

-- A partition is attached, not created in place: that would lock out every writer meanwhile.
create function make_raw_events_partition(of_month date) returns boolean
language plpgsql as $$
declare
  name text := 'raw_events_' || to_char(of_month, 'YYYY_MM');
begin
  -- Whoever drops one waits for the sessions that are being started, and they for it.
  perform pg_advisory_xact_lock_shared(7502, 0);
  if to_regclass(name) is not null then
    return false;
  end if;
  perform pg_advisory_xact_lock(7502, 1);
  -- Not by to_regclass: that remembers its first answer, and whoever was waited for has made it.
  if exists (select from pg_class where relname = name) then
    return false;
  end if;
  execute format('create table %I (like raw_events including all)', name);
  execute format('comment on table %I is %L', name, 'tracking: raw events of one month');
  execute format('alter table raw_events attach partition %I for values from (%L) to (%L)',
                 name, of_month, (of_month + interval '1 month')::date);
  return true;
end $$;

-- Unless a session of the month goes on, stopped since, or is still to be folded: it need not have a
-- log yet, for what comes for it needs a place to go. And unless it is used, where all is kept.
create function drop_raw_events_partition(of_month date, since timestamptz, keeps_all boolean)
returns boolean
language plpgsql as $$
declare
  name text := 'raw_events_' || to_char(of_month, 'YYYY_MM');
begin
  perform set_config('lock_timeout', '2s', true);
  perform pg_advisory_xact_lock(7502, 0);
  if to_regclass(name) is null
     or exists (select from sessions
                 where month = of_month and (stopped_at is null or stopped_at >= since
                                             or closed_at is null or is_stale))
     or (keeps_all and exists (select from raw_events where month = of_month)) then
    return false;
  end if;
  execute format('drop table %I', name);
  return true;
end $$;
