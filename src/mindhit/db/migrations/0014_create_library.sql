-- why:   bookmarks: folders, saved pages, what is known of their links, imports, and what syncing needs
-- locks: urls, against writes, for a moment (the foreign keys of new, empty tables)
-- takes: milliseconds
-- when:  before the code

create table user_sync_state (
  user_id uuid primary key references users on delete cascade,
  seq     bigint not null default 1,
  -- Tombstones up to here are gone: whoever pulled last before it has to start over.
  floor   bigint not null default 0,

  constraint user_sync_state_order check (seq >= 1 and floor between 0 and seq)
) with (fillfactor = 50);
comment on table user_sync_state is 'library: a person''s sync counter; every transaction that writes their library raises it first';

create table folders (
  id          uuid primary key,
  user_id     uuid not null references users on delete cascade,
  -- The id that a syncing client gave it; null: its own.
  sync_id     text,
  parent_id   uuid,
  name        text not null,
  -- Folders and pages of one folder share one order.
  position    double precision not null,
  -- Attributes of a file that mean nothing here, for the export.
  extra       jsonb not null default '{}',
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  created_seq bigint not null,
  seq         bigint not null,

  unique (user_id, id),
  foreign key (user_id, parent_id) references folders (user_id, id) on delete cascade,
  constraint folders_position check (position between -1e300 and 1e300),
  constraint folders_seq check (created_seq <= seq)
);
comment on table folders is 'library: a person''s folders';
create unique index folders_sync_id on folders (user_id, sync_id) where sync_id is not null;
create index folders_in_order on folders (user_id, parent_id, position, id);
create index folders_changed on folders (user_id, seq);

create table pages (
  -- Grows with time: the newest are the last.
  id          uuid primary key,
  user_id     uuid not null references users on delete cascade,
  sync_id     text,
  kind        text not null,
  url_id      uuid references urls,
  -- As it was typed or imported: links and fetches use it.
  address     text not null,
  title       text,
  note        text,
  tags        text[] not null default '{}',
  archived_at timestamptz,
  folder_id   uuid,
  position    double precision not null,
  extra       jsonb not null default '{}',
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  created_seq bigint not null,
  seq         bigint not null,

  unique (user_id, id),
  foreign key (user_id, folder_id) references folders (user_id, id) on delete cascade,
  constraint pages_kind check (kind in ('link', 'other', 'separator')),
  constraint pages_url check ((kind = 'link') = (url_id is not null)),
  constraint pages_position check (position between -1e300 and 1e300),
  constraint pages_seq check (created_seq <= seq)
);
comment on table pages is 'library: saved pages, one row for each place in a person''s folders';
create unique index pages_sync_id on pages (user_id, sync_id) where sync_id is not null;
create index pages_in_order on pages (user_id, folder_id, position, id);
create index pages_of_url on pages (url_id, user_id);
create index pages_not_links on pages (user_id, folder_id) where kind <> 'link';
create index pages_changed on pages (user_id, seq);

create table link_metadata (
  url_id      uuid primary key references urls on delete cascade,
  state       text not null default 'waiting',
  reason      text,
  title       text,
  description text,
  image       text,
  site_name   text,
  favicon     text,
  language    text,
  canonical   text,
  summary     text,
  keywords    text[],
  engine      text,
  attempts    integer not null default 0,
  -- Its newest job, which may be pruned; null: not in the queue yet.
  job_id      bigint,
  created_at  timestamptz not null default now(),
  enriched_at timestamptz,

  constraint link_metadata_state check (state in ('waiting', 'enriched', 'dead')),
  constraint link_metadata_enriched check ((state = 'enriched') = (enriched_at is not null)),
  constraint link_metadata_reason check ((state = 'dead') = (reason is not null))
);
comment on table link_metadata is 'library: what a saved link''s page says of itself; the same for everybody';
create index link_metadata_dead on link_metadata (url_id) where state = 'dead';

create view enrichment_jobs as
select j.id, m.url_id as link_canonical_id,
       case when m.state = 'enriched' then 'succeeded'
            when m.state = 'dead' then 'dead'
            when j.status in ('dead', 'canceled') then 'dead'
            when j.status = 'running' then 'running'
            when j.attempts > 0 and j.status = 'queued' then 'failed'
            else 'queued' end as status,
       case when m.state = 'waiting' then coalesce(j.attempts, 0) else m.attempts end as attempts,
       coalesce(j.max_attempts, 2) as max_attempts, j.run_after, j.locked_at, j.locked_by,
       coalesce(m.reason, j.last_error) as last_error, m.created_at,
       coalesce(j.updated_at, m.enriched_at, m.created_at) as updated_at
  from link_metadata m
  left join jobs j on j.id = m.job_id and j.kind = 'library:enrich';
comment on view enrichment_jobs is 'library: every saved link with the state of its enrichment';

create table blocked_domains (
  domain text primary key,
  reason text not null,
  at     timestamptz not null default now()
);
comment on table blocked_domains is 'library: sites that refused to be read, as candidates for not asking them again';

create table import_jobs (
  id              uuid primary key,
  user_id         uuid not null references users on delete cascade,
  source_type     text,
  status          text not null default 'queued',
  file_name       text,
  folder_id       uuid references folders on delete set null,
  total_items     integer not null default 0,
  processed_items integer not null default 0,
  failed_items    integer not null default 0,
  added_items     integer not null default 0,
  last_error      text,
  created_at      timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,

  constraint import_jobs_status
    check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  constraint import_jobs_finished
    check ((finished_at is not null) = (status in ('succeeded', 'failed', 'canceled'))),
  constraint import_jobs_items
    check (least(total_items, processed_items, failed_items, added_items) >= 0
           and failed_items + added_items <= processed_items)
);
comment on table import_jobs is 'library: files of bookmarks that were imported, and how far each has come';
create index import_jobs_by_user on import_jobs (user_id, created_at desc, id desc);
create index import_jobs_folder on import_jobs (folder_id);

create table import_parts (
  import_id uuid not null references import_jobs on delete cascade,
  number    integer not null,
  bytes     bytea not null,

  primary key (import_id, number)
);
comment on table import_parts is 'library: the file of an import, until that ends';
alter table import_parts alter bytes set storage external;

create table import_failures (
  import_id uuid not null references import_jobs on delete cascade,
  number    integer not null,
  line      integer not null,
  reason    text not null,
  excerpt   text not null,

  primary key (import_id, number)
);
comment on table import_failures is 'library: entries of a file that could not be imported; the first thousand';

create table sync_tombstones (
  user_id    uuid not null references users on delete cascade,
  table_name text not null,
  sync_id    text not null,
  seq        bigint not null,
  deleted_at timestamptz not null default now(),

  primary key (user_id, table_name, sync_id),
  constraint sync_tombstones_table check (table_name in ('folders', 'pages'))
);
comment on table sync_tombstones is 'library: what was deleted, for clients that have not heard of it';
create index sync_tombstones_changed on sync_tombstones (user_id, seq);
create index sync_tombstones_old on sync_tombstones (deleted_at);
