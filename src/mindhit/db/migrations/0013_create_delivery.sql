-- why:   a notice reaches a person in the app and over the channels they chose, each once
-- locks: users and devices, against writes, for a moment (foreign keys of new, empty tables)
-- takes: milliseconds
-- when:  before the code

create table notices (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users on delete cascade,
  kind       text not null,
  -- What it is about; a second notice with the same key is the same notice.
  key        text not null,
  title      text not null,
  body       text not null default '',
  url        text,
  -- No foreign key: pages are above this slice.
  page_id    uuid,
  read_at    timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint notices_key unique (user_id, key),
  constraint notices_kind check (kind in ('reminder', 'price', 'usage', 'retention', 'test'))
);
comment on table notices is 'delivery: what a person was told, in the app';
create index notices_of_user on notices (user_id, created_at desc, id desc);
create index notices_unread on notices (user_id) where read_at is null;
create index notices_read on notices (read_at) where read_at is not null;

create table channels (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users on delete cascade,
  kind       text not null,
  name       text not null,
  -- Where it leads, encrypted: topics, addresses and tokens are secrets.
  config     text not null,
  enabled    boolean not null default true,
  -- Kinds of notices it is for; null: all.
  kinds      text[],
  last_ok_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint channels_kind check (kind in ('webpush', 'email', 'ntfy', 'webhook', 'apprise')),
  constraint channels_config check (config like 'mh1.%')
);
comment on table channels is 'delivery: the channels over which a person wants notices';
create index channels_of_user on channels (user_id, created_at, id);
-- One mail channel and one for all browsers: a second would bring every notice twice.
create unique index channels_once on channels (user_id, kind) where kind in ('webpush', 'email');

create table deliveries (
  id          uuid primary key,
  user_id     uuid not null references users on delete cascade,
  notice_id   uuid not null references notices on delete cascade,
  channel_id  uuid not null references channels on delete cascade,
  status      text not null default 'PENDING',
  attempts    int not null default 0,
  provider_id text,
  last_error  text,
  tried_at    timestamptz,
  sent_at     timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),

  constraint deliveries_once unique (notice_id, channel_id),
  constraint deliveries_status check (status in ('PENDING', 'SENDING', 'SENT', 'FAILED', 'DEAD')),
  constraint deliveries_sent check ((status = 'SENT') = (sent_at is not null))
);
comment on table deliveries is 'delivery: one notice over one channel, and what became of it';
create index deliveries_of_channel on deliveries (channel_id);
create index deliveries_of_user on deliveries (user_id);

create table push_subscriptions (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users on delete cascade,
  endpoint   text not null unique,
  p256dh     text not null,
  auth       text not null,
  device_id  uuid references devices on delete cascade,
  last_ok_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table push_subscriptions is 'delivery: browsers that show notices, and how to encrypt for them';
create index push_subscriptions_of_user on push_subscriptions (user_id, created_at, id);
create index push_subscriptions_of_device on push_subscriptions (device_id) where device_id is not null;

create table vapid_keys (
  id         boolean primary key default true,
  public     text not null,
  private    text not null,
  created_at timestamptz not null default now(),

  constraint vapid_keys_one check (id),
  constraint vapid_keys_private check (private like 'mh1.%')
);
comment on table vapid_keys is 'delivery: by which push services know this installation; nobody''s';
