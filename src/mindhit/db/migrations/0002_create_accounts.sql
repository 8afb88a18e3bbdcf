-- why:   people, their settings, the devices they are signed in on, and the links that let them in
-- locks: none that anyone could wait for (new tables)
-- takes: milliseconds
-- when:  before the code

create table users (
  id            uuid primary key default gen_random_uuid(),
  email         text not null,
  -- The address as it is compared: trimmed, one case. Made by mindhit.accounts.addresses.
  email_key     text not null unique,
  -- Addresses from before, so that forgetting a person finds what was sent there.
  former_emails text[] not null default '{}',
  -- Absent for people who come through an identity provider, or were added and did not choose yet.
  password_hash text,
  role          text not null default 'user',
  verified_at   timestamptz,
  -- Set from the wish to be forgotten until the last row is gone; such a person cannot sign in.
  erasing_at    timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),

  constraint users_role check (role in ('owner', 'user')),
  constraint users_email check (email like '_%@%_' and email_key like '_%@%_')
);
comment on table users is 'accounts: people';
create unique index users_one_owner on users (role) where role = 'owner';

create table user_settings (
  user_id            uuid primary key references users on delete cascade,
  email_notification boolean not null default true,
  excluded_domains   text[] not null default '{}',
  -- Null until a browser has told; read as Asia/Seoul then.
  timezone           text,
  language           text not null default 'en',
  quiet_from         time,
  quiet_until        time,
  updated_at         timestamptz not null default now(),

  constraint user_settings_language check (language in ('en', 'ko')),
  constraint user_settings_quiet check ((quiet_from is null) = (quiet_until is null)),
  constraint user_settings_domains check (cardinality(excluded_domains) <= 1000)
);
comment on table user_settings is 'accounts: what a person has chosen';

create table devices (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  kind         text not null,
  name         text not null,
  scopes       text[] not null,
  -- Refresh tokens of the generation before are accepted for moments after `rotated_at`.
  generation   integer not null default 0,
  rotated_at   timestamptz,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz,
  last_address text,
  expires_at   timestamptz,
  revoked_at   timestamptz,

  constraint devices_kind check (kind in ('web', 'extension', 'api')),
  constraint devices_scopes check (scopes <@ array['web', 'extension', 'api', 'admin'])
);
comment on table devices is 'accounts: where a person is signed in: browsers, extensions, programs';
create index devices_of_user on devices (user_id, created_at);

create table tokens (
  hash       bytea primary key,
  device_id  uuid not null references devices on delete cascade,
  user_id    uuid not null references users on delete cascade,
  kind       text not null,
  generation integer not null,
  expires_at timestamptz,

  constraint tokens_kind check (kind in ('access', 'refresh'))
);
comment on table tokens is 'accounts: hashes of the secrets that devices hold';
create index tokens_of_device on tokens (device_id);
create index tokens_of_user on tokens (user_id);
create index tokens_expiring on tokens (expires_at) where expires_at is not null;

create table sign_ups (
  id            uuid primary key default gen_random_uuid(),
  email         text not null,
  email_key     text not null,
  language      text not null,
  timezone      text,
  created_at    timestamptz not null default now()
);
comment on table sign_ups is 'accounts: people who asked for an account and have not opened the link';

create table links (
  hash       bytea primary key,
  purpose    text not null,
  user_id    uuid references users on delete cascade,
  -- The address that opening the link proves to be the person's.
  email      text,
  sign_up_id uuid references sign_ups on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,

  constraint links_purpose check (purpose in ('owner', 'sign_up', 'verify', 'email', 'reset'))
);
comment on table links is 'accounts: one-time links; opening one deletes it';
create index links_of_user on links (user_id);

create table connections (
  device_hash bytea primary key,
  user_code   text not null unique,
  name        text not null,
  address     text,
  user_id     uuid references users on delete cascade,
  status      text not null default 'pending',
  device_id   uuid references devices on delete set null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,

  constraint connections_status check (status in ('pending', 'approved', 'denied', 'connected')),
  constraint connections_user check ((status = 'pending') = (user_id is null))
);
comment on table connections is 'accounts: extensions that wait to be let in by a person';
create index connections_of_user on connections (user_id);

create table identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
comment on table identities is 'accounts: people as their identity provider knows them';
-- A person has one name at a provider: whoever comes later with their address is somebody else.
create unique index identities_of_user on identities (user_id, issuer);

create table oidc_requests (
  state_hash bytea primary key,
  nonce      text not null,
  verifier   text not null,
  next       text not null,
  -- What the browser said of itself, for somebody who comes in for the first time.
  language   text not null,
  timezone   text,
  expires_at timestamptz not null
);
comment on table oidc_requests is 'accounts: sign-ins that are on their way through an identity provider';

create table security_events (
  id      bigint generated always as identity primary key,
  user_id uuid references users on delete cascade,
  at      timestamptz not null default now(),
  event   text not null,
  address text,
  device  text
);
comment on table security_events is 'accounts: what happened to whose keys, for the person to see';
create index security_events_of_user on security_events (user_id, id);
create index security_events_by_time on security_events (at);

create table erasures (
  id       uuid primary key default gen_random_uuid(),
  user_id  uuid not null unique references users on delete cascade,
  asked_at timestamptz not null default now()
);
comment on table erasures is 'accounts: people who are being forgotten';

-- One moment per caller says it all: when its allowance is whole again. Lost in a crash, and not missed.
create unlogged table rate_limits (
  key      bytea primary key,
  whole_at timestamptz not null
);
comment on table rate_limits is 'accounts: how much of its allowance each address and account has used';
create index rate_limits_whole on rate_limits (whole_at);
