-- why:   what becomes of a session: its mind map with the reader's edits, its topics, its report.
--        sessions.timeline_at says since when a timeline has been quiet: what is made of one that
--        changes again and again is made once, when it is over
-- locks: sessions, everything, for a moment (a column without a default; the foreign keys of new,
--        empty tables)
-- takes: milliseconds
-- when:  before the code

alter table sessions add column timeline_at timestamptz;
comment on column sessions.timeline_at is 'when the timeline was closed or last folded again';

create table mindmap_graphs (
  id               uuid primary key default gen_random_uuid(),
  session_id       uuid not null unique references sessions on delete cascade,
  user_id          uuid not null references users on delete cascade,
  nodes            jsonb not null,
  edges            jsonb not null,
  metadata         jsonb not null,
  made_of          text not null,
  timeline_version int not null,
  thumbnail        jsonb not null default '[]',
  created_at       timestamptz not null default now()
);
comment on table mindmap_graphs is 'insight: mind maps as they were generated';
comment on column mindmap_graphs.made_of is 'hash of the pages, times, highlights, summaries and versions it was made of';
comment on column mindmap_graphs.thumbnail is 'of the map as it is shown';
create index mindmap_graphs_of_user on mindmap_graphs (user_id);

create table mindmap_edits (
  session_id uuid not null references sessions on delete cascade,
  number     int not null,
  op         jsonb not null,
  was        jsonb not null default '{}',
  made_at    timestamptz not null default now(),

  primary key (session_id, number)
);
comment on table mindmap_edits is 'insight: what readers changed on their maps, as operations';
comment on column mindmap_edits.was is 'node id → what it looked like in the generated map: type, label, pages';

create table session_topics (
  session_id uuid not null references sessions on delete cascade,
  place      int not null,
  label      text not null,
  url_ids    uuid[] not null,

  primary key (session_id, place)
);
comment on table session_topics is 'insight: the topics of sessions as their maps show them, for totals';

create table session_reports (
  session_id uuid primary key references sessions on delete cascade,
  user_id    uuid not null references users on delete cascade,
  state      text not null,
  error      text,
  created_at timestamptz not null default now(),
  sent_at    timestamptz,

  constraint session_reports_state check (state in ('due', 'sent', 'off', 'no_server', 'failed')),
  constraint session_reports_sent check ((state = 'sent') = (sent_at is not null))
);
comment on table session_reports is 'insight: the one report by mail of each session, and what became of it';
create index session_reports_of_user on session_reports (user_id);

create table processing_requests (
  session_id uuid primary key references sessions on delete cascade,
  user_id    uuid not null references users on delete cascade,
  again      text[] not null,
  asked_at   timestamptz not null default now()
);
comment on table processing_requests is 'insight: what a reader wants made again; gone when it is';
create index processing_requests_of_user on processing_requests (user_id);

create table insight_backfill (
  only_row boolean primary key default true check (only_row),
  done_at  timestamptz
);
comment on table insight_backfill is 'insight: whether sessions from before it have been given to it';
insert into insight_backfill default values;
